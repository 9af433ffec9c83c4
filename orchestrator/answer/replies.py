"""What a thread goes on to say: the reply to whoever asks what is asked, and the value that comes last. Neither says the question's words again."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.corrected import may_correct
from orchestrator.answer.dates import NAMED as DAY
from orchestrator.answer.own import SPOKEN, conversation_of, is_asking
from orchestrator.answer.quotes import RESULTS
from orchestrator.answer.signals import DAY_ALONE
from orchestrator.answer.sound import Sound, sound_of
from orchestrator.model import NAMED
from translators.match import happened, matches
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.model import Outcome, Result
    from translators.query import Query

A_DAY = regex(f"{DAY.pattern}|{DAY_ALONE}", re.IGNORECASE)
HEADS = 3  # results, the best, whose threads are followed to the value that comes last


def with_reply(results: Sequence[Result], outcomes: Iterable[Outcome], query: Query) -> tuple[Result, ...]:
    """The results, behind a first one that asks the next message of its thread by somebody else, if that came back too and stands nowhere.

    Where it is asked what held on a day, nothing said later is taken in; nor is anything beside a message that is asked for by its address.
    """
    first = results[0] if results else None
    if first is None or query.as_of or NAMED in first.factors:
        return tuple(results)
    if not is_asking(first.hit):
        return _with_values(results, tuple(outcomes), query)
    by_others = (each for each in _replies(first.hit, outcomes) if each[1].author != first.hit.author)
    reply = min(by_others, key=lambda each: each[0], default=None)
    known = {(each.hit.source, each.hit.id) for each in results}
    if reply is None or (reply[1].source, reply[1].id) in known or matches(query.typed, reply[1]) is False:
        return tuple(results)
    return (first, replace(first, hit=reply[1], why=(), also=(), related=()), *results[1:])


def _with_values(results: Sequence[Result], outcomes: Sequence[Outcome], query: Query) -> tuple[Result, ...]:
    """The results, behind each of the first messages the last of its thread that tells a value such as is asked for or takes something back, unless that is read anyway."""
    sound, ranked = sound_of(query), {(each.hit.source, each.hit.id): each for each in results}
    read = {(each.hit.source, each.hit.id) for each in results[:RESULTS]}
    told: dict[tuple[str, str], Result] = {}
    for at, result in enumerate(results):
        told.setdefault((result.hit.source, result.hit.id), result)
        if at >= HEADS or result.hit.kind not in SPOKEN:
            continue
        later = (each for each in _replies(result.hit, outcomes) if _goes_on(sound, each[1].snippet))
        fitting = (hit for _, hit in sorted(later, key=lambda each: each[0], reverse=True) if not is_asking(hit))
        last = next((hit for hit in fitting if matches(query.typed, hit) is not False), None)
        if last is not None and (key := (last.source, last.id)) not in read:
            told.setdefault(key, ranked.get(key) or replace(result, hit=last, why=(), also=(), related=()))
    return tuple(told.values())


def _goes_on(sound: Sound, text: str) -> bool:
    """Whether a message tells the value anew, or takes back what was said before it."""
    return _tells_value(sound, text) or may_correct(text)


def _tells_value(sound: Sound, text: str) -> bool:
    """Whether a message gives a value of the kind that is asked for: where that is a day, more than a month or an hour."""
    return sound.valuing(text) and (sound.valued or A_DAY.search(text) is not None)


def _replies(asked: Hit, outcomes: Iterable[Outcome]) -> Iterator[tuple[tuple[datetime, str], Hit]]:
    said, where = happened(asked), conversation_of(asked)
    for hit in (hit for outcome in outcomes if outcome.source == asked.source for hit in outcome.hits):
        when = happened(hit)
        if said and when and when > said and conversation_of(hit) == where:
            yield (when, hit.id), hit
