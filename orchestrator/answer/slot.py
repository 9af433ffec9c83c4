"""A question as a request for a slot (slot filling): of what, which of it, under which conditions, and the kind of answer that fills it.

It is what quotes and claims are chosen by, put into words: whoever shows it shows no second reading.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.answer.cover import asked, wanted
from orchestrator.answer.rows import asked_state
from orchestrator.answer.signals import asks_whether, wants_list
from orchestrator.answer.sound import sound_of
from translators.query import QueryType, conjuncts, only_words
from translators.records import record

if TYPE_CHECKING:
    from translators.query import Query


class AnswerKind(StrEnum):
    """What a claim must sound like, or be, to answer."""

    DECISION = "decision"
    STATE = "state"
    LIST = "list"
    DOCUMENT = "document"
    PERSON = "person"
    FACT = "fact"
    DAY = "day"
    REASON = "reason"
    AMOUNT = "amount"
    COUNT = "count"
    SPAN = "span"
    MEASURE = "measure"
    PLACE = "place"
    YES_NO = "yes_no"
    STEPS = "steps"
    OVERVIEW = "overview"


OF_TYPE = {
    QueryType.DECISION: AnswerKind.DECISION,
    QueryType.STATUS: AnswerKind.STATE,
    QueryType.DOCUMENT: AnswerKind.DOCUMENT,
    QueryType.PERSON: AnswerKind.PERSON,
    QueryType.FACTUAL: AnswerKind.FACT,
    QueryType.TEMPORAL: AnswerKind.DAY,
    QueryType.EXPLORATORY: AnswerKind.OVERVIEW,
}
POLAR_TYPES = frozenset({QueryType.DECISION, QueryType.STATUS, QueryType.FACTUAL})


@record
class Slot:
    """``entity``: the word that tells most, without which nothing is on the matter. ``attribute``: the others, of which half must be held
    or which say what is asked. ``constraint``: conditions, and words that a follow-up adds.
    """

    entity: tuple[str, ...]
    attribute: tuple[str, ...]
    constraint: tuple[str, ...]
    kind: AnswerKind


@lru_cache(maxsize=32)
def slot_of(query: Query) -> Slot:
    """What a question asks to be filled in."""
    words = wanted(query)
    entity = tuple(word for word in query.essential[:1] if word in words)
    fresh = tuple(word for word in query.fresh if word not in entity)
    attribute = tuple(word for word in (*words, *asked(query)) if word not in entity and word not in fresh)
    conditions = tuple(str(each) for each in conjuncts(query.where) if not only_words(each))
    return Slot(entity, tuple(dict.fromkeys(attribute)), (*fresh, *conditions), kind_of(query))


@lru_cache(maxsize=32)
def kind_of(query: Query) -> AnswerKind:
    """The kind of answer: what is wanted beside the type before the type's own."""
    sound = sound_of(query)
    if sound.asked:
        return AnswerKind(sound.name)
    if sound.steps:
        return AnswerKind.STEPS
    if query.type is QueryType.STATUS and wants_list(query.text) and asked_state(query) is not None:
        return AnswerKind.LIST
    if query.type in POLAR_TYPES and asks_whether(query.text):
        return AnswerKind.YES_NO
    return OF_TYPE[query.type]
