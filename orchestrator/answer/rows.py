"""Lines that stand in an order of their own: rows of a roster that the question's days fall into, lines of a log, items that are open or done.

A line of a log begins with the day on which it was written down: "3 August: 14 short", "11월 24일 - 4벌 부족". Items are boxes of a checklist, and rows
of a table with a cell that says so and nothing else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from connectors.trackers import DONE, OPEN
from orchestrator.answer.dates import DAYS_EN, DAYS_KO, MONTH, MONTHS, named_days
from orchestrator.answer.sentences import READ
from orchestrator.answer.text import quotable_line
from translators.letters import PAST_SYLLABLES
from translators.patterns import regex
from translators.query import Compare, Field, Op, State, Window
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.answer.dates import Named
    from orchestrator.answer.sentences import Sentence
    from translators.query import Query

BEHIND = regex(r"[)\]]|\s?(?:[:：|]|[–—-]\s)")  # what parts the day of an entry from what it says
LONGEST = 24  # characters of a day in words


def entered(text: str, written: datetime | None) -> datetime | None:
    """When a sentence was said: on the day that it begins with, where that lies behind ``written``, when the whole was last changed."""
    first = _first(text, written) if written else None
    if first is None or written is None or first.day >= written.date():
        return written
    return datetime.combine(first.day, time(12), written.tzinfo)


def _first(text: str, written: datetime) -> Named | None:
    """The day that an entry begins with."""
    head = text[:LONGEST].lstrip("([")
    days = named_days(head, written.date()) if head[:1].isdigit() or head[:3].casefold() in MONTHS else ()
    return days[0] if days and days[0].start == 0 and BEHIND.match(head, days[0].end) else None


WEEK = timedelta(days=7)
LEAST = 2  # rows that begin with a day make a roster
LONGER = 2  # times as long as its shortest row: a longer one has days behind it of which the roster does not tell
# A week that is spoken of, which a search for what was written then would not be: "next week", "이번 주말".
SPOKEN_OF = regex(r"(?:\bthis|이번|(?P<next>\bnext|다음))\s?(?:(?P<end>weekend\b|주말)|week\b|주)", re.IGNORECASE)
WEEKDAY = regex(rf"\b(?P<en>{'|'.join(DAYS_EN)})(?:s|nes|rs|ur)?day\b|(?P<ko>[{DAYS_KO}])요일", re.IGNORECASE)
SATURDAY = timedelta(days=5)  # from Monday on
DAY = timedelta(days=1)
# What was is asked for: the last such day or month is meant, and otherwise the one to come.
WAS = regex(
    rf"\b(?:last (?:week|weekend|month|year|[a-z]+day)|past|was|were|did|had)\b|지난|저번|작년|[{PAST_SYLLABLES}]",
    re.IGNORECASE,
)
# The week of a day: "the week of 14 December", "12월 14일 주에".
WEEK_OF = regex(
    r"\bweek (?:of|from|beginning|starting)\b|일\s?주(?:에|의|는|엔)?(?![가-힣])|일이? (?:있는|시작하는|속한) 주",
    re.IGNORECASE,
)
# Beside a day they make it a limit: what is asked for stands in more rows than that of the day.
LIMIT_EN = ("before", "after", "by", "until", "till", "since")
LIMIT_KO = ("이후", "부터", "까지", "이전", "전")
# A week by its number in the year (ISO 8601): "week 49", "49주차", and in a table what stands under the name of such a column.
WEEK_NUMBER = regex(r"\b(?:week|wk|cw)\.?\s?(?P<en>\d{1,2})\b|(?<!\d)(?P<ko>\d{1,2})주차", re.IGNORECASE)
NUMBERED = regex(r"(?P<said>(?:week|wk|cw|w)\.?\s?)?(?P<number>\d{1,2})(?P<ko>주차)?", re.IGNORECASE)  # a cell
WEEKS = regex(r"(?:calendar )?weeks?(?: no\.?| number)?|wk|cw|주차?|주간", re.IGNORECASE)
LAST_WEEK = 53
# A cell that is a month: "10월", "2026년 10월", "October", "Oct 2026".
OF_MONTH = regex(
    rf"(?:(?P<before>20\d\d)(?:년|[-./])?\s?)?(?:(?P<ko>\d{{1,2}})월|(?P<en>{MONTH}))(?:,?\s(?P<behind>20\d\d))?",
    re.IGNORECASE,
)
MONTH_LONG, DECEMBER = timedelta(days=31), 12


def window_of(query: Query, now: datetime | None) -> Window | None:
    """The days that a question is about: those that its sources were asked for, or this or the next week, which it names."""
    if query.as_of:
        return Window(query.as_of, query.as_of + timedelta(days=1), query.window.words if query.window else "")
    if now is None or query.window:
        return _coming(query, now)
    named = WEEK_NUMBER.search(query.text)
    if named and (start := _week(int(named["en"] or named["ko"]), now.date())):
        return Window(start, start + WEEK, named[0])
    if found := SPOKEN_OF.search(query.text):
        return _spoken_of(found, now.date())
    return _days_named(query, now) or _weekday(query.text, now.date())


def _spoken_of(found: re.Match[str], today: date) -> Window:
    """The week that is spoken of, its weekend, or the day of it that is named."""
    start = _monday(today) + WEEK * (found["next"] is not None)
    if found["end"]:
        return Window(start + SATURDAY, start + WEEK, found[0])
    return _weekday(found.string, start) or Window(start, start + WEEK, found[0])


def _coming(query: Query, now: datetime | None) -> Window | None:
    """The days that sources were asked for; of a day of the week or a month that has been, and that is not asked about as such, the next one.

    What was written then is asked for with the last one, and of a roster what is still to come.
    """
    asked = query.window
    if now is None or asked is None or asked.start is None or asked.end is None or WAS.search(query.text):
        return asked
    if asked.end > now.date() or any(each.isdigit() for each in asked.words.replace(str(asked.start.month), "", 1)):
        return asked
    if asked.end - asked.start == DAY and (day := _weekday(asked.words, now.date())):
        return day
    if asked.start.day == asked.end.day == 1 and asked.end - asked.start <= MONTH_LONG:
        later = now.year + (asked.start.month < now.month) - asked.start.year
        return Window(_years_on(asked.start, later), _years_on(asked.end, later), asked.words)
    return asked


def _years_on(day: date, years: int) -> date:
    return day.replace(year=day.year + years)


def _weekday(text: str, first: date) -> Window | None:
    """The first day of the week that a text names, from ``first`` on; nothing where what was is asked for."""
    named = None if WAS.search(text) else WEEKDAY.search(text)
    if named is None:
        return None
    place = DAYS_EN.index(named["en"].lower()) if named["en"] else DAYS_KO.index(named["ko"])
    day = first + timedelta(days=(place - first.weekday()) % 7)
    return Window(day, day + DAY, named[0])


def _days_named(query: Query, now: datetime) -> Window | None:
    """From the first to the last day that a question names, or the week from Monday on in which the first lies; nothing where a day is a limit."""
    text, found = query.text, named_days(query.text, now.date())
    if not found or text[: found[0].start].rstrip().lower().endswith(LIMIT_EN):
        return None
    if text[found[-1].end :].lstrip().startswith(LIMIT_KO):
        return None
    days = [each.day for each in found]
    words = text[found[0].start : found[-1].end]
    if WEEK_OF.search(text):
        start = _monday(min(days))
        return Window(start, start + WEEK, words)
    return Window(min(days), max(days) + timedelta(days=1), words)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


@record
class WindowRows:
    """What is ``left`` of sentences without the rows of other days; the rows of rosters that hold then (``current``), and those of rosters of which none does (``stale``)."""

    left: tuple[Sentence, ...]
    current: frozenset[Sentence] = frozenset()
    stale: frozenset[Sentence] = frozenset()


def rows_of_window(found: Sequence[Sentence], window: Window | None, written: datetime | None) -> WindowRows:
    """The rows of rosters that the days of a window fall into: a row holds until the next begins."""
    if window is None or window.start is None or not any(each.table for each in found):
        return WindowRows(tuple(found))
    rosters: defaultdict[str, list[tuple[date, Sentence]]] = defaultdict(list)
    for each in found:
        if begun := _begins(each, written.date() if written else None):
            rosters[each.table].append((begun, each))
    dated = [sorted(rows, key=lambda row: row[0]) for rows in rosters.values() if len(rows) >= LEAST]
    current = frozenset(row for rows in dated for row in _current(rows, window))
    every = [frozenset(row for _, row in rows) for rows in dated]
    other = frozenset().union(*(rows for rows in every if rows & current)) - current
    stale = frozenset().union(*(rows for rows in every if not rows & current))
    return WindowRows(tuple(each for each in found if each not in other), current, stale)


def _begins(row: Sentence, written: date | None) -> date | None:
    """The day that the row of a table begins with, or the first of the week whose number it begins with."""
    first = row.text.partition(" | ")[0]
    if not row.table:
        return None
    if days := named_days(first, written):
        return days[0].day
    if written and (month := month_of(first, written)):
        return month
    week = NUMBERED.fullmatch(first)
    if written is None or week is None:
        return None
    is_week = week["said"] or week["ko"] or WEEKS.fullmatch(row.table.partition(" | ")[0])
    return _week(int(week["number"]), written) if is_week else None


def _around(near: date) -> Sequence[int]:
    """Its year, the one before and the one behind, as far as there are such."""
    return range(max(near.year - 1, date.min.year), min(near.year + 1, date.max.year) + 1)


def month_of(cell: str, near: date) -> date | None:
    """The first day of the month that a cell names and nothing else."""
    named = OF_MONTH.fullmatch(cell)
    return _month(named, near) if named else None


def _month(named: re.Match[str], near: date) -> date | None:
    """The first day of a month: of its year, or of the nearest."""
    number = int(named["ko"]) if named["ko"] else MONTHS.index(named["en"][:3].lower()) + 1
    if not 1 <= number <= DECEMBER:
        return None
    year = named["before"] or named["behind"]
    years = (int(year),) if year else _around(near)
    return min((date(each, number, 1) for each in years), key=lambda day: abs(day - near))


def _week(number: int, near: date) -> date | None:
    """The Monday of the week of this number that is nearest to a day."""
    if not 1 <= number <= LAST_WEEK:
        return None
    mondays = [
        date.fromisocalendar(year, min(number, date(year, 12, 28).isocalendar().week), 1) for year in _around(near)
    ]
    return min(mondays, key=lambda monday: abs(monday - near))


def _current(rows: list[tuple[date, Sentence]], window: Window) -> list[Sentence]:
    assert window.start is not None
    end = window.end or window.start + WEEK  # "this week" may still go on
    inside = [row for day, row in rows if window.start <= day < end]
    before = [each for each in rows if each[0] < window.start]
    if inside or not before:
        return inside
    days = sorted({day for day, _ in rows})  # several may begin on one: who is first, and who second
    begun = before[-1][0]
    shortest = min((later - earlier for earlier, later in pairwise(days)), default=WEEK)
    following = next((day for day in days if day > begun), None)
    # Else the roster has ended, or tells of some days only: its Sunday does not hold until the Saturday behind it.
    goes_on = following is not None and following - begun < LONGER * shortest
    holds = goes_on or window.start - begun < shortest
    return [row for day, row in before if day == begun] if holds else []


BOXED = regex(r"[ \t]{0,40}(?:[-*+•][ \t]{1,9})?(?:(?P<open>☐|\[ ?\])|(?:[☑✅✔]|\[[xX]\]))[ \t]{1,9}(?P<name>\S.*)")
NUMBER = regex(r"\W{0,3}\d{0,4}\W{0,3}")
"""Which row it is: no name of anything."""
TOLD_MORE = regex(r"[ \t]{0,3}[,;:(–—]|[ \t]-[ \t]")


def asked_state(query: Query) -> State | None:
    """Whether what is open or what is done is asked for, as far as the question says."""
    states = (each.clause for each in query.implied if isinstance(each.clause, Compare))
    found = (each.value for each in states if each.field is Field.STATE and each.op is Op.EQ)
    return next((each for each in found if isinstance(each, State)), None)


def items_of(text: str, state: State | None) -> tuple[str, ...]:
    """What is open, or done, as the text calls it, in order; nothing where no state is asked for."""
    if state is None:
        return ()
    wanted = state is State.OPEN
    return tuple(name for name, is_open in _items(text[:READ]) if is_open is wanted)


def tally(text: str) -> tuple[int, int]:
    """How many of the items that a text lists are done, and how many there are; one item is no list."""
    found = [is_open for _, is_open in _items(text[:READ])]
    return (found.count(False), len(found)) if len(found) > 1 else (0, 0)


def _items(text: str) -> Iterator[tuple[str, bool]]:
    for line in text.split("\n"):
        if box := BOXED.match(line):
            yield quotable_line(box["name"]), box["open"] is not None
        elif "|" in line:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            marks = [mark for cell in cells[1:] if (mark := _mark(cell)) is not None]
            named = next((each for each in cells if not NUMBER.fullmatch(each) and _mark(each) is None), cells[0])
            if named and len(marks) == 1:
                yield quotable_line(named), marks[0]


def _mark(cell: str) -> bool | None:
    """Whether a cell says that something is open, or that it is done; what follows behind a comma or in brackets says more of that."""
    said = TOLD_MORE.split(cell, maxsplit=1)[0]
    if OPEN.fullmatch(said):
        return True
    return False if DONE.fullmatch(said) else None
