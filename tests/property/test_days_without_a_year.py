"""Whatever day is named without a year, and whenever: it keeps its month and day, and lies where its sentence says."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.answer.dates import PLAIN, SLACK, day_in_words, named_days

WRITTEN = st.dates(date(2001, 1, 1), date(2090, 12, 31))
DAY = st.dates(date(2025, 1, 1), date(2025, 12, 31))  # of a year without 29 February
AHEAD = (
    "we will ship it on {day}",
    "let's move it to {day}",
    "{day}로 미룹시다",
    "{day}에 출시할 예정입니다",
    "{day}까지 부탁드립니다",
)
BEHIND = ("we signed it on {day}", "{day}에 체결했습니다", "it went live on {day}", "{day}에 배포가 끝났습니다")
NEITHER = ("the minutes of {day}", "{day} 회의록", "{day}")


def _said(form: str, day: date) -> str:
    language = "ko" if any("가" <= letter <= "힣" for letter in form) else "en"
    told = day_in_words(day, language)
    return form.format(day=told.partition(" ")[2] if language == "ko" else told.rpartition(" ")[0])


def _read(form: str, day: date, written: date) -> tuple[date, bool]:
    (named,) = named_days(_said(form, day), written)
    assert (named.day.month, named.day.day) == (day.month, day.day)
    return named.day, named.sure


@given(WRITTEN, DAY, st.sampled_from(AHEAD))
def test_what_is_to_come_is_not_long_past(written: date, day: date, form: str) -> None:
    read, sure = _read(form, day, written)
    assert written - SLACK <= read < written + timedelta(days=366) - SLACK
    assert sure


@given(WRITTEN, DAY, st.sampled_from(BEHIND))
def test_what_is_done_is_not_far_ahead(written: date, day: date, form: str) -> None:
    read, sure = _read(form, day, written)
    assert written - timedelta(days=366) + SLACK < read <= written + SLACK
    assert sure


@given(WRITTEN, DAY, st.sampled_from(NEITHER))
def test_any_other_is_the_nearest_and_in_doubt_where_it_is_far(written: date, day: date, form: str) -> None:
    read, sure = _read(form, day, written)
    assert abs(read - written) <= timedelta(days=183)
    assert sure == (abs(read - written) <= PLAIN)


@given(WRITTEN, DAY, st.sampled_from(AHEAD + BEHIND + NEITHER))
def test_a_year_that_is_written_holds(written: date, day: date, form: str) -> None:
    language = "ko" if any("가" <= letter <= "힣" for letter in form) else "en"
    (named,) = named_days(form.format(day=day_in_words(day, language)), written)
    assert (named.day, named.sure) == (day, True)
