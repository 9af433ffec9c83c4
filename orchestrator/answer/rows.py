"""Rows of a roster: of a table whose rows begin with days, those that the question's days fall into."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING

from orchestrator.answer.dates import named_days
from translators.patterns import regex
from translators.query import Window

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.answer.sentences import Sentence
    from translators.query import Query

WEEK = timedelta(days=7)
LEAST = 2  # rows that begin with a day make a roster
# A week that is spoken of, which a search for what was written then would not be: "next week", "이번 주말".
SPOKEN_OF = regex(r"(?:\bthis|이번|(?P<next>\bnext|다음))\s?(?:week(?:end)?\b|주)", re.IGNORECASE)
# A week by its number in the year (ISO 8601): "week 49", "49주차", and in a table what stands under the name of such a column.
WEEK_NUMBER = regex(r"\b(?:week|wk|cw)\.?\s?(?P<en>\d{1,2})\b|(?<!\d)(?P<ko>\d{1,2})주차", re.IGNORECASE)
NUMBERED = regex(r"(?P<said>(?:week|wk|cw|w)\.?\s?)?(?P<number>\d{1,2})(?P<ko>주차)?", re.IGNORECASE)  # a cell
WEEKS = regex(r"(?:calendar )?weeks?(?: no\.?| number)?|wk|cw|주차?|주간", re.IGNORECASE)
LAST_WEEK = 53


def window_of(query: Query, now: datetime | None) -> Window | None:
    """The days that a question is about: those that its sources were asked for, or this or the next week, which it names."""
    if query.as_of:
        return Window(query.as_of, query.as_of + timedelta(days=1), query.window.words if query.window else "")
    if now is None or query.window:
        return query.window
    named = WEEK_NUMBER.search(query.text)
    if named and (start := _week(int(named["en"] or named["ko"]), now.date())):
        return Window(start, start + WEEK, named[0])
    found = SPOKEN_OF.search(query.text)
    if not found:
        return None
    start = (now - timedelta(days=now.weekday())).date() + WEEK * (found["next"] is not None)
    return Window(start, start + WEEK, found[0])


def rows_of_window(
    found: Sequence[Sentence], window: Window | None, written: datetime | None
) -> tuple[tuple[Sentence, ...], frozenset[Sentence]]:
    """Without the rows of other days, and the rows that are left of rosters: a row holds until the next begins."""
    if window is None or window.start is None or not any(each.table for each in found):
        return tuple(found), frozenset()
    rosters: defaultdict[str, list[tuple[date, Sentence]]] = defaultdict(list)
    for each in found:
        if begun := _begins(each, written.date() if written else None):
            rosters[each.table].append((begun, each))
    dated = [sorted(rows, key=lambda row: row[0]) for rows in rosters.values() if len(rows) >= LEAST]
    current = frozenset(row for rows in dated for row in _current(rows, window))
    other = {row for rows in dated if current.intersection(row for _, row in rows) for _, row in rows} - current
    return tuple(each for each in found if each not in other), current


def _begins(row: Sentence, written: date | None) -> date | None:
    """The day that the row of a table begins with, or the first of the week whose number it begins with."""
    first = row.text.partition(" | ")[0]
    if not row.table:
        return None
    if days := named_days(first, written):
        return days[0].day
    week = NUMBERED.fullmatch(first)
    if written is None or week is None:
        return None
    is_week = week["said"] or week["ko"] or WEEKS.fullmatch(row.table.partition(" | ")[0])
    return _week(int(week["number"]), written) if is_week else None


def _week(number: int, near: date) -> date | None:
    """The Monday of the week of this number that is nearest to a day."""
    if not 1 <= number <= LAST_WEEK:
        return None
    years = (near.year + offset for offset in (-1, 0, 1))
    mondays = [date.fromisocalendar(year, min(number, date(year, 12, 28).isocalendar().week), 1) for year in years]
    return min(mondays, key=lambda monday: abs(monday - near))


def _current(rows: list[tuple[date, Sentence]], window: Window) -> list[Sentence]:
    assert window.start is not None
    end = window.end or window.start + WEEK  # "this week" may still go on
    inside = [row for day, row in rows if window.start <= day < end]
    return inside or [row for day, row in rows if day < window.start][-1:]
