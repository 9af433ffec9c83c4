"""Windows in both languages, as rows: what is said on Wednesday, 13 May 2026, and the half-open days it means."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from orchestrator.understand import load_lexicon, understand
from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.feasts import easter
from orchestrator.understand.time.tokens import korean_number
from tests.rows import each_row
from translators.query import Compare, Field, Op, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from translators.query import Query

ENGLISH = """
yesterday | 2026-05-12 | 2026-05-13
outages today | 2026-05-13 |
notes from the day before yesterday | 2026-05-11 | 2026-05-12
incidents last week | 2026-05-04 | 2026-05-11
incidents this week | 2026-05-11 |
last week Friday | 2026-05-08 | 2026-05-09
on Friday | 2026-05-08 | 2026-05-09
last month | 2026-04-01 | 2026-05-01
last quarter | 2026-01-01 | 2026-04-01
results of the last month of sales | 2026-04-01 | 2026-05-01
last year | 2025-01-01 | 2026-01-01
this quarter | 2026-04-01 |
past 3 days | 2026-05-10 |
over the past two weeks | 2026-04-29 |
in the past 6 months | 2025-11-13 |
two weeks ago | 2026-04-29 | 2026-04-30
since last week | 2026-05-04 |
since March | 2026-03-01 |
since late July | 2025-07-16 |
after 2024 | 2025-01-01 |
before June | | 2025-06-01
until 2025-03-31 | | 2025-04-01
in February | 2026-02-01 | 2026-03-01
in June | 2025-06-01 | 2025-07-01
in Q2 | 2026-04-01 | 2026-07-01
in Q4 | 2025-10-01 | 2026-01-01
first half of 2025 | 2025-01-01 | 2025-07-01
second half of last year | 2025-07-01 | 2026-01-01
Q4 last year | 2025-10-01 | 2026-01-01
between Jan 10 and Jan 20 | 2026-01-10 | 2026-01-21
from March to May 2025 | 2025-03-01 | 2025-06-01
what was sent on the twenty second of March 2025 | 2025-03-22 | 2025-03-23
who wrote in a week starting on 2 March 2025 | 2025-03-02 | 2025-03-09
what was decided on 2025 5/May | 2025-05-05 | 2025-05-06
Jan 3 - Feb 2 | 2026-01-03 | 2026-02-03
Nov 20 to Jan 5 | 2025-11-20 | 2026-01-06
on October 14 2025 | 2025-10-14 | 2025-10-15
on the 4th of July, 1995 | 1995-07-04 | 1995-07-05
on 2025-12-31 | 2025-12-31 | 2026-01-01
on 21/04/2026 | 2026-04-21 | 2026-04-22
early 2025 | 2025-01-01 | 2025-05-01
mid May last year | 2025-05-11 | 2025-05-21
first week of January | 2025-12-29 | 2026-01-05
last Monday of April | 2026-04-27 | 2026-04-28
in the 1990s | 1990-01-01 | 2000-01-01
the nineties | 1990-01-01 | 2000-01-01
last Christmas | 2025-12-25 | 2025-12-26
after Easter | 2026-04-05 |
week of April 6 | 2026-04-06 | 2026-04-13
older than two weeks | | 2026-04-29
2026-01-01 and after | 2026-01-01 |
yesterday's standup | 2026-05-12 | 2026-05-13
over the weekend | 2026-05-09 | 2026-05-11
last week from Tuesday to Thursday | 2026-05-05 | 2026-05-08
day before yesterday deploys | 2026-05-11 | 2026-05-12
the Friday before last | 2026-05-01 | 2026-05-02
the weekend before last | 2026-05-02 | 2026-05-04
two Fridays ago | 2026-05-01 | 2026-05-02
a couple of Wednesdays ago | 2026-04-29 | 2026-04-30
incidents last night | 2026-05-12 | 2026-05-14
incidents the night before last | 2026-05-11 | 2026-05-13
CW18 report | 2026-04-27 | 2026-05-04
2026-W18 report | 2026-04-27 | 2026-05-04
"""

KOREAN = """
어제 | 2026-05-12 | 2026-05-13
오늘 슬랙에 올라온 | 2026-05-13 |
그저께 | 2026-05-11 | 2026-05-12
지난주 | 2026-05-04 | 2026-05-11
지지난주 | 2026-04-27 | 2026-05-04
지난주 금요일 | 2026-05-08 | 2026-05-09
이번 주 | 2026-05-11 |
지난달 | 2026-04-01 | 2026-05-01
이번 달에 | 2026-05-01 |
지난 분기 | 2026-01-01 | 2026-04-01
작년 | 2025-01-01 | 2026-01-01
재작년 | 2024-01-01 | 2025-01-01
올해 들어 | 2026-01-01 |
작년 하반기 | 2025-07-01 | 2026-01-01
작년 4분기 | 2025-10-01 | 2026-01-01
2025년 상반기 | 2025-01-01 | 2025-07-01
2분기에 나온 | 2026-04-01 | 2026-07-01
3분기 해커톤에서 | 2025-07-01 | 2025-10-01
5월에 | 2026-05-01 | 2026-06-01
6월에 | 2025-06-01 | 2025-07-01
25년 3월 | 2025-03-01 | 2025-04-01
2025.3.1 공지 | 2025-03-01 | 2025-03-02
최근 30일 | 2026-04-13 |
최근 2주 동안 | 2026-04-29 |
최근 3개월 내 | 2026-02-13 |
최근 한 달간 | 2026-04-13 |
지난 일주일 | 2026-05-06 |
지난 며칠 동안 | 2026-05-10 |
이틀 전 | 2026-05-11 | 2026-05-12
2년 1개월 전 | 2024-04-13 | 2024-04-14
3월부터 | 2026-03-01 |
8월 15일 이후 | 2025-08-15 |
7월 전까지 | | 2025-07-01
4월 이전 | | 2026-04-01
3월부터 5월까지 | 2026-03-01 | 2026-06-01
3월이랑 4월에 | 2026-03-01 | 2026-05-01
3월, 4월 판매 부수 | 2026-03-01 | 2026-05-01
작년이랑 올해 | 2025-01-01 |
11월 3일부터 7일 사이 | 2025-11-03 | 2025-11-08
4월 3일과 12일 사이에 | 2026-04-03 | 2026-04-13
2024년부터 | 2024-01-01 |
지난달 초 | 2026-04-01 | 2026-04-16
3월 중순 | 2026-03-11 | 2026-03-21
작년 말 | 2025-07-01 | 2026-01-01
2000년대에 | 2000-01-01 | 2010-01-01
지난 달 셋째 주 수요일 | 2026-04-15 | 2026-04-16
4월 마지막 월요일에 | 2026-04-27 | 2026-04-28
설날에 | 2026-02-17 | 2026-02-18
작년 추석에 | 2025-10-06 | 2025-10-07
추석 연휴에 | 2025-10-05 | 2025-10-08
광복절 이후 | 2025-08-15 |
오월 이십일에 | 2025-05-20 | 2025-05-21
어젯밤 배포 | 2026-05-12 | 2026-05-14
지난 밤 장애 | 2026-05-12 | 2026-05-14
2026. 5. 1. 회의록 | 2026-05-01 | 2026-05-02
2026. 04. 27. ~ 2026. 05. 01. 배포 | 2026-04-27 | 2026-05-02
"""

NONE = """
Q3 headcount plan
Q4 2025 board deck
2026년 2분기 OKR 시트
3개월 무이자 할부 조건
spreadsheet with Q1 marketing spend
shifts after 6 p.m.
who changed it since the merger
latest security policy
what is the last day of each sprint
what is the last day of this sprint
the last day of the month for receipts
what changed in the lease lately
next quarter planning
다음 달 워크샵
내일 회의
2주 vs 3주
90일로 줄이기로
refund within 14 days
every Monday standup
worked on a Saturday
토요일에 일하면
Thursdays at 17.30
매주 월요일마다 회의
this may take longer
march orders and second opinions
there are 10 stars
tel +86 138-2010-2015
12:30 lunch
version 7.2
PAY-1423
최근 거로
연차 이월 신청
환불은 7일 이내
5 to 6pm
2026-13-45
31 June
2월 30일
tasks due this week
1/2 of the budget
employee of the year
a week on Tuesday
two weeks on Friday, who hosts
who hosts Tuesday week?
"""


def rows(table: str) -> list[tuple[str, ...]]:
    """One case a line."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]


