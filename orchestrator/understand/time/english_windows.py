"""English windows: a period with the words around it (since, before, between … and, or later) as half-open days."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.calendar import Grain, Period, PeriodHit
from orchestrator.understand.time.english import English
from orchestrator.understand.time.english_words import (
    BACK,
    DECADES,
    HERE,
    MONTHS,
    ON,
    PARTS,
    STARTERS,
    WEEKDAYS,
)
from orchestrator.understand.time.tokens import END, ORDINALS, TENS, UNITS
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.understand.lexicon import Lexicon

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
ANY = REPEATED | {"a"}
"""Before a day of the week: none that a calendar knows (worked on a Saturday)."""
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
    | {"rest", "earlier", "later", "very", "'", "over", "day", "night"}
    | {name for name in cal.SEASONS if name.isascii()}
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
PLURAL = regex(r"[a-z]{3,}[^\Ws]s|mornings|afternoons|evenings|nights")
"""Friday deploys: a weekday before several things is no day."""
NAMED_WEEKDAYS = frozenset({"patch", "taco", "black", "cyber", "giving", "super", "casual"})
"""Patch Tuesday, casual Friday."""
POINTS = frozenset({"ago", "today", "yesterday", "now"})
UNITS_OF_YEAR = frozenset({"month", "quarter", "week", "day", "half", "part", "end", "beginning", "start", "rest"})
MONTHS_A_YEAR = 12
DOMAIN = regex(r"\.[A-Za-z]")
ADDRESSED = frozenset({"ask", "tell", "ping", "thank", "contact", "cc"})


class EnglishWindows:
    """All windows of one English text."""

    def __init__(self, text: str, today: date, lexicon: Lexicon, fiscal: int = 1) -> None:
        self.read = English(text, today, fiscal)
        self.today = today
        self.lexicon = lexicon

    def hits(self) -> Iterator[PeriodHit]:
        """Windows from left to right, without overlap."""
        index = 0
        while self.read.at(index) is not END:
            found = self._at(index)
            if found is None:
                index += 1
                continue
            hit, index = found
            yield hit

    def _at(self, index: int) -> tuple[PeriodHit, int] | None:  # noqa: PLR0911  (a ladder of rules, one a line)
        lead, after = self._lead(index)
        if not lead and not self._may_start(index):
            return None
        if self.read.at(index - 1).text in REPEATED and index:
            return None
        if lead in {"from", "between", None} and (found := self._bare_range(after)):
            return self._hit(index, found[1], found[0].start, found[0].end), found[1]
        found = self._period(after)
        if found is None:
            return self._day_of_month(index, lead)
        period, end = found
        if period.weak and lead == "for" and (day := self._day_of_month(index, lead)):
            return day
        if ranged := self._range(lead, period, end):
            return self._hit(index, ranged[1], ranged[0].start, None if ranged[0].open else ranged[0].end), ranged[1]
        lead, end = self._trailing(lead, end)
        if lead == "from" and self._goes_on(end):
            lead, end = "since", end + 1
        if self._rejected(index, lead, period, after, end):
            return None
        if lead == "before" and self.read.at(self.read.skip(after, "the", "very")).text == "end":
            lead = "by"  # before the end of March: March counts
        return self._bounded(index, lead, period, end), end

    def _lead(self, index: int) -> tuple[str | None, int]:
        if self.read.at(index).text not in FIRST_WORDS:
            return None, index
        for size in range(LONGEST_LEAD, 0, -1):
            words = tuple(self.read.at(position).text for position in range(index, index + size))
            if words in LEADS:
                return LEADS[words], index + size
        return None, index

    def _may_start(self, index: int) -> bool:
        token = self.read.at(index)
        return (
            token.kind not in {"word", "mark", "clock"}
            or token.text in VOCABULARY
            or any(char.isdigit() for char in token.text)
            or token.text[:3] in MAY_BEGIN
        )

    def _period(self, index: int) -> tuple[Period, int] | None:
        at = (
            self.read.skip(index, "the")
            if self.read.at(index).text == "the" and self.read.at(index + 1).text in MONTHS
            else index
        )
        return self.read.period(at)

    # ---- ranges

    def _range(self, lead: str | None, first: Period, end: int) -> tuple[Period, int] | None:
        word = self.read.at(end).text
        if word == "/" and first.grain is Grain.MONTH and self.read.at(end + 1).text in MONTHS:
            word = "-"  # Jan/Feb 2026
        if word not in TO:
            return None
        after = self.read.skip(end + 1, "the")
        after_date = after + 1 if self.read.at(after).text == "current" else after
        if self.read.at(after_date).text in {"date", "present"}:
            return replace(first, end=self.today, open=True), after_date + 1
        second = self.read.period(after) or self.read.period(end + 1)
        if first.grain is Grain.DAY and (second is None or second[0].weak):
            second = self._same_month(first, after) or second
        if second is None or (word == "and" and lead != "between" and not cal.follows(first, second[0])):
            return None
        joined = self._joined(first, second[0])
        if self.read.at(after).text in {"start", "beginning"}:
            joined = replace(joined, end=second[0].start)
        return joined, second[1]

    def _same_month(self, first: Period, index: int) -> tuple[Period, int] | None:
        found = self.read.day_number(index)
        if found is None or found[0] < first.start.day:
            return None
        return cal.days(first.start.replace(day=found[0])), found[1]

    def _joined(self, first: Period, second: Period) -> Period:
        """One range of two periods; a side without a year takes the one that makes the range run forward."""
        if first.yearless and not second.yearless:
            while first.start > second.start:
                first = cal.years_on(first, -1)
            while cal.years_on(first, 1).start <= second.start and second.grain is not Grain.YEAR:
                first = cal.years_on(first, 1)
        if second.yearless:
            while second.start < first.start:
                second = cal.years_on(second, 1)
        if second.open and second.grain is Grain.DAY:
            return replace(first, end=second.end, open=True)
        return Period(first.start, max(second.end, first.end), first.grain)

    def _bare_range(self, index: int) -> tuple[Period, int] | None:
        """4 to 22 January 1995, 2 and 7 Feb, 4 till 23 of this month: the first day borrows from the second."""
        first = self.read.day_number(index)
        if first is None or self.read.at(first[1]).text not in TO:
            return None
        second = self.read.period(first[1] + 1)
        if second is None and (day := self.read.day_number(first[1] + 1)):
            month = self.read.relative(self.read.skip(day[1], "of"))
            if month and month[0].grain is Grain.MONTH:
                second = cal.nth(month[0], Grain.DAY, day[0]), month[1]
        if second is None or second[0].grain is not Grain.DAY or second[0].weak or first[0] > second[0].start.day:
            month_after = self.read.at(first[1] + 1).text in MONTHS
            if not (second and month_after):
                return None
        if first[0] > second[0].start.day or second[0].rough:  # 2-3 weeks ago
            return None
        return Period(second[0].start.replace(day=first[0]), second[0].end, Grain.DAY), second[1]

    # ---- bounds

    def _trailing(self, lead: str | None, end: int) -> tuple[str | None, int]:
        """Or later, and after, onwards: words behind the period."""
        words = [self.read.at(position).text for position in range(end, end + 2)]
        if words[1] in FIRST_WORDS and self.read.period(end + 2):
            return lead, end  # since 2 March and before 9 March: the next bound
        if words[0] in {"and", "or"} and words[1] in {
            "after",
            "later",
            "greater",
            "newer",
            "onwards",
            "onward",
            "beyond",
        }:
            return "since", end + 2
        if words[0] in {"and", "or"} and words[1] in {"before", "earlier", "older"}:
            return "by", end + 2
        if words[0] in {"onwards", "onward"} or words == ["and", "on"]:
            return "since", end + 1
        return lead, end

    def _goes_on(self, end: int) -> bool:
        """From December on: not what is on something (from December on Slack)."""
        return self.read.at(end).text == "on" and self.read.at(end + 1).kind in {"end", "mark"}

    def _bounded(self, index: int, lead: str | None, period: Period, end: int) -> PeriodHit:
        start: date | None = period.start
        stop: date | None = period.end
        over = None
        if lead == "since":
            stop = None
        elif lead == "after":
            start, stop = period.start if period.grain is Grain.DAY else period.end, None
        elif lead in {"before", "until", "by"}:
            whole = lead == "before" or (lead == "until" and period.grain is Grain.YEAR)
            start, stop = None, period.start if whole else period.end
        elif period.open:
            stop, over = None, period.end
        return replace(self._hit(index, end, start, stop), yearless=period.yearless, over=over, rough=period.rough)

    def _hit(self, index: int, end: int, start: date | None, stop: date | None) -> PeriodHit:
        first, last = self.read.at(index).start, self.read.at(end - 1).end
        due = self.read.at(index - 1).text in {"due", "expiring", "scheduled", "planned", "upcoming", "starting"}
        future = (
            due
            or bool(start and start > self.today)
            or (start is None and stop is not None and stop > self.today + timedelta(days=1))
        )
        return PeriodHit(first, last, start, stop, future)

    # ---- what only looks like a time

    def _rejected(self, index: int, lead: str | None, period: Period, after: int, end: int) -> bool:
        token, nxt = self.read.at(after), self.read.at(end)
        compared = self.read.at(index).text in {"more", "less"} and self.read.at(index + 1).text == "than"
        if self._is_name(index, lead, period, end):
            return True
        if self._is_repeated(after, end) or (compared and self.read.at(end - 1).text not in POINTS):
            return True
        lead = None if lead == "for" else lead
        if not period.weak:
            return lead == "by" and period.grain is Grain.DAY and period.start > self.today
        if period.grain is Grain.DAY:
            return (
                lead is None
                and not (token.text.startswith("0") or any(int(part) > MONTHS_A_YEAR for part in token.text.split("/")))
                and (index > 0 or nxt is not END)
            )
        if period.grain is Grain.MONTH:
            return lead is None and not self.read.text[token.start : token.end].istitle()
        return self._is_title(index, lead, period, end)

    def _is_name(self, index: int, lead: str | None, period: Period, end: int) -> bool:
        """Monday.com, 24/7, ask April, same-day: spelled like a time, and none."""
        token, last = self.read.at(index), self.read.at(end - 1)
        if DOMAIN.match(self.read.text, last.end):
            return True
        same = next((position for position in range(index, end) if self.read.at(position).text == "same"), None)
        if same is not None and (self.read.at(same - 1).text != "the" or self.read.at(end).text == "as"):
            return True
        if lead is not None:
            return False
        addressed = period.grain is Grain.MONTH and self.read.at(index - 1).text in ADDRESSED
        return token.text == "24/7" or (addressed and token.text in MONTHS)

    def _is_repeated(self, index: int, end: int) -> bool:
        word = self.read.at(index).text
        if word not in WEEKDAYS:
            return self.read.at(index - 1).text in REPEATED
        before, after = self.read.at(index - 1).text, self.read.at(end)
        several = (
            after.kind == "word"
            and before not in FIRST_WORDS
            and PLURAL.fullmatch(after.text)
            and after.text not in self.lexicon.asking_en
        )
        return before in ANY or (index > 0 and before in NAMED_WEEKDAYS) or after.text == "s" or bool(several)

    def _is_title(self, index: int, lead: str | None, period: Period, end: int) -> bool:
        """Q3 headcount plan, 2026 budget: part of a name unless a preposition puts the thing into the period."""
        if lead is None and period.grain is Grain.YEAR:
            if self.read.at(index - 1).text == "of" and self.read.at(index - 2).text in UNITS_OF_YEAR:
                return False
            return not (self.read.at(index - 1).text in {"=", "year"} and self.read.at(end) is END)
        after = self.read.at(end)
        asking = after.text in self.lexicon.asking_en and after.text not in PLANNED
        compound = self.read.at(end + 1).text == "-"  # all-hands
        if after.kind == "word" and (compound or not (asking or after.text in self.lexicon.stop_en)):
            return True
        return lead is None and self.read.at(index - 1).text in PLANNED

    def _day_of_month(self, index: int, lead: str | None) -> tuple[PeriodHit, int] | None:
        """On the 4th, for the 27th: a day of the current or the last month, where no noun follows ("on the 2nd floor")."""
        if (
            self.read.at(index).text not in {"on", "for", "since", "before", "after"}
            or self.read.at(index + 1).text != "the"
        ):
            return None
        closing = self.read.at(index + 3).kind in {"end", "mark"} and self.read.at(index).text == "for"
        found = self.read.bare_day(index + 2) if self.read.ordinal(index + 2) or closing else None
        if found is None:
            return None
        nxt = self.read.at(found[1])
        if nxt.kind == "word" and nxt.text not in self.lexicon.stop_en:
            return None
        return self._bounded(index, lead, found[0], found[1]), found[1]
