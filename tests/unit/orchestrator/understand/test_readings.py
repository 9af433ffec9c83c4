"""What prose implies, read as people label it: ``tests/data/readings``, whose even rows were kept apart until the end."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.understand import understand
from tests.rows import each_row
from translators.query import Compare, Field, leaves

if TYPE_CHECKING:
    from translators.query import Query

NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")
FOLDER = Path(__file__).parents[3] / "data" / "readings"
ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("en", "ko")
    for line in (FOLDER / f"readings_{name}.jsonl").read_text("utf-8").splitlines()
]
SURE = 0.5
"""Below it a reading only orders."""


def wrong(row: dict[str, Any]) -> dict[str, object]:
    """What of a row is read otherwise than it is labelled, and how."""
    query = understand(row["text"], NOW)
    found = _facts(query)
    return {key: found[key] for key in found if key in row and not _agrees(key, row[key], found[key])}


def _agrees(key: str, wanted: Any, found: Any) -> bool:
    if key == "keeps":
        return all(any(word.casefold() in kept.casefold() for kept in found) for word in wanted)
    if key == "kind":
        return found is not None and found[0] == wanted[0] and wanted[1] <= found[1] <= wanted[2]
    return bool(wanted == found)


def _facts(query: Query) -> dict[str, Any]:
    workers = [
        str(leaf.value) for leaf in leaves(query.where) if isinstance(leaf, Compare) and leaf.field is Field.ASSIGNEE
    ]
    names = (query.author, *query.people())
    kinds = [
        each.strength for each in query.implied if isinstance(each.clause, Compare) and each.clause.field is Field.KIND
    ]
    return {
        "negated": list(query.negated),
        "author": None if query.author is None else str(query.author),
        "worker": workers[0] if workers else None,
        "container": None if query.container is None else query.container.name,
        "window": _window(query),
        "kind": [str(query.kinds[0]), kinds[0]] if query.kinds else None,
        "people": list(dict.fromkeys(query.people())),
        "sources": [str(hint) for hint in query.hints],
        "keeps": [*query.keywords, *(text for text, _ in query.lesser), *(str(name) for name in names if name)],
    }


def _window(query: Query) -> list[str | None] | None:
    times = [
        each
        for each in query.implied
        if any(isinstance(leaf, Compare) and leaf.field is Field.TIME for leaf in leaves(each.clause))
    ]
    if query.window is None or all(each.strength < SURE for each in times):
        return None
    return [_day(query.window.start), _day(query.window.end)]


def _day(day: date | None) -> str | None:
    return day and day.isoformat()


WORKED_FROM = [row for row in ROWS if int(row["id"][-2:]) % 2]
KEPT_APART = [row for row in ROWS if not int(row["id"][-2:]) % 2]


@each_row("row", [pytest.param(row, id=row["id"]) for row in WORKED_FROM])
def test_a_row_that_was_worked_from(row: dict[str, Any]) -> None:
    """Every fact is read as labelled."""
    assert not wrong(row)


@each_row(("lang", "floor"), [("en", 27), ("ko", 25)])
def test_rows_that_were_kept_apart(lang: str, floor: int) -> None:
    """At least as many of the thirty as when they were first scored."""
    assert sum(not wrong(row) for row in KEPT_APART if row["lang"] == lang) >= floor


@each_row(
    ("text", "clause", "strength"),
    [
        ("in 2025 we agreed on a vendor freeze", "time >=", 0.9),
        ("2025년에 우리가 결정한 벤더 정책", "time >=", 0.9),
        ("AWS invoice for November", "time >=", 0.4),
        ("11월 AWS 청구서", "time >=", 0.4),
        ("pages in the design-reviews channel", "container =", 0.5),
        ("디자인리뷰 채널에서 아이콘 얘기", "container =", 0.5),
        ("in #payments-oncall about retries", "container =", 0.9),
        ("only tickets about data export", "kind =", 0.9),
        ("이슈만 찾아줘 로그인 만료", "kind =", 0.9),
        ("the memo Dana wrote", "author =", 0.7),
        ("정우진이 정리한 회의록", "author =", 0.7),
        ("travel policy excluding the sales offsite", "NOT", 0.9),
        ("출장 정책 말고 재택 정책", "NOT", 0.9),
        ("김 과장님 말고 결제 담당자", "NOT", 0.5),
    ],
)
def test_how_sure_a_reading_is(text: str, clause: str, strength: float) -> None:
    """By how it is said: a source is asked for what is likely, and what is less so only orders."""
    found = {each.strength for each in understand(text, NOW).implied if str(each.clause).startswith(clause)}
    assert found == {strength}


@each_row(
    ("text", "words"),
    [
        ("open issues about refunds", {"issues", "open"}),
        ("열린 이슈 환불", {"이슈", "열린"}),
        ("김민수가 이번주에 한 일", {"김민수"}),
    ],
)
def test_words_that_imply_a_condition_go_on_weighing(text: str, words: set[str]) -> None:
    """A source that cannot hold the condition is asked by them."""
    query = understand(text, NOW)
    implying = {each.words for each in query.implied}
    assert words <= implying
    assert words <= {word for word, _ in query.lesser}
