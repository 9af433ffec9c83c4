"""Days named in text, however they are written."""

from __future__ import annotations

from datetime import date

import pytest

from orchestrator.answer.dates import MONTHS, NAMES, day_in_words, days, may_name_day, named_days

WRITTEN = date(2026, 11, 10)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("시작일은 11월 28일입니다", ["2026-11-28"]),
        ("2026. 10. 22. 체결", ["2026-10-22"]),
        ("2026-10-22T10:00", ["2026-10-22"]),
        ("2027년 2월 26일 종료", ["2027-02-26"]),
        ("Signed on 22 October.", ["2026-10-22"]),
        ("October 22nd, 2025", ["2025-10-22"]),
        ("the 3rd of December", ["2026-12-03"]),
        ("10/20 → 11/3", ["2026-10-20", "2026-11-03"]),
        ("1월 15일부터", ["2027-01-15"]),
        ("저수지 개방 2월 2일, 게시판에도 붙였대요", ["2027-02-02"]),
        ("4월 2일, 저수지를 열었습니다", ["2026-04-02"]),
        ("다음 해 3월 31일로 이월", ["2027-03-31"]),
        ("내년 3월 31일", ["2027-03-31"]),
        ("올해 3월 31일", ["2026-03-31"]),
        ("작년 12월 1일", ["2025-12-01"]),
        ("31 March next year", ["2027-03-31"]),
        ("December 1 last year, and 1 December", ["2025-12-01", "2026-12-01"]),
        ("unused days carry over until 31 May", ["2027-05-31"]),
        ("5월 31일(월)까지 이월", ["2027-05-31"]),
        ("start Monday 10 May", ["2027-05-10"]),
        ("a satisfying 22 May", ["2026-05-22"]),
        ("Sun 10 May", ["2026-05-10"]),
        ("the 17th of May, Monday", ["2027-05-17"]),
        ("5월 17일 월요일부터", ["2027-05-17"]),
        ("22 October, money first", ["2026-10-22"]),
        ("Tuesday 10 May", ["2027-05-10"]),
        ("Tuesday 9 to 10 November", ["2027-11-09", "2027-11-10"]),
        ("Monday 9 to 10 November", ["2026-11-09", "2026-11-10"]),
        ("9 to 10 November, Tuesday", ["2026-11-09", "2026-11-10"]),
        ("10월 22~23일(금)", ["2026-10-22", "2026-10-23"]),
        ("it was 31 May, until 2 November", ["2026-05-31", "2026-11-02"]),
        ("오늘 출시", ["2026-11-10"]),
        ("released yesterday", ["2026-11-09"]),
        ("10월 23~24일 순천", ["2026-10-23", "2026-10-24"]),
        ("10월 23일~24일", ["2026-10-23", "2026-10-24"]),
        ("9 to 11 December", ["2026-12-09", "2026-12-11"]),
        ("Wed 9 – Fri 11 December", ["2026-12-09", "2026-12-11"]),
        ("12–14 December 2025", ["2025-12-12", "2025-12-14"]),
        ("40 to 11 December", ["2026-12-11"]),
        ("19/21명 등록", []),
        ("3/4 done", []),
        ("14/18", []),
        ("2월 30일", []),
        ("May 3:00", []),
        ("may 5 people come", []),
        ("version 1.2.3 of 10.0.0.1", []),
        ("Decembering 3", []),
    ],
)
def test_they_are_read_in_the_year_nearest_to_the_writing(text: str, named: list[str]) -> None:
    assert [each.day.isoformat() for each in named_days(text, WRITTEN)] == named


def test_one_day_in_several_spellings_is_one_day() -> None:
    assert days("11월 3일, 3 November, Nov 3, 11/3, 2026-11-03", WRITTEN) == {date(2026, 11, 3)}


def test_a_day_without_a_year_is_none_where_nobody_knows_when_it_was_written() -> None:
    assert days("3 November", None) == frozenset()
    assert days("3 November 2026", None) == {date(2026, 11, 3)}


def test_days_are_written_as_the_asker_writes_them() -> None:
    assert day_in_words(date(2026, 11, 3), "ko") == "2026년 11월 3일"
    assert day_in_words(date(2026, 11, 3), "en") == "3 November 2026"


@pytest.mark.parametrize("form", ["{} 5", "{}. 5", "5 {}", "5th of {}", "the 5th\u00a0{} was", "from 3 to 5 {}, 2026"])
def test_no_day_is_passed_over_because_it_is_looked_for_quickly(form: str) -> None:
    for month in (*MONTHS, *(str(name) for name in NAMES), "sept", "APR\u0130L", "AUGU\u017fT"):
        for text in (form.format(month), form.format(month.upper()), form.format(month.title())):
            assert may_name_day(text) or not days(text, WRITTEN), text


def test_a_word_that_begins_like_a_month_is_no_day() -> None:
    assert not may_name_day("item 3 of 5: we decided on the migration, maybe in 2 steps")
