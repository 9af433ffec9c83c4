"""A period is satisfied by a text that names its month or its day, in either language."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from orchestrator.rank.periods import speaks_of
from translators.query import Compare, Field, Implied, Op

SEOUL = ZoneInfo("Asia/Seoul")


def at(month: int, day: int, year: int = 2024) -> datetime:
    return datetime(year, month, day, tzinfo=SEOUL)


OCTOBER = at(10, 1), at(11, 1)
LATE_OCTOBER = at(10, 16), at(11, 1)
A_DAY = at(10, 6), at(10, 7)
A_WEEK = at(10, 7), at(10, 14)
AUTUMN = at(9, 1), at(12, 1)
A_YEAR = at(1, 1), at(1, 1, 2025)
TWO_WEEKS_OF_TWO_MONTHS = at(9, 28), at(10, 12)
MAY = at(5, 1), at(6, 1)


def speaks(world: Any, text: str, period: tuple[datetime, datetime], written: datetime) -> bool:
    since, until = (
        Implied(Compare(Field.TIME, op, when), 0.9, "then") for op, when in zip((Op.GE, Op.LT), period, strict=True)
    )
    hit = world.hit("slack", "a", text, created=written, updated=None)
    return speaks_of(hit, since, world.ask(implied=(since, until)).context.query)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("In October Busan had 412 members.", OCTOBER),
        ("Oct: 412", OCTOBER),
        ("10월 회원 412명", OCTOBER),
        ("| 10 월 | 412 |", LATE_OCTOBER),
        ("Sales for May", MAY),
        ("10월 6일 장애 보고", A_DAY),
        ("Outage of 6 October", A_DAY),
        ("the outage on Oct. 6, 2024", A_DAY),
        ("Oct 6th and the 6th of October", A_DAY),
        ("10/6 장애", A_DAY),
        ("In October", AUTUMN),
        ("9월이랑 11월", AUTUMN),
    ],
)
def test_it_is_named(world: Any, text: str, period: tuple[datetime, datetime]) -> None:
    assert speaks(world, text, period, at(11, 5))


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("In November Busan had 430 members.", OCTOBER),
        ("we may know more in spring", MAY),
        ("110월 October2", OCTOBER),
        ("Outage of 16 October", A_DAY),
        ("10월 60일", A_DAY),
        ("10/6/2", A_DAY),
        ("In October", A_WEEK),
        ("In October", A_YEAR),
        ("In December", AUTUMN),
        ("In October", TWO_WEEKS_OF_TWO_MONTHS),
    ],
)
def test_it_is_not(world: Any, text: str, period: tuple[datetime, datetime]) -> None:
    assert not speaks(world, text, period, at(11, 5))


@pytest.mark.parametrize(
    ("written", "same"), [(at(3, 20), False), (at(4, 20), True), (at(4, 20, 2025), True), (at(9, 20, 2025), False)]
)
def test_a_month_without_its_year_is_the_nearest(world: Any, written: datetime, same: bool) -> None:
    assert speaks(world, "In October Busan had 412 members.", OCTOBER, written) is same


def test_a_bound_names_no_month(world: Any) -> None:
    since = Implied(Compare(Field.TIME, Op.GE, at(10, 1)), 0.9, "since October")
    hit = world.hit("slack", "a", "In October", created=at(11, 5) - timedelta(days=90), updated=None)
    assert not speaks_of(hit, since, world.ask(implied=(since,)).context.query)
