"""What is told first must fit what was asked for: something beside it that holds the same words is nothing to be sure of."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from orchestrator.answer.fitting import fits
from orchestrator.answer.quote import Quote
from translators.query import Compare, Field, Implied, Op, QueryType, State, Window


def _fits(desk: Any, question: str, told: str, *words: str, table: str = "", **facts: Any) -> bool:
    asked = desk.ask(question, keywords=words, **{"type": QueryType.TEMPORAL, **facts})
    return fits([Quote(1, desk.result("slack:1", told), told, table=table)], asked.query, asked.now)


@pytest.mark.parametrize(
    ("told", "fitting"),
    [
        ("The kiln arrives on 14 April", True),
        ("The kiln arrives in April", True),
        ("The kiln arrives in week 16", True),
        ("Yes to the kiln, I send the papers on Monday", False),  # of which week?
        ("Please send me a photo of the kiln by 14 April", False),
        ("The fair opens on 14 April, kiln demonstrations, cake", False),
        ("Kiln: delivery moves, to 14 April, because of the ferry", True),
    ],
)
def test_when_is_said_by_a_day_of_that_and_of_nothing_else(desk: Any, told: str, fitting: bool) -> None:
    assert _fits(desk, "when does the kiln come", told, "kiln") is fitting


@pytest.mark.parametrize(
    ("told", "fitting"),
    [
        ("가마는 4월 14일에 들어옵니다", True),
        ("가마는 다음 해 4월에 들어옵니다", True),
        ("가마 건 좋습니다. 계약서는 월요일에 보낼게요", False),
        ("가마 사진을 4월 14일까지 보내 주세요", False),
        ("이달 소식: 도자기 장터 4월 14일 개장, 가마 체험, 화요 강연", False),
    ],
)
def test_the_same_is_so_of_korean(desk: Any, told: str, fitting: bool) -> None:
    assert _fits(desk, "가마 언제 와", told, "가마") is fitting


def test_a_limit_answers_who_asks_for_one(desk: Any) -> None:
    assert _fits(desk, "until when may we send photos of the kiln", "Photos of the kiln by 14 April, please", "kiln")
    assert _fits(desk, "가마 사진 언제까지 내", "가마 사진은 4월 14일까지", "가마")


def test_a_day_outside_the_days_that_were_asked_about_does_not_fit(desk: Any) -> None:
    for day, fitting in ((12, True), (20, False)):
        told = f"We close the shop on {day} March"
        assert _fits(desk, "when is the shop closed next week", told, "shop", window=_NEXT_WEEK) is fitting


_NEXT_WEEK = Window(date(2025, 3, 10), date(2025, 3, 17), "next week")


def test_a_row_has_its_day_in_a_cell_of_its_own(desk: Any) -> None:
    assert _fits(
        desk, "when does the kiln come", "Kiln | 14 April 2025 | big red one", "kiln", table="what | day | note"
    )


@pytest.mark.parametrize(
    ("question", "fitting"),
    [
        ("what outages did we have last month", False),
        ("which orders are late", False),
        ("what does the kiln cost", True),
        ("what was the outage of Tuesday", True),
        ("what status did we give it", True),
    ],
)
def test_one_of_many_is_not_all(desk: Any, question: str, fitting: bool) -> None:
    assert _fits(desk, question, "The kiln was out", "kiln", type=QueryType.EXPLORATORY) is fitting


@pytest.mark.parametrize(("question", "word"), [("what's blocked?", "blocked"), ("막힌 거 뭐 있어", "막힌")])
def test_a_sentence_with_the_word_is_no_list_of_what_is_blocked(desk: Any, question: str, word: str) -> None:
    implied = (Implied(Compare(Field.STATE, Op.EQ, State.OPEN), 0.5, word),)
    told = "Good people blocked by the filter: 2 %"
    assert not _fits(desk, question, told, word, type=QueryType.STATUS, implied=implied)
    assert _fits(desk, "is the kiln blocked?", told, "kiln", word, type=QueryType.STATUS, implied=implied)
