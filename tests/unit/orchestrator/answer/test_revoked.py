"""A day that was given up is no answer, in any type; what replaced it is."""

from __future__ import annotations

from typing import Any

import pytest

from translators.query import QueryType

FIRST = "The office move is on 28 March."
MOVED = "The office move is postponed from 28 March to 12 April."


@pytest.mark.parametrize(
    "kind", [QueryType.TEMPORAL, QueryType.DECISION, QueryType.EXPLORATORY, QueryType.FACTUAL], ids=str
)
def test_the_newer_day_is_told_and_the_older_is_not(desk: Any, kind: QueryType) -> None:
    desk = desk.ask(type=kind, keywords=("office", "move"))
    answer = desk.answer(desk.result("gmail:1", FIRST, age=20), desk.result("slack:2", MOVED, age=2, score=0.8))
    assert FIRST not in answer.summary
    assert MOVED in answer.summary


@pytest.mark.parametrize(
    ("one", "other", "ages"),
    [
        (FIRST, MOVED, (2, 20)),
        (FIRST, MOVED, (None, 2)),
        (FIRST, "The office party is postponed from 29 March to 12 April.", (20, 2)),
        ("The office move is on 28 March, the party on 3 May.", MOVED, (20, 2)),
    ],
    ids=["the move came first", "undated", "another day", "more than that day"],
)
def test_what_nothing_newer_took_back_stands(desk: Any, one: str, other: str, ages: tuple[Any, Any]) -> None:
    desk = desk.ask(type=QueryType.TEMPORAL, keywords=("office", "move"))
    answer = desk.answer(desk.result("gmail:1", one, age=ages[0]), desk.result("slack:2", other, age=ages[1]))
    assert one in answer.summary


def test_a_story_that_went_on_is_no_open_conflict(desk: Any) -> None:
    desk = desk.ask(keywords=("launch", "date"))
    told = [
        ("The launch date is agreed: 20 March.", 30),
        ("We agreed: the launch date moved from 20 March to 3 April.", 20),
        ("We agreed: the launch date moved from 3 April to 12 April.", 10),
    ]
    answer = desk.answer(*(desk.result(f"slack:{age}", text, age=age) for text, age in told))
    assert "12 April" in answer.statements[1].text
    assert all("12 April" in each for each in answer.conflicts)
