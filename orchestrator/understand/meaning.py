"""The formal meaning of a question: one clause that says which documents it asks for."""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING

from translators.query import (
    Clause,
    Compare,
    Field,
    Not,
    Op,
    Person,
    Phrase,
    Term,
    all_of,
    any_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.understand.draft import Draft


def meaning(draft: Draft) -> Clause:
    """Everything that must hold, in the order terms, phrases, people and places, time, exclusions."""
    return all_of((*_words(draft), *_fields(draft), *_window(draft), *_exclusions(draft)))


def _words(draft: Draft) -> Iterator[Clause]:
    """Terms in order of appearance; words of a phrase only inside it."""
    inside = [(start, start + len(text)) for start, text in draft.phrases]
    found: list[tuple[int, Clause]] = [(start, Phrase(text)) for start, text in draft.phrases]
    for position, text in draft.keywords:
        if not any(start <= position < end for start, end in inside):
            found.append((position, Term(text)))
    yield from (clause for _, clause in sorted(found, key=lambda entry: entry[0]))


def _fields(draft: Draft) -> Iterator[Clause]:
    if draft.author is not None:
        yield Compare(Field.AUTHOR, Op.EQ, draft.author)
    if draft.assignee is not None:
        yield Compare(Field.ASSIGNEE, Op.EQ, draft.assignee)
    if draft.worker is not None:
        yield any_of(Compare(field, Op.EQ, draft.worker) for field in (Field.ASSIGNEE, Field.AUTHOR))
    if draft.container is not None:
        yield Compare(Field.CONTAINER, Op.EQ, draft.container)
    if draft.kinds:
        yield any_of(Compare(Field.KIND, Op.EQ, kind) for kind in draft.kinds)
    yield from (Compare(Field.STATE, Op.EQ, state) for state in draft.states)


def _window(draft: Draft) -> Iterator[Clause]:
    window = draft.window
    if window is not None and window.start is not None:
        yield Compare(Field.TIME, Op.GE, _midnight(draft, window.start.year, window.start.month, window.start.day))
    if window is not None and window.end is not None:
        yield Compare(Field.TIME, Op.LT, _midnight(draft, window.end.year, window.end.month, window.end.day))


def _midnight(draft: Draft, year: int, month: int, day: int) -> datetime:
    return datetime.combine(datetime(year, month, day), time.min, tzinfo=draft.now.tzinfo)  # noqa: DTZ001  (the zone is given)


def _exclusions(draft: Draft) -> Iterator[Clause]:
    for _, text in sorted(draft.negated):
        if text in draft.excluded_authors:
            yield Not(Compare(Field.AUTHOR, Op.EQ, Person(text)))
        else:
            yield Not(Phrase(text) if " " in text else Term(text))
