"""Statements on the same matter that contradict each other, shown with their days in order, and never settled silently.

Only what can be claimed honestly without understanding the text: decisions that hold the same words of the question,
from different results on different days, where the newer one says that something changed, where both set days for one
matter and none in common, or where they are the same words but for one. A day that something was moved away from, or
that a sentence says will not do, is no day that it sets. If the newer one says that it changes something, it replaces
the older one, and a third decision lengthens the chain. Everything else is left to the reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from orchestrator.answer.choosing import repeats
from orchestrator.answer.cover import wanted
from orchestrator.answer.moments import day_at
from orchestrator.answer.moves import left
from orchestrator.answer.revoked import steps_of
from orchestrator.answer.signals import changes, denies, signals
from orchestrator.answer.wording import STOP, say
from translators.match import HANGUL, words
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from orchestrator.answer.quote import Quote
    from translators.query import Query

MOST = 2
COVERAGE = 0.6  # of the question's words, the same ones in both sentences or their titles
SHARED = 3  # telling words that two statements share at least, if they differ in one
TELLING = 2  # syllables of a Korean word that must differ: what follows is an ending


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements or more, oldest first; ``replaced``: each says that it changes what was before."""

    sides: tuple[Quote, ...]
    replaced: bool


def find_conflicts(
    quotes: Sequence[Quote], holding: Sequence[Quote], query: Query, now: datetime
) -> tuple[Conflict, ...]:
    """At most two, each with at least two sides; none that something newer has settled since. ``holding``: those of the quotes that still hold."""
    decisions = [quote for quote in quotes if quote.own and signals(QueryType.DECISION, quote.words)]
    least = COVERAGE * len(wanted(query))
    seen: dict[frozenset[int], Conflict] = {}
    for one, other in combinations(decisions, 2):
        pair = frozenset((one.number, other.number))
        if pair not in seen and len(one.held & other.held) >= least and _differ(one, other, now):
            older, newer = sorted((one, other), key=_when)
            seen[pair] = Conflict((older, newer), changes(newer.words))
    holds = {id(quote) for quote in holding}
    return tuple(each for each in _chained(tuple(seen.values())) if id(each.sides[-1]) in holds)[:MOST]


def _chained(pairs: tuple[Conflict, ...]) -> tuple[Conflict, ...]:
    """A replaces B and B replaces C is one story; pairs of it are not told again."""
    for first, second in ((one, two) for one in pairs for two in pairs if one is not two):
        middle = first.sides[-1].number == second.sides[0].number
        if middle and first.replaced and second.replaced:
            chain = Conflict((*first.sides, *second.sides[1:]), replaced=True)
            told = {quote.number for quote in chain.sides}
            rest = tuple(each for each in pairs if not {quote.number for quote in each.sides} <= told)
            return (chain, *rest)
    return pairs


def _differ(one: Quote, other: Quote, now: datetime) -> bool:
    if one.number == other.number:
        return False
    told, then = day_at(one.when, now), day_at(other.when, now)
    if not told or not then or told == then:
        return False
    older, newer = sorted((one, other), key=_when)
    before, after = _Days.of(older, now), _Days.of(newer, now)
    changed = changes(newer.words)
    same = before.set & after.set
    if same:  # told again, unless only the newer one says that something changed, and on a day gone by
        moved = before.left or after.left
        ahead = max(same).isoformat() >= max(told, then)
        again = moved or ahead or changes(older.words) or repeats(one.words, other.words)
        return changed and not again
    if before.set and after.set:
        denied = any(denies(each.words) for each in (older, newer) if not _Days.of(each, now).left)
        return bool(before.set & after.left) or (not denied and bool(one.own & other.own))
    return changed or _differ_in_one(one.words, other.words)


@dataclass(frozen=True, slots=True)
class _Days:
    """The days that a statement sets, and those that it moves away from."""

    set: frozenset[date]
    left: frozenset[date]

    @classmethod
    def of(cls, quote: Quote, now: datetime) -> _Days:
        """In the asker's zone."""
        found = steps_of(quote, now)
        gone = left(found)
        return cls(frozenset(each.day for each in found) - gone, gone)


def _differ_in_one(one: str, other: str) -> bool:
    """The same words but for one on each side: "v2 is GraphQL", "v2 is REST"; not "the launch", "the launch party"."""
    first, second = _telling(one), _telling(other)
    mine = {word for word in first - second if not _is_in(word, second)}
    theirs = {word for word in second - first if not _is_in(word, first)}
    return len(mine) == len(theirs) == 1 and len(first) - 1 >= SHARED


@lru_cache(maxsize=1024)
def _telling(text: str) -> frozenset[str]:
    return frozenset(
        word for word in words(text) if word not in STOP and not (HANGUL.match(word) and len(word) < TELLING)
    )


def _is_in(word: str, others: frozenset[str]) -> bool:
    """As it stands, or with another Korean ending."""
    return word in others or (bool(HANGUL.match(word)) and any(word[:TELLING] == each[:TELLING] for each in others))


def _when(quote: Quote) -> float:
    return quote.when.timestamp() if quote.when else float("-inf")


def describe(conflict: Conflict, query: Query, now: datetime) -> str:
    """Every side with its day, in order, in the asker's language."""
    between = " → " if conflict.replaced else "; "
    told = between.join(f"{day_at(each.when, now)} “{each.shown}” [{each.number}]" for each in conflict.sides)
    return say(query, "replaced" if conflict.replaced else "conflict", told=told)
