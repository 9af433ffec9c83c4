"""Yes and no: only where a sentence says so of all that is asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from orchestrator.answer import unsupported
from orchestrator.answer.signals import asks_whether
from translators.query import QueryType


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Is the canopy approved?", True),
        ("did we sign the Rheinland contract", True),
        ("Can I carry over vacation days?", True),
        ("캐노피 승인됐나요?", True),
        ("외부 노트북 반입해도 되나요?", True),
        ("PAY-142 배포됐어?", True),
        ("Can you tell me when the launch is?", False),
        ("Is it Ana or Ben?", False),
        ("What is approved?", False),
        ("언제 승인됐나요?", False),
        ("캐노피 아직 승인 안 됐나요?", False),
        ("캐노피 승인 현황", False),
    ],
)
def test_a_question_for_yes_or_no_asks_for_nothing_else(text: str, asked: bool) -> None:
    assert asks_whether(text) is asked


def told(
    desk: Any, text: str, keywords: tuple[str, ...], *said: str, language: str = "en", ages: tuple[Any, ...] = (1, 2)
) -> str:
    desk = desk.ask(text, type=QueryType.STATUS, keywords=keywords, language=language)
    results = (desk.result(f"slack:{n}", each, age=ages[n]) for n, each in enumerate(said))
    answer = desk.answer(*results)
    assert not unsupported(answer.statements, answer.citations, answer.plan)
    return answer.statements[min(1, len(answer.statements) - 1)].text


@pytest.mark.parametrize(
    ("says", "begins"),
    [
        ("The canopy was approved by the board.", "Yes — "),
        ("The canopy has not been approved.", "No — "),
        ("The canopy will be approved on Friday.", ""),
        ("The canopy is approved if the city agrees.", ""),
        ("The canopy should be approved.", ""),
        ("I think the canopy is approved.", ""),
        ("The canopy is with the board.", ""),
        ("Is the canopy approved?", ""),
        ("The stairs were approved, not the canopy.", ""),
        ("The stairs were approved.", ""),
    ],
)
def test_only_what_says_it_plainly_is_yes_or_no(desk: Any, says: str, begins: str) -> None:
    line = told(desk, "Is the canopy approved?", ("canopy",), says)
    assert line.startswith(begins) if begins else not line.startswith(("Yes", "No —"))


@pytest.mark.parametrize(
    ("text", "keywords", "says", "begins"),
    [
        ("캐노피 승인됐나요?", ("캐노피",), "캐노피 승인됐습니다.", "예 — "),
        ("캐노피 승인됐나요?", ("캐노피",), "캐노피는 아직 검토 중이고 승인 예정입니다.", ""),
        ("캐노피 승인됐나요?", ("캐노피",), "캐노피는 승인되지 않았습니다.", "아니요 — "),
        ("외부 노트북 반입해도 되나요?", ("노트북", "반입"), "노트북 반입은 금지입니다.", "아니요 — "),
        ("외부 노트북 반입해도 되나요?", ("노트북", "반입"), "노트북은 반입해도 됩니다.", "예 — "),
        ("외부 노트북 반입해도 되나요?", ("노트북", "반입"), "노트북은 반입대장에 기록됩니다.", ""),
    ],
)
def test_so_it_is_in_korean(desk: Any, text: str, keywords: tuple[str, ...], says: str, begins: str) -> None:
    line = told(desk, text, keywords, says, language="ko")
    assert line.startswith(begins) if begins else not line.startswith(("예 —", "아니요"))


def test_the_newest_says_it_and_two_of_one_day_that_differ_say_nothing(desk: Any) -> None:
    newer, older = "The canopy was approved.", "The canopy has not been approved."
    assert told(desk, "Is the canopy approved?", ("canopy",), newer, older).startswith("Yes — ")
    desk = desk.ask("Is the canopy approved?", type=QueryType.STATUS, keywords=("canopy",))
    both = desk.answer(desk.result("slack:1", newer, age=1), desk.result("slack:2", older, age=1))
    assert not both.statements[1].text.startswith(("Yes", "No"))


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("Asia/Seoul", (26, 28)),  # yesterday there, and two days in London
        ("UTC", (30, 36)),  # the older has a date and no time of day
    ],
)
def test_a_day_is_one_where_the_asker_lives(desk: Any, zone: str, hours: tuple[int, int]) -> None:
    desk = desk.ask("Is the canopy approved?", type=QueryType.STATUS, keywords=("canopy",))
    desk = replace(desk, now=datetime(2026, 11, 26, 12, tzinfo=ZoneInfo(zone)))
    newer = desk.result("slack:1", "The canopy was approved.", age=hours[0] / 24)
    older = desk.result("slack:2", "The canopy has not been approved.", age=hours[1] / 24)
    assert not desk.answer(newer, older).statements[1].text.startswith(("Yes", "No"))


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        (("The canopy was approved.",), "Yes — "),
        (("The canopy was approved.", "The canopy has not been approved."), "No — "),
    ],
)
def test_what_is_undated_says_it_where_nothing_dated_does(desk: Any, said: tuple[str, ...], begins: str) -> None:
    assert told(desk, "Is the canopy approved?", ("canopy",), *said, ages=(None, 1)).startswith(begins)


def test_any_other_state_is_asked_for_and_said_in_one_word(desk: Any) -> None:
    asked = "Is the gate painted?"
    assert told(desk, asked, ("gate", "painted"), "The gate has been painted.").startswith("Yes — ")
    assert not told(desk, asked, ("gate", "painted"), "The gate is being cleaned.").startswith(("Yes", "No —"))
