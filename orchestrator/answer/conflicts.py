"""Statements on the same matter that cannot both hold, shown with their days and never settled silently.

Only what can be claimed honestly without understanding the text: two decisions that hold the same words of the
question, from different results on different days, where the newer one says that something changed, or both name dates
and none in common. Everything else is left to the reader.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from orchestrator.answer.cover import wanted
from orchestrator.answer.moments import day
from orchestrator.answer.signals import CHANGED, dates, signals
from orchestrator.answer.wording import say
from translators.match import happened
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.answer.quotes import Quote
    from translators.query import Query

MOST = 2
COVERAGE = 0.6  # of the question's words, the same ones in both sentences or their titles


Conflict = tuple["Quote", "Quote"]  # the older statement, the newer one


def find_conflicts(quotes: Sequence[Quote], query: Query, now: datetime) -> tuple[Conflict, ...]:
    """At most two."""
    decisions = [quote for quote in quotes if quote.own and signals(QueryType.DECISION, quote.words)]
    least = COVERAGE * len(wanted(query))
    seen: dict[frozenset[int], Conflict] = {}
    for one, other in combinations(decisions, 2):
        pair = frozenset((one.number, other.number))
        if pair not in seen and len(one.held & other.held) >= least and _differ(one, other, now):
            older, newer = sorted((one, other), key=_when)
            seen[pair] = (older, newer)
    return tuple(seen.values())[:MOST]


def _differ(one: Quote, other: Quote, now: datetime) -> bool:
    if one.number == other.number or not day(one.result.hit, now) or not day(other.result.hit, now):
        return False
    if day(one.result.hit, now) == day(other.result.hit, now):
        return False
    first, second = dates(one.words), dates(other.words)
    if first and second:
        return not first & second
    newer = max((one, other), key=_when)
    return CHANGED.search(newer.words) is not None


def _when(quote: Quote) -> float:
    when = happened(quote.result.hit)
    return when.timestamp() if when else float("-inf")


def describe(conflict: Conflict, query: Query, now: datetime) -> str:
    """Both sides in the asker's language."""
    older, newer = conflict
    return say(
        query,
        "conflict",
        old_day=day(older.result.hit, now),
        old=older.shown,
        old_number=older.number,
        new_day=day(newer.result.hit, now),
        new=newer.shown,
        new_number=newer.number,
    )
