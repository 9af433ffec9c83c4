"""What one message replaced of another is told, and nothing that only looks like it."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.answer import unsupported
from orchestrator.model import Part
from translators.query import Container, QueryType

PRICE = {"keywords": ("pack",), "type": QueryType.FACTUAL}
LAUNCH = {"keywords": ("Moru", "launch"), "type": QueryType.TEMPORAL}
KOREAN = {"keywords": ("모루", "출시일"), "type": QueryType.TEMPORAL, "language": "ko"}


def was(desk: Any, question: str, *said: str, **facts: Any) -> list[str]:
    """The lines on what held before; ``said``: one message every ten days, the oldest first."""
    desk = desk.ask(question, **facts)
    results = [desk.result(f"slack:{n}", each, age=10.0 * (len(said) - n), author="Kim") for n, each in enumerate(said)]
    answer = desk.answer(*reversed(results))
    assert unsupported(answer.statements, answer.citations, answer.plan) == ()
    claims = [each for each in answer.statements if each.part is Part.CLAIM]
    return [each.text for each in claims if each.text.startswith("was ") or "까지는" in each.text]


@pytest.mark.parametrize(
    ("question", "said", "line", "facts"),
    [
        ("how much is the pack", ("The pack price is $45.", "The pack price is now $42."), "was $45, until 2025-02-21", PRICE),
        ("when does Moru launch", ("Moru launch: 10 March.", "The Moru launch moves to 24 March."), "was 10 March 2025, until 2025-02-21", LAUNCH),
        ("모루 출시일 언제야?", ("모루 출시일은 3월 10일입니다.", "모루 출시일을 3월 24일로 변경합니다."), "2025-02-21까지는 2025년 3월 10일", KOREAN),
        ("pack 얼마야", ("pack 단가는 43,200원입니다.", "pack 단가는 최종 42,000원입니다."), "2025-02-21까지는 43,200원", {**PRICE, "language": "ko"}),
    ],
)  # fmt: skip
def test_what_a_newer_message_changes_was_so_until_then(
    desk: Any, question: str, said: tuple[str, str], line: str, facts: dict[str, Any]
) -> None:
    (told,) = was(desk, question, *said, **facts)
    assert told.startswith(line)
    assert told.endswith("[2][1]")


def test_it_was_so_until_the_first_that_said_otherwise(desk: Any) -> None:
    said = ("The pack price is $45.", "The pack price is now $42.", "The pack price is $42.")
    (told,) = was(desk, "how much is the pack", *said, **PRICE)
    assert told.startswith("was $45, until 2025-02-11")


@pytest.mark.parametrize(
    "said",
    [
        ("The pack price is $45.", "The pack price is $42."),  # nothing says that it changed
        ("The pack price for Korea is $45.", "The pack price for Poland is now $42."),
        ("The pack price is $45.", "We propose that the pack price is now $42."),
        ("We suggest a pack price of $45.", "The pack price is now $42."),
        ("The pack price is not $45.", "The pack price is now $42."),
        ("Is the pack price $45?", "The pack price is now $42."),
        ("The pack price is 45 won.", "The pack price is now $42."),
        ("The pack price is $45 or $46.", "The pack price is now $42."),
        ("The pack price is $42.", "The pack price is now $42."),
    ],
)
def test_nothing_is_replaced_by_what_does_not_say_so_of_the_same(desk: Any, said: tuple[str, str]) -> None:
    assert was(desk, "how much is the pack", *said, **PRICE) == []


def test_a_single_word_tells_of_one_subject_in_one_place_alone(desk: Any) -> None:
    desk = desk.ask("when is the deadline", keywords=("deadline",), type=QueryType.TEMPORAL)
    newer = desk.result("slack:2", "The deadline was extended to 24 March.", age=1, container=Container("room"))
    for room, told in (("room", 1), ("other", 0)):
        older = desk.result("slack:1", "Deadline: 10 March.", age=9, container=Container(room))
        lines = [each.text for each in desk.answer(newer, older).statements]
        assert sum(each.startswith("was 10 March 2025, until 2025-03-02") for each in lines) == told


def test_two_launches_are_two(desk: Any) -> None:
    said = ("The Moru launch in Korea is on 6 July 2025.", "The Moru launch in Europe moves to 10 November 2025.")
    assert was(desk, "when does Moru launch", *said, **LAUNCH) == []
    korean = ("모루 국내 출시일은 3월 10일입니다.", "모루 유럽 출시일을 3월 24일로 변경합니다.")
    assert was(desk, "모루 출시일 언제야?", *korean, **KOREAN) == []


def test_what_is_said_again_later_is_not_over(desk: Any) -> None:
    said = ("The pack price is $45.", "The pack price is now $42.", "The pack price is $45.")
    assert not any("was $45" in each for each in was(desk, "how much is the pack", *said, **PRICE))
