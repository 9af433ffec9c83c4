"""On which side of its writing a day lies that a sentence names without a year."""

from __future__ import annotations

from datetime import date

import pytest

from orchestrator.answer.dates import named_days
from orchestrator.answer.tense import denies_what_was

MARCH = date(2026, 3, 11)  # the October before is nearer than the one after
AHEAD = [
    "그럼 EU는 10월 15일로 미룹시다. 국내는 그대로 갑니다.",
    "10월 15일까지 보내 주세요",
    "10/15에 출시하겠습니다",
    "10/15으로 계약서에 적혔습니다",
    "10월 15일(목)에 오픈할 예정입니다",
    "마감: 10월 15일",
    "목표일은 10월 15일입니다",
    "출시일이 10월 15일로 변경됐습니다",
    "10월 15일에 다시 보는 게 어떨까요",
    "we will launch on 15 October",
    "We'll open on October 15.",
    "let's move it to 15 October",
    "The launch was moved to Thursday, 15 October",
    "It is due on 15 October",
    "Please send it on 15 October",
    "The fair is scheduled for 15 October because the hall was closed",
    "to be released on 15 October",
    "15 October is the deadline",
    "The board met. 15 October will be the day.",
]
BEHIND = [
    "10월 15일에 계약을 체결했습니다",
    "10/15 배포가 끝났습니다. 다음 배포는 하겠습니다.",
    "we signed on 15 October",
    "It went live on 15 October",
    "The office has been closed since 15 October",
    "On 15 October the pump failed. We will replace it.",
]
NEITHER = [
    "10월 15일 회의록",
    "10월 15일에 체결한 계약을 검토하겠습니다",
    "출시일을 10월 15일 회의에서 변경했습니다",
    "10월 15일에 회의가 있습니다",
    "The minutes of 15 October",
    "It was planned for 15 October",
    "We agreed on 15 October",
]


@pytest.mark.parametrize("text", AHEAD)
def test_what_is_planned_moved_due_or_asked_for_lies_ahead(text: str) -> None:
    assert [(each.day, each.sure) for each in named_days(text, MARCH)] == [(date(2026, 10, 15), True)]


@pytest.mark.parametrize("text", BEHIND)
def test_what_is_told_as_done_lies_behind(text: str) -> None:
    assert [(each.day, each.sure) for each in named_days(text, MARCH)] == [(date(2025, 10, 15), True)]
    later = text.replace("10월 15일", "2월 15일").replace("10/15", "2/15").replace("October", "February")
    assert [each.day for each in named_days(later, date(2026, 9, 1))] == [date(2026, 2, 15)]  # the next is nearer


@pytest.mark.parametrize("text", NEITHER)
def test_of_any_other_it_is_the_nearest_and_the_year_is_in_doubt_where_it_is_far(text: str) -> None:
    assert [(each.day, each.sure) for each in named_days(text, MARCH)] == [(date(2025, 10, 15), False)]
    assert [(each.day, each.sure) for each in named_days(text, date(2026, 9, 1))] == [(date(2026, 10, 15), True)]


def test_both_days_of_a_move_lie_on_the_same_side() -> None:
    for text in ("moved from 1 October to 15 October", "10월 1일에서 10월 15일로 미룹시다", "10/1 → 10/15"):
        assert [each.day for each in named_days(text, MARCH)] == [date(2026, 10, 1), date(2026, 10, 15)], text
    assert next(each.day for each in named_days("moved from 10 March to 15 October", MARCH)) == MARCH.replace(day=10)


def test_a_day_beside_one_with_a_year_is_counted_from_that() -> None:
    for text in ("10 January 2027 instead of 15 October", "2027년 1월 10일(기존 10월 15일)", "2026-10-15 → 1/10"):
        assert {(each.day, each.sure) for each in named_days(text, MARCH)} == {
            (date(2027, 1, 10), True),
            (date(2026, 10, 15), True),
        }, text


def test_a_year_that_is_written_holds_whatever_the_sentence_says() -> None:
    for text in ("we will launch on 15 October 2024", "2024년 10월 15일로 미룹시다", "작년 10월 15일에 출시하겠습니다"):
        assert [(each.day.year, each.sure) for each in named_days(text, MARCH)] in ([(2024, True)], [(2025, True)])


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("There was no alert in the store.", True),
        ("They didn't call back.", True),
        ("알림이 없었습니다", True),
        ("어제는 안 왔어요", True),
        ("어제 안내했습니다", False),  # announced, and no denial
        ("There is no alert.", False),
        ("알림은 없습니다", False),
    ],
)
def test_what_is_denied_of_what_is_over(text: str, denies: bool) -> None:
    assert denies_what_was(text) is denies
