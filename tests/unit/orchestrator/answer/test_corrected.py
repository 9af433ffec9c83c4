"""What was said and taken back in the same thread is told as it was put right, with what was wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.answer.corrected import may_correct
from orchestrator.answer.replies import with_reply
from orchestrator.model import Confidence, HitList, Part
from orchestrator.understand import understand
from translators.query import Container
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from orchestrator.model import Answer

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
THREAD: dict[str, Any] = {"facts": {"thread": "t"}, "container": Container("general")}


def asked(desk: Any, question: str, *said: tuple[str, str]) -> Answer:
    """An answer from messages of one thread, each by whom."""
    place = replace(desk, query=understand(question, NOW), now=NOW)
    results = [
        place.result(f"slack:{at}", text, age=3.0 - at / 100, author=who, **THREAD)
        for at, (who, text) in enumerate(said)
    ]
    return place.answer(*results)


def claims(answer: Answer) -> list[str]:
    return [each.text for each in answer.statements if each.part is Part.CLAIM]


def test_the_value_put_right_is_told_first_and_what_it_replaced(desk: Any) -> None:
    answer = asked(
        desk, "how much is the deposit", ("Ana", "The deposit is 500 euros."), ("Ana", "Correction, 600 euros.")
    )
    told = claims(answer)
    assert "600 euros" in told[0]
    assert told[1].startswith("was 500 euros, until")


def test_it_is_never_sure(desk: Any) -> None:
    answer = asked(
        desk, "how much is the deposit", ("Ana", "The deposit is 500 euros."), ("Ana", "Correction, 600 euros.")
    )
    assert answer.confidence is not Confidence.HIGH


def test_somebody_else_may_put_it_right_who_names_what_is_wrong(desk: Any) -> None:
    told = claims(
        asked(desk, "인수 회의 몇 시야", ("Ana", "인수 회의는 14시입니다."), ("Ben", "정정: 14시 아니고 15시입니다."))
    )
    assert "15시" in told[0]
    told = claims(
        asked(desk, "how much is the deposit", ("Ana", "The deposit is 500 euros."), ("Ben", "Sorry, 600 euros."))
    )
    assert "500 euros" in told[0]


@pytest.mark.parametrize(
    "following",
    [
        "Sorry, I cannot come on 14 June.",
        "Actually 14 June is a holiday.",
        "Wait, is it on 14 June?",
        "Sorry",
    ],
)
def test_what_says_more_than_the_value_takes_nothing_back(desk: Any, following: str) -> None:
    told = claims(
        asked(desk, "when does the course start", ("Ana", "The course starts on 7 June."), ("Ana", following))
    )
    assert "7 June" in told[0]
    assert not any(each.startswith("was ") for each in told)


def test_what_was_said_in_another_thread_is_not_taken_back(desk: Any) -> None:
    place = replace(desk, query=understand("how much is the deposit", NOW), now=NOW)
    one = place.result("slack:a", "The deposit is 500 euros.", age=3.0, author="Ana", **THREAD)
    other = place.result("slack:b", "Correction, 600 euros.", age=2.9, author="Ana", facts={"thread": "u"})
    assert "500 euros" in claims(place.answer(one, other))[0]


def test_a_correction_that_only_the_thread_holds_is_read(desk: Any) -> None:
    place = replace(desk, query=understand("where is the offsite", NOW), now=NOW)
    first = place.result("slack:a", "The offsite is in Lisbon.", age=3.0, author="Ana", **THREAD)
    later = place.result("slack:b", "Scratch that, Dublin.", age=2.9, author="Ana", **THREAD)
    lists = (HitList(Translation(NativeQuery("test", "x")), (first.hit, later.hit)),)
    outcomes = tuple(replace(each, lists=lists) if each.source == "slack" else each for each in place.outcomes)
    assert [each.hit.id for each in with_reply((first,), outcomes, place.query)] == ["a", "b"]


def test_a_long_message_tells_more_than_a_correction() -> None:
    assert may_correct("Sorry, I meant the 9th.")
    assert not may_correct("Sorry, " + "there is much more to say of it " * 9)
