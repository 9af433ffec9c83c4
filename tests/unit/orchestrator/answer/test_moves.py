"""How days in a sentence belong together: only what stands between them says that one became the other."""

from __future__ import annotations

from datetime import date

import pytest

from orchestrator.answer.moves import left, steps

WRITTEN = date(2026, 11, 10)


def told(text: str) -> str:
    found = steps(text, WRITTEN)
    return "".join(f"{each.tie.value if place else ''}{each.day:%m-%d}" for place, each in enumerate(found))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("11월 16일 → 12월 7일", "11-16 → 12-07"),
        ("출시일: 10/20 → 11/3 -> 11/12", "10-20 → 11-03 → 11-12"),
        ("11월 8일(일) 02:00 → 11월 22일(일) 02:00~04:00", "11-08 → 11-22"),
        ("11월 28일에서 12월 12일(토)로 연기되었습니다", "11-28 → 12-12"),
        ("11월 9일 말고 11월 16일에 해요", "11-09 → 11-16"),
        ("11월 9일이 아니라 11월 16일입니다", "11-09 → 11-16"),
        ("11월 9일은 취소하고 11월 16일에 모입니다", "11-09 → 11-16"),
        ("9 November is off, 16 November is on", "11-09 → 11-16"),
        ("9 November is off, 16 November is off as well", "11-09, 11-16"),
        ("The start moved from 16 November to Monday 7 December.", "11-16 → 12-07"),
        ("on from 1 January 2027 (was 1 December)", "12-01 → 01-01"),
        ("It takes effect 1 January 2027, not 1 December.", "12-01 → 01-01"),
        ("The freeze runs from 9 November to 4 December.", "11-09 – 12-04"),
        ("11/16~11/23 주는 민수님과 바꿨습니다", "11-16 – 11-23"),
        ("11월 2일부터 11월 9일까지", "11-02 – 11-09"),
        ("11월 2~9일 순천", "11-02 – 11-09"),
        ("11월 2일~9일", "11-02 – 11-09"),
        ("9 to 11 December", "12-09 – 12-11"),
        ("시작일 12월 7일로 변경 (v1 종료 2027-02-26)", "12-07, 02-26"),
        ("12월 4일까지 변경 동결이라 11월 16일 시작이 불가능해요", "12-04, 11-16"),
        ("Moves to v2 in December; the freeze is from 9 November to 4 December", "11-09 – 12-04"),
        ("from 4 December to 9 November", "12-04, 11-09"),
        ("12월 7일 시작, 12월 7일 확정", "12-07"),
        ("오늘 정합니다", "11-10"),
        ("아직 모릅니다", ""),
    ],
)
def test_days_are_tied_by_what_stands_between_them(text: str, said: str) -> None:
    assert told(text) == said


def test_the_days_that_something_left_are_known() -> None:
    assert left(steps("10/20 → 11/3 → 11/12", WRITTEN)) == {date(2026, 10, 20), date(2026, 11, 3)}
    assert left(steps("9 November to 4 December", WRITTEN)) == frozenset()
