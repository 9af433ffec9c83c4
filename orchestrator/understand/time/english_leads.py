"""The words around an English period that make it a bound, a range or a title, as tables."""

from __future__ import annotations

from orchestrator.understand.time.english_words import BACK, DECADES, HERE, MONTHS, ON, PARTS, STARTERS, WEEKDAYS
from orchestrator.understand.time.numbers import ORDINALS, TENS, UNITS

LEADS: dict[tuple[str, ...], str] = {
    ("since",): "since", ("ever", "since"): "since", ("starting",): "since", ("starting", "from"): "since", ("starting", "on"): "since", ("beginning", "on"): "since",
    ("beginning",): "since", ("as", "of"): "since", ("from",): "from", ("between",): "between", ("after",): "after", ("later", "than"): "after", ("newer", "than"): "after",
    ("greater", "than"): "after", ("on", "or", "after"): "since", ("before",): "before", ("prior", "to"): "before", ("earlier", "than"): "before", ("older", "than"): "before",
    ("ahead", "of"): "before", ("on", "or", "before"): "until", ("before", "or", "on"): "until", ("on", "or", "earlier", "than"): "until", ("until",): "until", ("till",): "until",
    ("up", "to"): "until", ("through",): "until", ("by",): "by", ("no", "later", "than"): "until", ("up", "until"): "until", ("ending", "with"): "until", ("ending", "on"): "until",
    ("in",): "in", ("during",): "in", ("on",): "in", ("over",): "in", ("within",): "in", ("throughout",): "in", ("dated",): "in", ("across",): "in", ("around",): "in", ("back", "in"): "in",
    ("for", "year"): "in", ("for",): "for", ("more", "than"): "before", ("less", "than"): "since", ("=",): "in", ("sometime", "in"): "in",
}  # fmt: skip
FIRST_WORDS = frozenset(words[0] for words in LEADS)
LONGEST_LEAD = max(map(len, LEADS))
TO = frozenset({"to", "until", "till", "through", "thru", "-", "–", "—", "~", "and"})
REPEATED = frozenset({"each", "every", "any", "per", "other", "one", "all", "another", "half"})
VOCABULARY = (
    frozenset(MONTHS)
    | WEEKDAYS.keys()
    | BACK
    | ON
    | HERE
    | STARTERS
    | UNITS.keys()
    | TENS.keys()
    | ORDINALS.keys()
    | DECADES.keys()
    | PARTS.keys()
    | {"rest", "earlier", "later", "very", "'", "over"}
)
PLANNED = frozenset({
    "plan", "plans", "planning", "okr", "okrs", "kpi", "kpis", "budget", "budgets", "roadmap", "goals", "goal", "target", "targets",
    "forecast", "strategy", "headcount", "report", "reports", "results", "earnings", "review", "guideline", "guidelines", "offsite",
    "campaign", "numbers", "revenue", "spend",
})  # fmt: skip
MAY_BEGIN = frozenset({
    "chr", "xma", "box", "new", "nye", "val", "sai", "pat", "apr", "ear", "int", "wor", "may", "jun", "ind", "fou", "hal", "vet", "mar",
    "mlk", "pre", "mem", "mot", "fat", "lab", "col", "tha", "bla", "cyb", "goo", "eas", "lun", "chi", "seo", "chu",
})  # fmt: skip
