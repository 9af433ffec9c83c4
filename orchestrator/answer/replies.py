"""The reply to whoever asks what is asked: it answers, and seldom says the question's words again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.own import conversation_of, is_asking
from orchestrator.model import NAMED
from translators.match import happened, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.model import Outcome, Result
    from translators.query import Query


def with_reply(results: Sequence[Result], outcomes: Iterable[Outcome], query: Query) -> tuple[Result, ...]:
    """The results, behind a first one that asks the next message of its thread by somebody else, if that came back too and stands nowhere.

    Where it is asked what held on a day, nothing said later is taken in; nor is anything beside a message that is asked for by its address.
    """
    first = results[0] if results else None
    if first is None or query.as_of or NAMED in first.factors or not is_asking(first.hit):
        return tuple(results)
    reply = min(_replies(first.hit, outcomes), key=lambda each: each[0], default=None)
    known = {(each.hit.source, each.hit.id) for each in results}
    if reply is None or (reply[1].source, reply[1].id) in known or matches(query.typed, reply[1]) is False:
        return tuple(results)
    return (first, replace(first, hit=reply[1], why=(), also=(), related=()), *results[1:])


def _replies(asked: Hit, outcomes: Iterable[Outcome]) -> Iterator[tuple[tuple[datetime, str], Hit]]:
    said, where = happened(asked), conversation_of(asked)
    for hit in (hit for outcome in outcomes if outcome.source == asked.source for hit in outcome.hits):
        when = happened(hit)
        if said and when and when > said and hit.author != asked.author and conversation_of(hit) == where:
            yield (when, hit.id), hit
