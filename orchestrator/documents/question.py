"""A question as it was understood, as a JSON object. ``docs/reference/cli.md`` describes every key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from orchestrator.answer import slot_of
from translators.said import said_in

if TYPE_CHECKING:
    from translators.query import Only, Query, Window


class TypeDocument(TypedDict):
    """How strongly the question reads as one type, and the words that say so."""

    type: str
    score: float
    words: list[str]


class EntityDocument(TypedDict):
    """A person, project, team or tool that the question names; ``score`` from 0 to 1."""

    kind: str
    name: str
    score: float


class IdDocument(TypedDict):
    """Something that is looked up as it stands."""

    kind: str
    text: str


class WindowDocument(TypedDict):
    """Days ``[after, before)`` as ISO dates in the asker's zone; ``null`` is open. ``words``: what the question said."""

    after: str | None
    before: str | None
    words: str


class DoubtDocument(TypedDict):
    """Something that could not be taken at its word; ``code`` is stable, ``message`` in the question's language."""

    code: str
    message: str


class ImpliedDocument(TypedDict):
    """A condition that prose implies: how sure the reading is (0 to 1), and the words that imply it."""

    condition: str
    strength: float
    words: str


class OnlyDocument(TypedDict):
    """Where alone prose wants the answer from, each place by the names it has, and how sure that is (0 to 1)."""

    places: list[list[str]]
    strength: float
    words: str


class SlotDocument(TypedDict):
    """What a question asks to be filled in, as the answer goes by it: of what, which of it, under which conditions, by which kind of answer."""

    entity: list[str]
    attribute: list[str]
    constraint: list[str]
    kind: str


class QueryDocument(TypedDict):
    """A question as it was understood."""

    text: str
    language: str
    zone: str
    type: str
    types: list[TypeDocument]
    slot: SlotDocument
    keywords: list[str]
    lesser: dict[str, float]
    variants: dict[str, list[str]]
    phrases: list[str]
    entities: list[EntityDocument]
    ids: list[IdDocument]
    hints: list[str]
    only: OnlyDocument | None
    sources: list[str]
    author: str | None
    container: str | None
    kinds: list[str]
    window: WindowDocument | None
    negated: list[str]
    mine: bool
    ambiguous: bool
    meaning: str
    implied: list[ImpliedDocument]
    doubts: list[DoubtDocument]


def query_document(query: Query) -> QueryDocument:
    """A question as it was understood."""
    return {
        "text": query.text,
        "language": query.language,
        "zone": query.zone,
        "type": str(query.type),
        "types": [{"type": str(each.type), "score": each.score, "words": list(each.words)} for each in query.scores],
        "slot": _slot(query),
        "keywords": list(query.keywords),
        "lesser": dict(query.lesser),
        "variants": {word: list(others) for word, others in query.variants},
        "phrases": list(query.phrases),
        "entities": [{"kind": str(each.kind), "name": each.name, "score": each.score} for each in query.entities],
        "ids": [{"kind": str(each.kind), "text": each.text} for each in query.ids],
        "hints": [str(hint) for hint in query.hints],
        "only": _only(query.only),
        "sources": list(query.sources),
        "author": str(query.author) if query.author else None,
        "container": str(query.container) if query.container else None,
        "kinds": [str(kind) for kind in query.kinds],
        "window": _window(query.window),
        "negated": list(query.negated),
        "mine": query.mine,
        "ambiguous": query.ambiguous,
        "meaning": str(query.where),
        "implied": [
            {"condition": str(each.clause), "strength": each.strength, "words": each.words} for each in query.implied
        ],
        "doubts": [{"code": doubt.code, "message": said_in(doubt.message, query.language)} for doubt in query.doubts],
    }


def _slot(query: Query) -> SlotDocument:
    slot = slot_of(query)
    return {
        "entity": list(slot.entity),
        "attribute": list(slot.attribute),
        "constraint": list(slot.constraint),
        "kind": str(slot.kind),
    }


def _only(only: Only | None) -> OnlyDocument | None:
    if only is None:
        return None
    return {"places": [list(names) for names, _ in only.places], "strength": only.strength, "words": only.words}


def _window(window: Window | None) -> WindowDocument | None:
    if window is None:
        return None
    return {
        "after": window.start.isoformat() if window.start else None,
        "before": window.end.isoformat() if window.end else None,
        "words": window.words,
    }
