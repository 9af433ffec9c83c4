"""A text that names the month or the day of a period, in either language, speaks of it, whenever it was written: what October brought is told in November."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from translators.months import MONTH_NAMES
from translators.patterns import regex
from translators.query import Compare, Op

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from connectors.contract import Hit
    from translators.query import Implied, Query

HALF_A_MONTH = timedelta(days=14)  # the least that is called by a month's name: its end is, a week of it seldom
MONTHS_AT_MOST = 3
NEAR = timedelta(days=183)  # a month named without its year is the nearest
MOST_KEPT = 64


def speaks_of(hit: Hit, implied: Implied, query: Query) -> bool:
    """Whether a hit names the day, or one of up to :data:`MONTHS_AT_MOST` months, that ``implied`` and what stands with it ask for; one written half a year away means another."""
    since, until = _bounds(implied, query)
    written = hit.created or hit.updated
    if since is None or until is None or written is None or not since - NEAR < written < until + NEAR:
        return False
    text = f"{hit.title}\n{hit.snippet}"
    return any(_named(month, day).search(text) for month, day in _days(since, until))


def _days(since: datetime, until: datetime) -> Iterator[tuple[int, int]]:
    """The months that are asked for, with 0 for a day, or the one day; nothing for a week or a long time."""
    last = until - timedelta(microseconds=1)
    later = 12 * (last.year - since.year) + last.month - since.month
    if since.date() == last.date():
        yield since.month, since.day
        return
    of_one = not later and until - since >= HALF_A_MONTH
    whole = since.day == until.day == 1 and later < MONTHS_AT_MOST
    if of_one or whole:
        yield from (((since.month - 1 + each) % 12 + 1, 0) for each in range(later + 1))


def _bounds(implied: Implied, query: Query) -> tuple[datetime | None, datetime | None]:
    """From when on and before when, as far as the same words of the question say."""
    same = [each.clause for each in query.implied if each.words == implied.words]
    bounds = {each.op: each.value for each in same if isinstance(each, Compare) and isinstance(each.value, datetime)}
    return bounds.get(Op.GE), bounds.get(Op.LT)


@lru_cache(maxsize=MOST_KEPT)
def _named(month: int, day: int) -> re.Pattern[str]:
    """With its capital: may is no month."""
    name = MONTH_NAMES[month - 1].title()
    english = rf"{name}|{name[:3]}" if name != "May" else name
    if not day:
        return regex(rf"(?<!\d){month}\s?월|\b(?:{english})\b")
    return regex(
        rf"(?<!\d){month}\s?월\s?{day}\s?일|(?<![\d/.-]){month}/{day}(?![\d/])|\b(?:{english})\.? {day}(?!\d)|(?<!\d){day}(?:st|nd|rd|th)? (?:of )?(?:{english})\b"
    )
