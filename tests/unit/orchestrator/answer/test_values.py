"""The numbers that a statement says no longer hold, and that it is told no more once something newer says so."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.answer.revoked import values
from translators.query import QueryType


@pytest.mark.parametrize(
    ("text", "held", "left"),
    [
        ("R석은 77,000원이 아니라 66,000원으로 갑니다.", {"66000"}, {"77000"}),
        ("Corrected: the last boat is 16:10, not 16:40.", {"16:10"}, {"16:40"}),
        ("9월 1일부터 11,200원 → 11,800원.", {"11800"}, {"11200"}),
        ("48mm 대신 52mm로 여섯 줄.", {"52"}, {"48"}),
        ("은파호 | ~~20통~~ 12통 | 40캔", {"12", "40"}, {"20"}),
        ("타워 풍속 12 → 10m/s, 지붕 10 → 8.", {"10"}, {"12"}),  # what one thing leaves another has reached
        ("정원 20명 → 15명 → 12명", {"12"}, {"20", "15"}),
        ("The sample size goes up from 84 to 96.", {"96"}, {"84"}),
        ("They reduce their order from 120 to 90 pumps.", {"90"}, {"120"}),
        ("식대 한도가 12,000원에서 13,000원으로 오릅니다.", {"13000"}, {"12000"}),
        ("Open from 10:00 to 18:00.", {"10:00", "18:00"}, set()),
        ("10에서 20 사이입니다.", {"10", "20"}, set()),
        ("준공: ~~2027년 3월 31일~~ 2027년 4월 16일", set(), set()),  # days are told by themselves
        ("Room 7, not 8.", set(), set()),  # said by chance
    ],
)
def test_a_number_holds_or_is_left(text: str, held: set[str], left: set[str]) -> None:
    assert (values(text).held, values(text).left) == (held, left)


OLD, NEW = "The ticket of the gala costs 30,000 won.", "The ticket of the gala: 25,000 won, not 30,000."


def told(desk: Any, old: str, new: str, *ages: int) -> str:
    desk = desk.ask("ticket of the gala", type=QueryType.FACTUAL, keywords=("ticket", "gala"))
    answer = desk.answer(desk.result("gmail:1", old, age=ages[0]), desk.result("slack:2", new, age=ages[1], score=0.8))
    return str(answer.summary)


def test_a_price_that_something_newer_leaves_is_no_answer(desk: Any) -> None:
    assert OLD not in told(desk, OLD, NEW, 20, 2)
    assert NEW in told(desk, OLD, NEW, 20, 2)


@pytest.mark.parametrize(
    ("old", "new", "ages"),
    [
        (OLD, NEW, (2, 20)),
        (OLD, "The ticket of the play: 25,000 won, not 30,000.", (20, 2)),
        ("The ticket of the gala costs 25,000 won (30,000 before).", NEW, (20, 2)),
    ],
    ids=["it came first", "of another thing", "it says the new one too"],
)
def test_what_nothing_newer_leaves_stands(desk: Any, old: str, new: str, ages: tuple[int, int]) -> None:
    assert old in told(desk, old, new, *ages)
