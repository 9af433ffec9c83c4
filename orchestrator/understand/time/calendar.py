"""Days, weeks and longer stretches of the calendar as half-open periods, the arithmetic on them, and a window with the words that say so."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable


class Grain(IntEnum):
    """How long a period is, as it was named."""

    DAY = 1
    WEEK = 2
    MONTH = 3
    QUARTER = 4
    HALF = 5
    YEAR = 6
    DECADE = 7


@record
class Period:
    """Days ``[start, end)``. ``open``: it runs up to now, so no end is searched for. ``weak``: digits that need a cue to be a time.

    ``rough``: the days before and behind it that may as well be meant: a few weeks ago.
    """

    start: date
    end: date
    grain: Grain
    open: bool = False
    weak: bool = False
    yearless: bool = False
    rough: int = 0

    def opened(self) -> Period:
        """The same period without an end, as for what is still going on."""
        return replace(self, open=True)


MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.HALF: 6, Grain.YEAR: 12, Grain.DECADE: 120}
AS_SAID = 2
"""Days that are counted as they are: two days ago."""
FORTNIGHT = 14
HOURS_A_DAY = 24
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "봄": 3, "여름": 6, "가을": 9, "겨울": 12}
"""The month with which each begins, in both countries."""
OF_DAYS = 5
"""Of so many days that are counted back one more or less may be meant."""


def days(start: date, count: int = 1, grain: Grain = Grain.DAY) -> Period:
    """``count`` days from ``start``."""
    return Period(start, start + timedelta(days=count), grain)


def week_of(day: date) -> Period:
    """Monday to Sunday around ``day``."""
    return days(day - timedelta(days=day.weekday()), 7, Grain.WEEK)


def week_around(day: Period) -> Period:
    """The same around a day whose year may be a guess."""
    return replace(week_of(day.start), yearless=day.yearless)


def weekend_of(day: date) -> Period:
    """Saturday and Sunday of the week around ``day``."""
    return days(week_of(day).start + timedelta(days=5), 2)


def add_months(day: date, count: int) -> date:
    """The same day ``count`` months on, clamped to the end of a shorter month. Raises ``ValueError`` outside the calendar."""
    years, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return date(years, month + 1, min(day.day, monthrange(years, month + 1)[1]))


def span(year: int, month: int, grain: Grain) -> Period:
    """The period of ``grain`` (a month or longer) that begins with ``month`` of ``year``."""
    start = date(year, month, 1)
    return Period(start, add_months(start, MONTHS[grain]), grain)


def month(year: int, number: int) -> Period:
    """A calendar month."""
    return span(year, number, Grain.MONTH)


def year(number: int) -> Period:
    """A calendar year."""
    return span(number, 1, Grain.YEAR)


def decade(first: int) -> Period:
    """Ten years from ``first``."""
    return span(first, 1, Grain.DECADE)


def shift(day: date, grain: Grain, count: int) -> date:
    """``day`` moved by ``count`` units."""
    if grain is Grain.DAY:
        return day + timedelta(days=count)
    if grain is Grain.WEEK:
        return day + timedelta(weeks=count)
    return add_months(day, count * MONTHS[grain])


def around(day: date, grain: Grain) -> Period:
    """The period of ``grain`` that holds ``day``."""
    if grain is Grain.DAY:
        return days(day)
    if grain is Grain.WEEK:
        return week_of(day)
    if grain is Grain.DECADE:
        return decade(day.year // 10 * 10)
    size = MONTHS[grain]
    return span(day.year, (day.month - 1) // size * size + 1, grain)


def counted_back(today: date, start: date, grain: Grain, *, some: bool) -> Period:
    """The day counted back to, ``grain`` being the least unit counted, and by how much it may be off: half a unit, and where ``some`` were counted half of all."""
    gone = (today - start).days
    if some:
        rough = -(-gone // 2)
    elif grain is Grain.DAY:
        rough = max(1, gone // OF_DAYS) if gone > AS_SAID else 0
    else:
        rough = (shift(start, grain, 1) - start).days // 2
    return replace(days(start), rough=min(rough, (start - date.min).days))


def season(year: int, begins: int) -> Period:
    """Three months that begin with the month ``begins`` of ``year``, with a fortnight on either side: where a season ends nobody knows to the day."""
    return replace(Period(start := date(year, begins, 1), add_months(start, 3), Grain.QUARTER), rough=FORTNIGHT)


def season_of(year: int, begins: int) -> Period:
    """The season that a year names; a winter is that with which the year begins as well as that with which it ends."""
    named = season(year, begins)
    return named if named.end.year == year else replace(named, start=date(year, 1, 1))


def hours_back(today: date, hours: int) -> Period:
    """From the day on which so many hours ago may have been: how late it is now is not looked at."""
    return back(today, Grain.DAY, 1 + hours // HOURS_A_DAY)


def years_on(period: Period, count: int) -> Period:
    """The same period ``count`` years later."""
    start, end = (add_months(each, MONTHS[Grain.YEAR] * count) for each in (period.start, period.end))
    return replace(period, start=start, end=end)


def neighbour(day: date, grain: Grain, count: int) -> Period:
    """The period ``count`` units after the one that holds ``day``."""
    return around(shift(around(day, grain).start, grain, count), grain)


def back(today: date, grain: Grain, count: int) -> Period:
    """The last ``count`` units up to now: whole quarters and longer parts count back from the one that runs."""
    if grain in {Grain.QUARTER, Grain.HALF, Grain.DECADE}:
        start = neighbour(today, grain, -count).start
        return Period(start, around(today, grain).start, grain)
    return Period(shift(today, grain, -count), today, grain, open=True)


def latest(make: Callable[[int], Period], today: date) -> Period:
    """The newest of ``make(year)`` that has started; a day that some years lack (29 February) is looked for further back."""
    for candidate in range(today.year + 1, today.year - 9, -1):
        try:
            period = make(candidate)
        except ValueError:
            continue
        if period.start <= today:
            return replace(period, yearless=True)
    raise ValueError("no such day in the calendar")


def turned(newest: Period, step: int, today: date) -> Period:
    """Of what comes once a year, ``newest`` being the one that began last: the last one that is over, this year's (or the one that runs), or the one after that."""
    runs = today < newest.end
    gone = newest.start.year != today.year and not runs
    return replace(years_on(newest, step + (not runs if step < 0 else gone)), yearless=False)


