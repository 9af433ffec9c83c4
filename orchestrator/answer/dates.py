"""Dates named in Korean and English text, as days: "10월 22일", "22 October", "10/22" and "2026-10-22" are one.

When results happened, as days in the asker's zone.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.answer.tense import Tense, tense_of
from translators.match import happened
from translators.patterns import regex
from translators.records import record
from translators.said import Said, filled_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from connectors.contract import Hit


def day_of(hit: Hit, now: datetime) -> date | None:
    """The day in the zone of ``now``; ``None`` without a date."""
    when = happened(hit)
    return None if when is None else when.astimezone(now.tzinfo).date()


def day(hit: Hit, now: datetime) -> str:
    """``2025-01-31`` in the zone of ``now``; "" without a date."""
    return day_at(happened(hit), now)


def day_at(when: datetime | None, now: datetime) -> str:
    """The same of a moment. What is newer is greater, and all of one day is the same."""
    return "" if when is None else when.astimezone(now.tzinfo).date().isoformat()


def newest_first(when: datetime | None) -> float:
    """A key to sort by; what is undated comes last."""
    return float("inf") if when is None else -when.timestamp()


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NAMES = (
    Said("January", context="month"),
    Said("February", context="month"),
    Said("March", context="month"),
    Said("April", context="month"),
    Said("May", context="month"),
    Said("June", context="month"),
    Said("July", context="month"),
    Said("August", context="month"),
    Said("September", context="month"),
    Said("October", context="month"),
    Said("November", context="month"),
    Said("December", context="month"),
)
WRITTEN_OUT = Said("{day} {month} {year}")
MONTH = rf"(?:{'|'.join(each.lower() for each in NAMES)}|{'|'.join(MONTHS)}|sept)(?![a-z])\.?"
# Years counted from that of the text: "내년 3월 31일", "31 March next year".
YEARS = {
    "올해": 0, "금년": 0, "this": 0,
    "다음해": 1, "내년": 1, "이듬해": 1, "next": 1, "following": 1,
    "작년": -1, "지난해": -1, "last": -1,
}  # fmt: skip
YEAR_OF = r"(?P<{name}>this|next|last|(?:the\s)?following)\syear"
# "18/21 people", "3/4 done": a share, no day.
SHARE = r"(?!\s?(?:명|개|건|곳|people|tasks|services|items|done|enrolled|of\b|완료|진행|성공))"

NAMED = regex(
    r"(?<![\d.])(?P<y1>\d{4})\s?[-./]\s?(?P<m1>\d{1,2})\s?[-./]\s?(?P<d1>\d{1,2})(?!\d)"
    r"|(?:(?P<y2>\d{4})년\s?|(?P<r2>올해|금년|다음\s?해|내년|이듬해|작년|지난해)\s?)?(?P<m2>\d{1,2})월\s?(?P<d2>\d{1,2})(?:일?\s?[~–-]\s?(?P<e2>\d{1,2}))?일"
    rf"|(?<![\d/.-])(?P<m3>\d{{1,2}})/(?P<d3>\d{{1,2}})(?![\d/]){SHARE}"
    rf"|\b(?:(?P<b4>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[–~-]\s?|\s(?:to|and)\s)(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}\s)?)?(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m4>{MONTH})(?![a-z])(?:,?\s(?:(?P<y4>\d{{4}})\b|{YEAR_OF.format(name='r4')}))?"
    rf"|\b(?P<m5>{MONTH})\s(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:){SHARE}(?:,?\s(?:(?P<y5>\d{{4}})\b|{YEAR_OF.format(name='r5')}))?"
    r"|(?P<near>오늘|어제|내일|\btoday\b|\byesterday\b|\btomorrow\b)",
    re.IGNORECASE,
)
WITHOUT_DIGITS = "오늘", "어제", "내일", "today", "yesterday", "tomorrow"
# In a text without capitals; letters that stand for others there are none of these months' first three.
MONTH_AND_DAY = regex(rf"(?:{'|'.join(MONTHS)})\S{{0,8}}\s\d|\d\S{{0,2}}\s(?:of\s)?(?:{'|'.join(MONTHS)})")
BY_DIGITS = regex(r"\d\s?[-./월]\s?\d")
SLACK = timedelta(days=60)  # by which a day may still lie on the other side of the writing than the sentence says
# A day farther off than this lies nearly as far on the other side, a year from there: nobody can tell which is meant.
PLAIN = timedelta(days=120)
BESIDE = 16  # characters between the days of one move or range that are looked at
JOINED = regex(
    r"→|⇒|->|=>|~|[–-]|에서|부터|기존|당초|이전|\b(?:to|not|instead|rather|was|previously|formerly)\b", re.IGNORECASE
)
DAYS_EN, DAYS_KO = ("mon", "tue", "wed", "thu", "fri", "sat", "sun"), "월화수목금토일"
DAY_EN = r"(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?"
# The day of the week beside a day: "Monday 10 May", "10월 22일(목)", "22 October, Thursday". It tells the year.
WEEKDAY_BEFORE = regex(rf"\b{DAY_EN},?\s(?:the\s)?$", re.IGNORECASE)
WEEKDAY_BEHIND = regex(
    rf"일?\s?(?:\(([{DAYS_KO}])(?:요일)?\)|([{DAYS_KO}])요일|[,(]\s?{DAY_EN}(?![a-z]))", re.IGNORECASE
)
NEAR = {"오늘": 0, "today": 0, "어제": -1, "yesterday": -1, "내일": 1, "tomorrow": 1}


@record
class Named:
    """A day that a text names, and where in the text. ``sure``: its year is written or told by the sentence, or there is only one near."""

    day: date
    start: int
    end: int
    sure: bool = True


@lru_cache(maxsize=1024)
def named_days(text: str, written: date | None) -> tuple[Named, ...]:
    """In order. A day without a year falls on the day of the week beside it, or lies ahead of when the text was written or behind it, as its sentence says, and is else the nearest.

    Where nobody knows when that was, it is no day.
    """
    return tuple(_read(text, written))


def days(text: str, written: date | None) -> frozenset[date]:
    """The distinct days that a text names."""
    return frozenset(each.day for each in named_days(text, written))


def day_in_words(day: date, language: str) -> str:
    """As the asker writes it: ``2026년 11월 3일``, ``3 November 2026``."""
    return filled_in(WRITTEN_OUT, language, day=day.day, month=NAMES[day.month - 1], year=day.year)


def may_name_day(text: str) -> bool:
    """A quick test that every text passes which names one: in most others no digit stands beside a month, such as the one that "decided" begins with."""
    if BY_DIGITS.search(text):
        return True
    folded = text.casefold()
    if any(near in folded for near in WITHOUT_DIGITS):
        return True
    return any(month in folded for month in MONTHS) and MONTH_AND_DAY.search(folded) is not None


def _read(text: str, written: date | None) -> Iterator[Named]:
    if not may_name_day(text):
        return
    found = [(match, day) for match in NAMED.finditer(text) if (day := _day(match, written)) is not None]
    for place, (match, nearest) in enumerate(found):
        day, sure = nearest, True
        if written and not _has_year(match):
            day, sure = _placed(found, place, written)
        yield from _both_ends(match, day, sure=sure)


def _placed(found: Sequence[tuple[re.Match[str], date]], place: int, written: date) -> tuple[date, bool]:
    """A day without a year where its sentence, or the other day of the same move, puts it, and whether they do."""
    match, nearest = found[place]
    if on_weekday := _on_weekday(match, nearest, written):
        return on_weekday, True
    told = tense_of(match.string, *match.span())
    for other, day in (*found[place + 1 : place + 2], *found[max(0, place - 1) : place]):
        first, second = sorted((match, other), key=re.Match.start)
        if not JOINED.search(match.string[first.end() : second.start()][:BESIDE]):
            continue
        if _has_year(other):
            return _on_its_side(_nearest(nearest.month, nearest.day, day) or nearest, day, told), True
        if other is second and not told:
            told = tense_of(other.string, *other.span())
            told = told if told is Tense.AHEAD else None
    return _on_its_side(nearest, written, told), told is not None or abs(nearest - written) <= PLAIN


def _on_weekday(match: re.Match[str], day: date, written: date) -> date | None:
    """In the year in which it falls on the day of the week that is said beside it; none where none is said, or no year near is meant.

    Of "Tuesday 9 to 10 June" and "22~23일(금)", the first and the last day fall on it.
    """
    before = WEEKDAY_BEFORE.search(match.string[max(0, match.start() - BESIDE) : match.start()])
    behind = WEEKDAY_BEHIND.match(match.string, match.end())
    said = before or behind
    if not said:
        return None
    named = said[said.lastindex or 0].casefold()
    wanted = DAYS_KO.index(named) if named in DAYS_KO else DAYS_EN.index(named)
    number = int(match["b4" if before else "e2"] or day.day)
    years = (each.year for each in _near(day.month, number, written) if each.weekday() == wanted)
    return next((_valid(year, day.month, day.day) for year in years), None)


def _both_ends(match: re.Match[str], day: date, *, sure: bool) -> Iterator[Named]:
    """The day; of "23~24일" and "9 to 11 June", which name a month once, the first and the last."""
    groups = match.groupdict()
    name = next((each for each in ("b4", "e2") if groups[each]), "")
    other = _valid(day.year, day.month, int(groups[name])) if name else None
    if other is None:
        yield Named(day, match.start(), match.end(), sure)
        return
    own = "d4" if name == "b4" else "d2"
    first, last = sorted(((day, own), (other, name)), key=lambda each: match.start(each[1]))
    end = match.end(first[1])
    yield Named(first[0], match.start(), end + match.string.startswith("일", end), sure)
    yield Named(last[0], match.start(last[1]), match.end(), sure)


def _has_year(match: re.Match[str]) -> bool:
    """Or needs none: "오늘", "tomorrow"."""
    return any(value for name, value in match.groupdict().items() if name[0] in "yrn")


def _on_its_side(day: date, written: date, told: Tense | None) -> date:
    """What is planned or due is not long past when somebody names it, and what is done not far ahead."""
    if told is Tense.AHEAD and day < written - SLACK:
        return _valid(day.year + 1, day.month, day.day) or day
    if told is Tense.BEHIND and day > written + SLACK:
        return _valid(day.year - 1, day.month, day.day) or day
    return day


def _day(match: re.Match[str], written: date | None) -> date | None:
    if match["near"]:
        return written + timedelta(days=NEAR[match["near"].casefold()]) if written else None
    found = {name[0]: value for name, value in match.groupdict().items() if value}
    month, day = _month(found["m"]), int(found["d"])
    if "y" in found:
        return _valid(int(found["y"]), month, day)
    if written is None:
        return None
    if "r" in found:
        return _valid(written.year + YEARS["".join(found["r"].casefold().removeprefix("the ").split())], month, day)
    return _nearest(month, day, written)


def _nearest(month: int, day: int, to: date) -> date | None:
    return min(_near(month, day, to), key=lambda each: abs((each - to).days), default=None)


def _near(month: int, day: int, to: date) -> Iterator[date]:
    """In its year, the next and the one before."""
    return filter(None, (_valid(year, month, day) for year in (to.year, to.year + 1, to.year - 1)))


def _month(text: str) -> int:
    return int(text) if text.isdecimal() else MONTHS.index(text[:3].casefold()) + 1


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
