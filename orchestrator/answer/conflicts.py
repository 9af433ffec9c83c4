"""Statements on the same matter that contradict each other, shown with their days in order, and never settled silently.

Only what can be claimed honestly without understanding the text: decisions that hold the same words of the question,
from different results on different days, where the newer one says that something changed, where both set days for one
matter and none in common, or where they are the same words but for one. A day that something was moved away from, or
that a sentence says will not do, is no day that it sets. If the newer one says that it changes something, it replaces
the older one, and a third decision lengthens the chain. Everything else is left to the reader.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import nlargest
from itertools import combinations
from typing import TYPE_CHECKING

from orchestrator.answer.choosing import repeats
from orchestrator.answer.cover import wanted
from orchestrator.answer.dates import day_at
from orchestrator.answer.moves import left
from orchestrator.answer.revoked import day_moves
from orchestrator.answer.signals import changes, denies, signals
from orchestrator.answer.text import STOP
from orchestrator.answer.wording import say
from translators.match import HANGUL, words
from translators.query import QueryType
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from orchestrator.answer.quote import Quote
    from translators.query import Query

MOST = 2
COMPARED = 40  # decisions: 780 pairs
COVERAGE = 0.6  # of the question's words, the same ones in both sentences or their titles
SHARED = 3  # telling words that two statements share at least, if they differ in one
TELLING = 2  # syllables of a Korean word that must differ: what follows is an ending


@record
class Conflict:
    """Two statements or more, oldest first; ``replaced``: each says that it changes what was before."""

    sides: tuple[Quote, ...]
    replaced: bool


def find_conflicts(
    quotes: Sequence[Quote], holding: Sequence[Quote], query: Query, now: datetime
) -> tuple[Conflict, ...]:
    """At most two, each with at least two sides; none that something newer has settled since. ``holding``: those of the quotes that still hold."""
    least = COVERAGE * len(wanted(query))
    decisions = [_Statement.of(quote, now) for quote in _decisions(quotes, least)]
    seen: dict[frozenset[int], Conflict] = {}
    for one, other in combinations(decisions, 2):
        pair = frozenset((one.quote.number, other.quote.number))
        if pair not in seen and len(one.quote.held & other.quote.held) >= least and _differ(one, other):
            sides = tuple(sorted((one.quote, other.quote), key=_when))
            seen[pair] = Conflict(sides, changes(sides[-1].words))
    holds = {id(quote) for quote in holding}
    return tuple(each for each in _chained(tuple(seen.values())) if id(each.sides[-1]) in holds)[:MOST]


def _decisions(quotes: Sequence[Quote], least: float) -> list[Quote]:
    """Those that decide something on the matter, in their order; of very many the ones that answer best, as each is held against each."""
    found = [
        quote for quote in quotes if quote.own and len(quote.held) >= least and signals(QueryType.DECISION, quote.words)
    ]
    best = nlargest(COMPARED, range(len(found)), key=lambda at: found[at].score)
    return [found[at] for at in sorted(best)]


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


@record
class _Statement:
    """A decision, the day it is from, the days that it sets and those that it moves away from; in the asker's zone."""

    quote: Quote
    told: str
    set: frozenset[date]
    left: frozenset[date]

    @classmethod
    def of(cls, quote: Quote, now: datetime) -> _Statement:
        """Read once, and held against each of the others."""
        found = day_moves(quote, now)
        gone = left(found)
        return cls(quote, day_at(quote.when, now), frozenset(each.day for each in found) - gone, gone)


def _differ(one: _Statement, other: _Statement) -> bool:
    if one.quote.number == other.quote.number or not one.told or not other.told or one.told == other.told:
        return False
    before, after = sorted((one, other), key=lambda each: _when(each.quote))
    older, newer = before.quote.words, after.quote.words
    changed = changes(newer)
    same = before.set & after.set
    if same:  # told again, unless only the newer one says that something changed, and on a day gone by
        moved = before.left or after.left
        ahead = max(same).isoformat() >= max(one.told, other.told)
        again = moved or ahead or changes(older) or repeats(one.quote.words, other.quote.words)
        return changed and not again
    if before.set and after.set:
        denied = any(denies(each.quote.words) for each in (before, after) if not each.left)
        return bool(before.set & after.left) or (not denied and bool(one.quote.own & other.quote.own))
    return changed or _differ_in_one(one.quote.words, other.quote.words)


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


def describe_conflict(conflict: Conflict, query: Query, now: datetime) -> str:
    """Every side with its day, in order, in the asker's language."""
    between = " → " if conflict.replaced else "; "
    told = between.join(f"{day_at(each.when, now)} “{each.shown}” [{each.number}]" for each in conflict.sides)
    return say(query, "replaced" if conflict.replaced else "conflict", told=told)
