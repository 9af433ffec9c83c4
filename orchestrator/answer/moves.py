"""How the days of a sentence belong together: moved from one to the next, from one until the next, or side by side.

Only what is written: an arrow, a day struck through, "from … to", "…에서 …로", "…말고 …" between two days. Two days in a sentence that speaks of a change
somewhere are two days.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.answer.dates import named_days
from orchestrator.answer.signals import MOVED
from orchestrator.answer.tense import WEEKDAY
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from orchestrator.answer.dates import Named

CLOCK = r"\d{1,2}:\d{2}"
# What may follow a day before the next: its weekday, the time of day.
BEHIND = rf"(?:\s?\([^()]{{1,9}}\))?(?:,?\s?{CLOCK}(?:\s?[~–-]\s?{CLOCK})?)?\s?"
# An arrow, or the end of what somebody struck through: "~~1 May~~ 7 June".
ARROW = regex(rf"{BEHIND}(?:→|⇒|->|=>|~~(?:\s?(?:→|⇒|->|=>))?)\s?{WEEKDAY}", re.IGNORECASE)
KOREAN_MOVE = regex(rf"{BEHIND}(?:에서|이?\s?아니라|말고|대신에?|[은는]\s(?:취소하고|안\s?되고|빼고))\s")
# "10 May is off, 17 May is on"; of two days that are off neither took the other's place.
OFF = regex(rf"{BEHIND}(?:is|was)\s(?:off|out|cancelled)[,;.]?\s(?:(?:and|but|so)\s)?{WEEKDAY}", re.IGNORECASE)
ON = regex(r"\s(?:is\son|it\sis|instead)\b", re.IGNORECASE)
TO = regex(rf"{BEHIND}to\s(?:the\s)?{WEEKDAY}", re.IGNORECASE)
UNTIL = regex(rf"{BEHIND}(?:[~–—-]|부터|until|till|through)\s?{WEEKDAY}", re.IGNORECASE)
INSTEAD = regex(
    rf"{BEHIND}(?:,?\s?(?:not|instead of|rather than|was|previously)\s{WEEKDAY}|\((?:was|previously|formerly|기존|당초|이전)[\s:]\s?)",
    re.IGNORECASE,
)
HINT = regex(
    r"→|⇒|->|=>|~~|^[^\d\n]*+\d.*(?:에서|아니라|말고|대신|취소하고|되고|빼고|\b(?:to|not|instead|rather|was|off|out|cancelled|previously|formerly)\b|기존|당초|이전)",
    re.IGNORECASE | re.MULTILINE,
)
VERB = 40  # characters before "from" in which something is said to move


class Tie(Enum):
    """How a day is tied to the one before it."""

    BESIDE = ", "
    MOVED = " → "
    UNTIL = " – "


@record
class DayMove:
    """A day and how it is tied to the step before."""

    day: date
    tie: Tie = Tie.BESIDE


@lru_cache(maxsize=1024)  # each statement is held against all others
def steps(text: str, written: date | None) -> tuple[DayMove, ...]:
    """The days of a sentence in order, each told once; where one stands instead of another, the one it replaces first."""
    told: list[DayMove] = []
    for each in _steps(text, named_days(text, written)):
        if each.tie is not Tie.BESIDE or all(each.day != before.day for before in told):
            told.append(each)
    return tuple(told)


def may_move(text: str) -> bool:
    """A quick test that every sentence passes in which a day is left for another."""
    return HINT.search(text) is not None


def left(found: tuple[DayMove, ...]) -> frozenset[date]:
    """The days that something was moved away from."""
    return frozenset(one.day for one, other in pairwise(found) if other.tie is Tie.MOVED)


def _steps(text: str, found: tuple[Named, ...]) -> Iterator[DayMove]:
    pairs = iter(pairwise(found))
    if found and not (len(found) > 1 and _replaces(text, found[0], found[1])):
        yield DayMove(found[0].day)
    for one, other in pairs:
        if _replaces(text, one, other):
            yield DayMove(other.day)
            yield DayMove(one.day, Tie.MOVED)
        else:
            yield DayMove(other.day, _tie(text, one, other))


def _replaces(text: str, one: Named, other: Named) -> bool:
    return one.day != other.day and INSTEAD.fullmatch(text, one.end, other.start) is not None


def _tie(text: str, one: Named, other: Named) -> Tie:
    between = one.end, other.start
    if one.day == other.day:
        return Tie.BESIDE
    if ARROW.fullmatch(text, *between) or KOREAN_MOVE.fullmatch(text, *between):
        return Tie.MOVED
    if OFF.fullmatch(text, *between) and ON.match(text, other.end):
        return Tie.MOVED
    if TO.fullmatch(text, *between) and MOVED.search(text, max(0, one.start - VERB), one.start):
        return Tie.MOVED
    spans = UNTIL.fullmatch(text, *between) or TO.fullmatch(text, *between)
    return Tie.UNTIL if spans and one.day < other.day else Tie.BESIDE