@each_row(("text", "start", "end"), rows(ENGLISH) + rows(KOREAN))
def test_window(ask: Callable[..., Query], text: str, start: str, end: str) -> None:
    """The words name exactly these days."""
    window = ask(text).window
    assert window is not None
    assert (str(window.exact.start or ""), str(window.exact.end or "")) == (start, end)


@each_row("text", [row[0] for row in rows(NONE)])
def test_no_window(ask: Callable[..., Query], text: str) -> None:
    """Titles, values, durations, clock times and what lies ahead name no window."""
    assert ask(text).window is None


def test_words_of_a_window_are_no_keywords(ask: Callable[..., Query]) -> None:
    """The window keeps the words it came from, and the search does not."""
    query = ask("지난주 결제 장애")
    assert query.window is not None
    assert query.window.words == "지난주"
    assert query.keywords == ("결제", "장애")


def test_the_part_of_a_day_is_no_keyword(ask: Callable[..., Query]) -> None:
    """As in English: what happened "yesterday afternoon" seldom says so."""
    assert ask("어제 오후 결제 장애").keywords == ask("지난주 금요일 저녁 결제 장애").keywords == ("결제", "장애")
    assert ask("오늘 점심 메뉴").keywords == ("점심", "메뉴")


def test_the_future_is_left_out_of_keywords_too(ask: Callable[..., Query]) -> None:
    """What lies ahead restricts nothing and is searched for nowhere."""
    assert ask("다음 달 전사 워크샵").keywords == ("전사", "워크샵")


