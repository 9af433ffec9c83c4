"""When digests are due: by the wall clock of a zone, over every change of it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import Misconfigured
from orchestrator.digests.schedules import check_cron, following, next_occasion, zone_of

SEOUL, NEW_YORK = ZoneInfo("Asia/Seoul"), ZoneInfo("America/New_York")


def at(text):
    return datetime.fromisoformat(text)


def test_by_the_wall_clock_of_its_zone():
    assert following("0 9 * * 1", SEOUL, at("2026-11-20T10:00:00+09:00")) == at("2026-11-23T09:00:00+09:00")
    assert following("0 9 * * 1", SEOUL, at("2026-11-23T09:00:00+09:00")) == at("2026-11-30T09:00:00+09:00")
    assert following("@daily", SEOUL, at("2026-11-20T10:00:00+09:00")) == at("2026-11-21T00:00:00+09:00")


def test_what_the_clock_skips_is_due_as_much_later_and_once():
    before = at("2026-03-08T00:00:00-05:00")
    due = following("30 2 * * *", NEW_YORK, before)
    assert due == at("2026-03-08T03:30:00-04:00")
    assert following("30 2 * * *", NEW_YORK, at("2026-03-08T03:10:00-04:00")) == due, "seen from within the hour, too"
    assert following("30 2 * * *", NEW_YORK, due) == at("2026-03-09T02:30:00-04:00")


def test_what_the_clock_shows_twice_is_due_the_first_time():
    due = following("30 1 * * *", NEW_YORK, at("2026-11-01T00:00:00-04:00"))
    assert due == at("2026-11-01T01:30:00-04:00")
    assert following("30 1 * * *", NEW_YORK, due) == at("2026-11-02T01:30:00-05:00")


def test_occasions_that_have_passed_are_not_made_up_for_one_by_one():
    due = at("2026-11-20T00:00:00+00:00")
    assert next_occasion("0 9 * * *", SEOUL, due, at("2026-11-25T02:00:00+00:00")) == at("2026-11-26T00:00:00+00:00")
    assert next_occasion("0 9 * * *", SEOUL, due, at("2026-11-19T02:00:00+00:00")) == at("2026-11-21T00:00:00+00:00")


@pytest.mark.parametrize("line", ["", "tomorrow", "61 * * * *", "* * *", "0 9 * * 1 2 3", "0 9 * * monday2"])
def test_what_is_no_schedule_is_said_with_what_to_write(line):
    with pytest.raises(Misconfigured, match="0 9 \\* \\* 1"):
        check_cron(line)


def test_a_day_that_never_comes_is_no_endless_search():
    with pytest.raises(Misconfigured):
        check_cron("0 0 30 2 *")
    with pytest.raises(Misconfigured, match="never"):
        following("0 0 30 2 *", UTC, at("2026-01-01T00:00:00+00:00"))


def test_zones_by_the_names_they_are_kept_with():
    for name in ("UTC", "Asia/Seoul", "UTC+09:00", "UTC-03:30"):
        assert zone_of(name).utcoffset(at("2026-01-01T00:00:00")) is not None
    assert zone_of("UTC-03:30").utcoffset(None) == -timedelta(hours=3, minutes=30)
    for wrong in ("Mars/Base", "UTC+xx:00", ""):
        with pytest.raises(Misconfigured):
            zone_of(wrong)


ZONES = st.sampled_from(["Asia/Seoul", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"])
LINES = st.sampled_from(["0 9 * * *", "30 2 * * *", "*/30 1-3 * * *", "0 0 * * 1", "15 23 1 * *", "0 2 29 2 *"])


@given(ZONES, LINES, st.integers(0, 20 * 365 * 86400))
def test_each_occasion_comes_after_the_last_and_none_lies_between(zone, line, seconds):
    where = ZoneInfo(zone)
    moment = datetime(2010, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    due = following(line, where, moment)
    assert due > moment
    between = moment + (due - moment) * 0.5
    assert following(line, where, between) == due
    assert following(line, where, due) > due