def nth(period: Period, grain: Grain, number: int) -> Period:
    """The ``number``-th week, month … of a period, from 1; negative counts from the end. Weeks belong where their Thursday lies,
    except the first week of a month, which begins with its first Monday (ISO 8601 for years).
    """
    return replace(_nth(period, grain, number), yearless=period.yearless)


def _nth(period: Period, grain: Grain, number: int) -> Period:
    if grain is Grain.WEEK:
        return _nth_week(period, number)
    if grain is Grain.DAY:
        return days(period.start + timedelta(days=number - 1) if number > 0 else period.end + timedelta(days=number))
    if number < 0:
        return around(shift(period.end, grain, number), grain)
    return around(shift(period.start, grain, number - 1), grain)


def _nth_week(period: Period, number: int) -> Period:
    if number > 0:
        first = week_of(period.start)
        if first.start + timedelta(days=3) < period.start:
            first = days(first.end, 7, Grain.WEEK)
        return days(first.start + timedelta(weeks=number - 1), 7, Grain.WEEK)
    last = week_of(period.end - timedelta(days=1))
    if last.start + timedelta(days=3) >= period.end:
        last = days(last.start - timedelta(days=7), 7, Grain.WEEK)
    return days(last.start + timedelta(weeks=number + 1), 7, Grain.WEEK)


