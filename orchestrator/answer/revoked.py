"""What no longer holds: days that something newer moved away from. A date that was given up is no answer to "when"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.cover import wanted
from orchestrator.answer.moments import day_of
from orchestrator.answer.moves import Step, left, may_move, steps
from translators.match import happened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from orchestrator.answer.quotes import Quote
    from translators.query import Query

SHARED = 0.5  # of the question's words that two statements both hold: they are on the same matter


def standing(quotes: Sequence[Quote], query: Query, now: datetime) -> tuple[Quote, ...]:
    """Without the statements all whose days were moved away from later; all of them where none would be left."""
    least = SHARED * len(wanted(query))
    told = [quote for quote in quotes if len(quote.held) >= least]
    moves = [(each, gone) for each in told if may_move(each.words) and (gone := left(steps_of(each, now)))]
    if not moves:
        return tuple(quotes)
    revoked = {id(each) for each in told if _is_revoked(each, steps_of(each, now), moves, least)}
    return tuple(each for each in quotes if id(each) not in revoked) or tuple(quotes)


def steps_of(quote: Quote, now: datetime) -> tuple[Step, ...]:
    """The days that a statement names, in the asker's zone."""
    return steps(quote.words, day_of(quote.result.hit, now))


def _is_revoked(
    quote: Quote, found: tuple[Step, ...], moves: Sequence[tuple[Quote, frozenset[date]]], least: float
) -> bool:
    said = happened(quote.result.hit)
    if said is None:
        return False
    named = {each.day for each in found} - left(found)
    later = (
        gone
        for other, gone in moves
        if (then := happened(other.result.hit)) and then > said and len(quote.held & other.held) >= least
    )
    return bool(named) and named <= frozenset().union(*later)
