"""A text that names the month or the day of a period, in either language, speaks of it, whenever it was written: what October brought is told in November."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from translators.patterns import regex
from translators.query import Compare, Op

if TYPE_CHECKING:
    import re

    from connectors.contract import Hit
    from translators.query import Implied, Query

# fmt: off
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
# fmt: on
HALF_A_MONTH = timedelta(
    days=14
)  # the least that a month's name tells: the end of October is said to be October, a week of it seldom
NEAR = timedelta(days=183)  # a month named without its year is the nearest
MOST_KEPT = 64


def speaks_of(hit: Hit, implied: Implied, query: Query) -> bool:
    """Whether a hit names the one month or the one day that is asked for by ``implied`` and what stands with it; one written half a year away means another."""
    since, until = _bounds(implied, query)
    written = hit.created or hit.updated
    if since is None or until is None or written is None or not since - NEAR < written < until + NEAR:
        return False
    last = until - timedelta(microseconds=1)
    if (since.year, since.month) != (last.year, last.month):
        return False
    day = since.day if since.day == last.day else 0
    if not day and until - since < HALF_A_MONTH:
        return False
    return _named(since.month, day).search(f"{hit.title}\n{hit.snippet}") is not None


def _bounds(implied: Implied, query: Query) -> tuple[datetime | None, datetime | None]:
    """From when on and before when, as far as the same words of the question say."""
    same = [each.clause for each in query.implied if each.words == implied.words]
    bounds = {each.op: each.value for each in same if isinstance(each, Compare) and isinstance(each.value, datetime)}
    return bounds.get(Op.GE), bounds.get(Op.LT)


@lru_cache(maxsize=MOST_KEPT)
def _named(month: int, day: int) -> re.Pattern[str]:
    """With its capital: may is no month."""
    name = MONTHS[month - 1]
    english = rf"{name}|{name[:3]}" if name != "May" else name
    if not day:
        return regex(rf"(?<!\d){month}\s?월|\b(?:{english})\b")
    return regex(
        rf"(?<!\d){month}\s?월\s?{day}\s?일|(?<![\d/.-]){month}/{day}(?![\d/])|\b(?:{english})\.? {day}(?!\d)|(?<!\d){day}(?:st|nd|rd|th)? (?:of )?(?:{english})\b"
    )