def nth_weekday(period: Period, weekday: int, number: int) -> Period:
    """The ``number``-th Monday (0) … Sunday (6) of a period; -1 is the last."""
    if number > 0:
        first = period.start + timedelta(days=(weekday - period.start.weekday()) % 7)
        found = days(first + timedelta(weeks=number - 1))
    else:
        last = period.end - timedelta(days=1)
        found = days(last - timedelta(days=(last.weekday() - weekday) % 7))
    return replace(found, yearless=period.yearless)


def newest_day(today: date, number: int) -> Period | None:
    """The newest ``number``-th of a month; the 31st may lie two months back."""
    for count in range(3):
        try:
            candidate = add_months(today.replace(day=1), -count).replace(day=number)
        except ValueError:
            continue
        if candidate <= today:
            return days(candidate)
    return None


def newest_weekend(today: date) -> Period:
    """The newest Saturday and Sunday that have begun."""
    return days(today - timedelta(days=(today.weekday() - 5) % 7), 2)


def business_day(today: date, count: int) -> date:
    """``count`` working days (Monday to Friday) from ``today``, at most 2,000; negative counts back."""
    step, day, left = (-1 if count < 0 else 1), today, min(abs(count), 2000)
    while left:
        day += timedelta(days=step)
        left -= day.weekday() < 5  # noqa: PLR2004  (Monday to Friday)
    return day


def follows(first: Period, second: Period) -> bool:
    """July and August, last week and this week: neighbours of one length make one stretch."""
    return first.grain is second.grain and first.end == second.start


def weekday_before(today: date, weekday: int) -> Period:
    """The most recent such weekday before today."""
    return days(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))


class PeriodPart(IntEnum):
    """A rough part of a period."""

    EARLY = 0
    MIDDLE = 1
    LATE = 2


def part(period: Period, which: PeriodPart) -> Period:
    """Early and late are halves, the middle is the middle third: people are generous with these words.

    A week turns on Thursday; a year named by number is cut in thirds, one named by its relation to now in halves.
    """
    return replace(_part(period, which), yearless=period.yearless)


def _part(period: Period, which: PeriodPart) -> Period:
    if period.grain is Grain.WEEK:
        cuts = {PeriodPart.EARLY: (0, 3), PeriodPart.MIDDLE: (2, 4), PeriodPart.LATE: (3, 7)}[which]
        return _slice(period, *(timedelta(days=cut) for cut in cuts))
    if period.grain is Grain.MONTH:
        first, last = {PeriodPart.EARLY: (0, 15), PeriodPart.MIDDLE: (10, 20), PeriodPart.LATE: (15, 31)}[which]
        return _slice(period, timedelta(days=first), timedelta(days=last))
    if period.grain is Grain.YEAR:
        first, last = {PeriodPart.EARLY: (1, 7), PeriodPart.MIDDLE: (5, 9), PeriodPart.LATE: (7, 13)}[which]
        return Period(add_months(period.start, first - 1), add_months(period.start, last - 1), Grain.HALF)
    length = (period.end - period.start).days
    first, last = {
        PeriodPart.EARLY: (0, length // 2),
        PeriodPart.MIDDLE: (length // 3, 2 * length // 3),
        PeriodPart.LATE: (length // 2, length),
    }[which]
    return _slice(period, timedelta(days=first), timedelta(days=last))


def thirds(period: Period, which: PeriodPart) -> Period:
    """Thirds of a year (four months each)."""
    return Period(add_months(period.start, 4 * which), add_months(period.start, 4 * which + 4), Grain.HALF)


def _slice(period: Period, first: timedelta, last: timedelta) -> Period:
    return Period(period.start + first, min(period.start + last, period.end), Grain.WEEK)


@record
class PeriodHit:
    """``future``: the window lies ahead, so it names none, but its words are no keywords either. ``yearless``: its year is our guess.

    ``over``: when a period that still goes on will have ended, of which the window has no end: this week. ``rough``: as of :class:`Period`.
    """

    first: int
    last: int
    start: date | None
    end: date | None
    future: bool = False
    yearless: bool = False
    over: date | None = None
    rough: int = 0