def test_days_begin_at_midnight_of_the_asker() -> None:
    """The clause holds aware instants in the asker's zone."""
    now = datetime(2026, 5, 13, 1, 0, tzinfo=ZoneInfo("America/New_York"))
    start, end = (part for part in conjuncts(understand("yesterday", now).where) if isinstance(part, Compare))
    assert (start.field, start.op, start.value) == (Field.TIME, Op.GE, datetime(2026, 5, 12, tzinfo=now.tzinfo))
    assert (end.op, end.value) == (Op.LT, datetime(2026, 5, 13, tzinfo=now.tzinfo))


@each_row(
    ("zone", "name"),
    [
        (ZoneInfo("Asia/Seoul"), "Asia/Seoul"),
        (timezone(timedelta(hours=9)), "UTC+09:00"),
        (timezone(timedelta(0)), "UTC"),
    ],
)
def test_zone_can_be_rebuilt_from_its_name(zone: tzinfo, name: str) -> None:
    """An IANA key, a fixed offset or UTC."""
    assert understand("x", datetime(2026, 1, 1, tzinfo=zone)).zone == name


def test_a_fiscal_year_that_begins_in_april(tmp_path: Path, now: datetime) -> None:
    """A glossary moves quarters; fiscal years are named by the year they end in."""
    glossary = tmp_path / "site.toml"
    glossary.write_text("[calendar]\nfiscal_year_starts = 4\n")
    window = understand("in Q4", now, lexicon=load_lexicon(None, (glossary,))).window
    assert window is not None
    assert (window.start, window.end) == (date(2026, 1, 1), date(2026, 4, 1))


def test_months_are_clamped_to_their_end() -> None:
    """Three months before 31 May is the last of February."""
    assert cal.add_months(date(2026, 5, 31), -3) == date(2026, 2, 28)


@each_row(("year", "day"), [(2010, "2010-04-04"), (2018, "2018-04-01"), (2026, "2026-04-05")])
def test_easter(year: int, day: str) -> None:
    """Sundays from the tables of the Church."""
    assert easter(year) == date.fromisoformat(day)


@each_row(
    ("text", "value"),
    [("12", 12), ("열한", 11), ("이십일", 21), ("이천십팔", 2018), ("삼만이백오", 30205), ("몇", 3), ("사과", 0)],
)
def test_korean_numbers(text: str, value: int) -> None:
    """Digits, native and Sino-Korean numerals."""
    assert korean_number(text) == value


@each_row(
    ("text", "day"),
    [
        ("As of March, for what day was the review planned?", date(2026, 3, 31)),
        ("3월 기준으로 개막 예정일은 언제였어?", date(2026, 3, 31)),
        ("지난달 기준으로 언제 하기로 했었지?", date(2026, 4, 30)),
        ("3월 2일 기준 개막 예정일은?", date(2026, 3, 2)),
    ],
)
def test_what_was_planned_as_of_a_month_is_what_was_known_at_its_end(
    ask: Callable[..., Query], text: str, day: date
) -> None:
    """A figure of a month is told after it."""
    assert ask(text).as_of == day
    assert ask("3월 기준 매출은 얼마였어?").as_of is None


@each_row(
    ("text", "searched"),
    [
        ("어제 올라온 글", ("2026-05-12", "2026-05-13")),
        ("이틀 전에 올라온 글", ("2026-05-11", "2026-05-12")),
        ("the post of two days ago", ("2026-05-11", "2026-05-12")),
        ("열흘 전에 올라온 글", ("2026-05-01", "2026-05-06")),
        ("며칠 전에 올라온 글", ("2026-05-08", "2026-05-13")),
        ("the post of a few days ago", ("2026-05-08", "2026-05-13")),
        ("한 달 전에 받은 견적", ("2026-03-29", "2026-04-29")),
        ("the quote we got a month ago", ("2026-03-29", "2026-04-29")),
        ("몇 주 전부터 온 문의", ("2026-04-11", "None")),
        ("지난 여름에 올라온 글", ("2025-05-18", "2025-09-15")),
        ("posts in the summer of 2025", ("2025-05-18", "2025-09-15")),
    ],
)
def test_what_is_counted_roughly_is_searched_for_on_either_side(
    ask: Callable[..., Query], text: str, searched: tuple[str, str]
) -> None:
    """Who says a month ago has counted no days; who says yesterday has."""
    window = ask(text).window
    assert window is not None
    assert (str(window.start), str(window.end)) == searched
    times = [
        each.value for each in conjuncts(ask(text).where) if isinstance(each, Compare) and each.field is Field.TIME
    ]
    assert str(times[0])[:10] == searched[0]


@each_row(
    "text",
    [
        "what did we say a few 999 years 999 years ago",
        "what did we say 999 years 999 years 27 years ago",
        "몇 년 999년 999년 전에 올라온 글",
        "999년 999년 27년 전에 올라온 글",
        "2-3 decades 999 years 999 years ago",
    ],
)
def test_what_is_counted_back_to_where_the_calendar_begins_is_read(ask: Callable[..., Query], text: str) -> None:
    """What may as well be meant would begin before it."""
    assert ask(text).text == text
