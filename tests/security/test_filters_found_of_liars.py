"""Finding out what a tool filters by, where the tool and its results lie: nothing of them becomes another condition, another setting or another argument than was tried."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from connectors.contract import Hit
from connectors.mcp_client.settings import QUERY
from orchestrator.assembly.finding import CALLED, MOST, _Tool, _ways
from orchestrator.documents.filters import filter_probes
from orchestrator.model import HitList, Outcome, Status
from orchestrator.settings import FoundFilters, SettingsSite
from orchestrator.settings.found import found_text, found_values
from orchestrator.understand import understand
from translators.query import Category, Container, Field, Kind, Person, leaves
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)
# What whoever wrote something may be called, so that asking for it might ask for something else.
NAMES = {
    "an end of quotes": 'Dana" source:web "x', "many ends": '""""', "an operator": "Dana) OR from:(Jake", "another condition": "Dana source:web after:2020-01-01",
    "no": "-Dana", "a backslash": "Dana\\", "an escaped quote": 'Dana\\"', "two lines": "Dana\nsource:web", "a nil": "Dana\0", "a colon": "from:", "a place": "#general",
    "a mention": "@everybody", "a pattern": "(a+)+$", "stars": "***", "a template": "{since} {text}", "blanks": "   ", "a wide blank": "\u3000Dana\u3000", "nothing to see": "\u200b\u2060",
    "turned round": "\u202eanaD", "half a letter": "Dana\ud800", "long": "Dana " * 400, "Korean": "김민수님이 아닌", "a day": "지난주", "a quote of another kind": "“Dana” «x»", "me": "me", "nobody": "",
}  # fmt: skip
# What a tool may say that it takes.
GIVEN: dict[str, tuple[str, ...]] = {
    "nothing": (), "nothing by name": ("",), "what is asked already": ("query",), "what would write": ("delete", "command", "path", "url", "headers", "__proto__", "send_to"),
    "a name with a long s": ("\u017fince",), "names that read alike": tuple("author"[:at] + "_" * each + "author"[at:] for at in range(1, 6) for each in range(1, 400)),
    "a table": ("author.name", "author]\nenabled = true", 'author"\ntoken = "x'), "a template": ("{author}",), "thousands": tuple(f"author{each}" for each in range(10_000)),
}  # fmt: skip
DAYS = {
    "the ends of the calendar": (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)),
    "none": (None, None),
    "the same": (NOW, NOW),
    "one": (NOW, None),
    "apart": (NOW, NOW + timedelta(days=400)),
}
TRIED = {"filters found": [*NAMES, *GIVEN, *DAYS]}


def hits(*names: str, days: tuple[datetime | None, ...] = ()) -> tuple[Hit, ...]:
    told = days or (None,) * len(names)
    return tuple(
        Hit("wiki", str(at), Kind.PAGE, author=Person(name), container=Container(name), updated=day)
        for at, (name, day) in enumerate(zip(names or ("Dana",) * len(told), told, strict=True))
    )


def outcome(found: tuple[Hit, ...], **args: Any) -> Outcome:
    asked = NativeQuery("wiki", "rota", args)
    lists = (HitList(Translation(asked), found),)
    return Outcome("wiki", "Wiki", Category.WIKI, Status.OK if found else Status.EMPTY, lists, sent=(asked,))


def test_a_name_is_asked_for_as_that_name_and_as_nothing_else() -> None:
    """What it is read as is one person, or one place: no condition besides, whatever stands in it."""
    for what, name in NAMES.items():
        for probe in filter_probes(hits(name, name, "Jake Lee")):
            query = understand(f"rota {probe.typed}"[:2000], NOW)
            asked = {leaf.field for leaf in leaves(query.where) if getattr(leaf, "field", None) is not None}
            assert asked <= {Field.AUTHOR, Field.CONTAINER}, (what, probe.typed, str(query.where))
            assert not query.sources, (what, probe.typed)
            assert "\n" not in probe.typed, what


def test_a_tool_is_tried_by_few_arguments_and_by_none_that_may_not_mean_what_is_asked() -> None:
    (probe, *_) = filter_probes(hits("Dana", "Dana", "Jake"))
    for what, given in GIVEN.items():
        tried = list(islice(_ways(_Tool("wiki", {"kind": "mcp_client", "tool": "search"}, given), probe), MOST))
        assert len(tried) <= MOST, what
        for way in tried:
            assert way.argument.replace("_", "").replace("-", "").casefold() in CALLED["author"], what
            assert way.declared["arguments"]["query"], what


def test_days_of_no_use_are_not_asked_for() -> None:
    for what, days in DAYS.items():
        probes = list(filter_probes(hits(days=days)))
        assert len(probes) == (what in {"apart", "the ends of the calendar"}), what
        for probe in probes:
            assert understand(f"rota {probe.typed}", NOW).text, what


def test_what_is_kept_is_read_as_it_was_found_and_changes_no_other_setting(tmp_path: Path) -> None:
    declared = {"kind": "mcp_client", "tool": "search", "command": ["x"]}
    for what, name in {**NAMES, **{what: each for what, given in GIVEN.items() for each in given[:3]}}.items():
        found = FoundFilters({"author": "exact"}, {name: "{author}"}, "date")
        if "\ud800" not in name:
            read = found_values(found_text(found, declared, name), declared)
            assert set(read) == {"found", "arguments", "times"}, what
            assert read["arguments"] == {**QUERY, name: "{author}"}, what
        assert found_values(found_text(found, declared, "x"), {**declared, "tool": "delete"}) == {}, what
    site = SettingsSite(environment={"FEDSEARCH_CONFIG": str(tmp_path / "fedsearch.toml")})
    kept = site.keep_found("wiki", FoundFilters({"author": "exact"}), declared, "rota \ud800")
    assert tomllib.loads(kept.read_text("utf-8"))["found"] == {"author": "exact"}


def test_a_source_that_lies_about_a_condition_is_kept_for_no_more_than_it_was_seen_to_heed() -> None:
    known = hits("Dana", "Dana", "Jake")
    (probe, *_) = filter_probes(known)
    before = outcome(known)
    for after, fidelity in (
        (known, "none"),
        (known[:1], "none"),
        ((), "none"),
        (hits("Dana", "Dana"), "exact"),
        (hits("Dana", "Dana") * 50, "exact"),
        (hits("Dana", "Dana", "", "x"), "none"),
        (hits("DANA", "dana"), "none"),
        (hits("Dana", "Dana", "Jake", "Jake"), "none"),
    ):
        assert probe.judged(before, outcome(after, author="Dana")).fidelity == fidelity, after
    assert probe.judged(before, outcome(known[:2])).fidelity == ""  # not asked by it at all
