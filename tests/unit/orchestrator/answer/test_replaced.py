"""What held before is told where what holds names it, and what held on a day where that is asked for; in both languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from orchestrator.answer import compose, unsupported
from orchestrator.answer.cover import wanted
from orchestrator.answer.scope import within
from orchestrator.model import Part, Ranking
from orchestrator.understand import understand
from translators.query import Compare, Field, Implied, Op, QueryType, Window


def claims(answer: Any) -> list[str]:
    return [each.text for each in answer.statements if each.part is Part.CLAIM]


def told(desk: Any, question: str, text: str, language: str = "en", **facts: Any) -> list[str]:
    desk = desk.ask(question, language=language, **facts)
    answer = desk.answer(desk.result("slack:1", text, age=10.0, author="Kim"))
    assert unsupported(answer.statements, answer.citations, answer.plan) == ()
    return [each for each in claims(answer) if "until" in each or "까지는" in each]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The Moru launch moved from 10 March to 24 March 2025, because the alarm test slipped again.",
         "was 10 March 2025, until 2025-02-21, because “the alarm test slipped again” [1]"),
        ("The Moru launch is on 24 March 2025 instead of 10 March.", "was 10 March 2025, until 2025-02-21 [1]"),
        ("Moru launch: ~~10 March 2025~~ 24 March 2025. The reason is the alarm test.",
         "was 10 March 2025, until 2025-02-21, because “The reason is the alarm test.” [1]"),
    ],
)  # fmt: skip
def test_a_day_that_was_left_is_told_after_the_direct_line(desk: Any, text: str, line: str) -> None:
    assert told(desk, "when does Moru launch", text, keywords=("Moru", "launch"), type=QueryType.TEMPORAL) == [line]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("모루 출시일을 3월 10일에서 3월 24일로 변경합니다. 알람 시험이 늦어졌기 때문입니다.",
         "2025-02-21까지는 2025년 3월 10일, 바뀐 이유: “알람 시험이 늦어졌기 때문입니다.” [1]"),
        ("모루 출시일은 3월 24일(기존 3월 10일)입니다.", "2025-02-21까지는 2025년 3월 10일 [1]"),
    ],
)  # fmt: skip
def test_a_day_that_was_left_in_korean(desk: Any, text: str, line: str) -> None:
    facts = {"keywords": ("모루", "출시일"), "type": QueryType.TEMPORAL}
    assert told(desk, "모루 출시일은 언제야?", text, "ko", **facts) == [line]


@pytest.mark.parametrize(
    ("question", "language", "text", "old"),
    [
        ("how much is the pack", "en", "The pack costs $42 (previously $45).", "was $45, until"),
        ("how much is the pack", "en", "We moved the price of the pack from $45.50 to $42.", "was $45.50, until"),
        ("pack 얼마야", "ko", "pack 단가를 43,200원에서 42,000원으로 변경했습니다.", "까지는 43,200원"),
        ("pack 얼마야", "ko", "pack 단가 43,200원 → 42,000원", "까지는 43,200원"),
    ],
)
def test_an_amount_that_was_left(desk: Any, question: str, language: str, text: str, old: str) -> None:
    (line,) = told(desk, question, text, language, keywords=("pack",), type=QueryType.FACTUAL)
    assert old in line


@pytest.mark.parametrize(
    ("question", "text", "kind"),
    [
        (
            "when does Moru launch",
            "Moru launch: the beta is on 10 March, all of it on 24 March 2025.",
            QueryType.TEMPORAL,
        ),
        ("when does Moru launch", "The Moru launch week is from 10 March to 24 March 2025.", QueryType.TEMPORAL),
        ("how much is the pack", "The pack costs $42, the large pack $45.", QueryType.FACTUAL),
        ("how much is the pack", "The pack costs $42 to $45.", QueryType.FACTUAL),
    ],
)
def test_two_values_side_by_side_replace_nothing(desk: Any, question: str, text: str, kind: QueryType) -> None:
    keywords = ("Moru", "launch") if "Moru" in text else ("pack",)
    assert told(desk, question, text, keywords=keywords, type=kind) == []


NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


@pytest.mark.parametrize(
    ("text", "day", "keywords"),
    [
        ("When does Moru launch as of 2026-03-01?", date(2026, 3, 1), ("Moru", "launch")),
        ("as of March 1, 2026, when does Moru launch?", date(2026, 3, 1), ("Moru", "launch")),
        ("when does Moru launch as of 1 March?", date(2026, 3, 1), ("Moru", "launch")),
        ("who led Moru as of yesterday?", date(2026, 5, 19), ("Moru",)),
        ("2026년 3월 1일 기준 모루 출시일은?", date(2026, 3, 1), ("모루", "출시일")),
        ("3월 1일 기준으로 모루 출시일 언제야?", date(2026, 3, 1), ("모루", "출시일")),
        ("2026-03-01 당시 모루 출시일은?", date(2026, 3, 1), ("모루", "출시일")),
    ],
)
def test_as_of_a_day_ends_a_window_and_begins_none(text: str, day: date, keywords: tuple[str, ...]) -> None:
    query = understand(text, NOW)
    assert (query.as_of, query.keywords) == (day, keywords)
    assert query.window is not None
    assert query.window.start is None


@pytest.mark.parametrize(
    "text",
    ["매출 인식 기준 알려줘", "2026년 기준 환율 정책", "지난달 기준 단가", "the budget as of Q1", "is it valid as of 2026-09-01?", "as of when is Farah manager", "3월 1일 기준일 변경"],
)  # fmt: skip
def test_what_is_no_day_gone_by_is_not_asked_as_of(text: str) -> None:
    assert understand(text, NOW).as_of is None


@pytest.mark.parametrize(("language", "word"), [("en", "what is later is left aside"), ("ko", "그 뒤의 내용은")])
def test_what_is_later_says_nothing_of_what_held_then(desk: Any, language: str, word: str) -> None:
    day = desk.now.date().replace(day=1)
    late = Implied(Compare(Field.TIME, Op.LT, desk.now), 0.9)
    desk = desk.ask(
        "Moru", language=language, keywords=("Moru",), type=QueryType.TEMPORAL, as_of=day, window=Window(None, day)
    )
    then = desk.result("slack:1", "Moru comes on 10 March.", age=20.0)
    later = desk.result("slack:2", "Moru comes on 24 March.", unmet=(late,))
    assert list(within((later, then), wanted(desk.query), desk.query)) == [then]
    answer = desk.answer(later, then)
    assert "24" not in " ".join(claims(answer))
    assert word in answer.statements[-1].text
    alone = desk.answer(later)
    assert claims(alone) == []
    assert compose(Ranking((later,)), desk.outcomes, replace(desk.plan), desk.now).confidence == "low"
