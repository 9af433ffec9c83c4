"""The formal meaning of a question: one clause that says which documents it asks for.

Who wrote or did what is looked for is a condition, while the name goes on weighing as a word.
"""

from __future__ import annotations

from datetime import datetime, time
from operator import itemgetter
from typing import TYPE_CHECKING

from translators.letters import has_hangul
from translators.query import (
    NEARLY_TYPED,
    Clause,
    Compare,
    Field,
    Implied,
    Not,
    Op,
    Person,
    Phrase,
    Term,
    all_of,
    any_of,
    leaves,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.understand.draft import Draft, Word
    from translators.query import Container

LIKELY = 0.7
"""A reading that is right more often than not."""
HARDLY = 0.4
"""One that is wrong more often than not, so that it only orders."""
OF_A_FAMILY = 0.5
"""The most that is sure of somebody of whom the family name alone is said."""
USUAL = {"window": NEARLY_TYPED, "kinds": 0.5, "states": 0.5}
"""How sure prose is of a condition where nothing else is said of it; exclusions are nearly typed, all others likely."""


def meaning(draft: Draft) -> tuple[Clause, tuple[Implied, ...]]:
    """What is asked for, in the order terms, phrases, people and places, time, exclusions; and which conditions are implied."""
    conditions = (*_fields(draft), *_window(draft), *_exclusions(draft))
    implied = (_implied(draft, name, clause) for name, clause in conditions if name not in draft.typed)
    return all_of((*_words(draft), *(clause for _, clause in conditions))), tuple(implied)


def _implied(draft: Draft, name: str, clause: Clause) -> Implied:
    usual = NEARLY_TYPED if name.startswith("-") else USUAL.get(name, LIKELY)
    reading = draft.readings.get(name)
    words = reading.words if reading else name.removeprefix("-") if name.startswith("-") else ""
    if name == "window" and draft.window is not None:
        words = words or draft.window.words
    strength = reading.strength if reading else usual
    return Implied(clause, min(strength, OF_A_FAMILY) if _is_family(clause) else strength, words)


def _is_family(clause: Clause) -> bool:
    """Whether somebody is told by a Korean family name alone: 김 팀장님 may be any of the Kims."""
    names = [leaf.value.name for leaf in leaves(clause) if isinstance(leaf, Compare) and isinstance(leaf.value, Person)]
    return bool(names) and all(len(name) == 1 and has_hangul(name) for name in names)


def _words(draft: Draft) -> Iterator[Clause]:
    """Terms in order of appearance; words of a phrase only inside it."""
    inside = [(start, start + len(text)) for start, text in draft.phrases]
    found: list[tuple[int, Clause]] = [(start, Phrase(text)) for start, text in draft.phrases]
    for position, text in draft.keywords:
        if not any(start <= position < end for start, end in inside):
            found.append((position, Term(text)))
    found.sort(key=itemgetter(0))
    yield from _with_choices(draft, found) if draft.either else (clause for _, clause in found)


def _with_choices(draft: Draft, found: Sequence[tuple[int, Clause]]) -> Iterator[Clause]:
    """Words between which OR was typed as one: it joins its neighbours before all of them are wanted (okta OR saml rollout)."""
    choices: list[list[Clause]] = []
    last = len(draft.text)
    for at, clause in found:
        if any(last < place < at for place in draft.either):
            choices[-1].append(clause)
        else:
            choices.append([clause])
        last = at
    yield from map(any_of, choices)


def _fields(draft: Draft) -> Iterator[tuple[str, Clause]]:
    """Conditions on people, places and things, each with the name of its field in the draft."""
    if draft.author is not None:
        yield "author", _any_of(draft, Field.AUTHOR, draft.author)
    if draft.assignee is not None:
        yield "assignee", _any_of(draft, Field.ASSIGNEE, draft.assignee)
    if draft.worker is not None:
        yield "worker", any_of(Compare(field, Op.EQ, draft.worker) for field in (Field.ASSIGNEE, Field.AUTHOR))
    if draft.container is not None:
        yield "container", _any_of(draft, Field.CONTAINER, draft.container)
    if draft.kinds:
        yield "kinds", any_of(Compare(Field.KIND, Op.EQ, kind) for kind in draft.kinds)
    if draft.states:
        yield "states", any_of(Compare(Field.STATE, Op.EQ, state) for state in draft.states)
    if draft.due is not None:
        if draft.due.start:
            yield "due", Compare(Field.DUE, Op.GE, draft.due.start)
        if draft.due.end:
            yield "due", Compare(Field.DUE, Op.LT, draft.due.end)


def _any_of(draft: Draft, field: Field, value: Person | Container) -> Clause:
    """A field that is this, or what else was typed for it."""
    values = (value, *(other for name, other in draft.others if name == field))
    return any_of(Compare(field, Op.EQ, each) for each in values)


def _window(draft: Draft) -> Iterator[tuple[str, Clause]]:
    window = draft.window
    if window is not None and window.start is not None:
        start = _midnight(draft, window.start.year, window.start.month, window.start.day)
        yield "window", Compare(Field.TIME, Op.GE, start)
    if window is not None and window.end is not None:
        yield "window", Compare(Field.TIME, Op.LT, _midnight(draft, window.end.year, window.end.month, window.end.day))


def _midnight(draft: Draft, year: int, month: int, day: int) -> datetime:
    return datetime.combine(datetime(year, month, day), time.min, tzinfo=draft.now.tzinfo)  # noqa: DTZ001  (the zone is given)


def _exclusions(draft: Draft) -> Iterator[tuple[str, Clause]]:
    for _, text in sorted(draft.negated):
        if text in draft.excluded_authors:
            yield f"-{text}", Not(Compare(Field.AUTHOR, Op.EQ, Person(text)))
        else:
            yield f"-{text}", Not(Phrase(text) if " " in text else Term(text))


DOING = 0.6
"""Who shipped or fixed it may have written of it, or been assigned it; who approved or proposed it hardly tells of it."""


def imply_person(draft: Draft, field: str, at: int, name: str, *, known: bool) -> None:
    """Say how sure the author, assignee or worker is: one whom the directory knows nearly as if typed."""
    draft.imply(field, NEARLY_TYPED if known else LIKELY, name)
    draft.lessen(at, name)


def set_worker(draft: Draft, group: Sequence[Word], person: Person, strength: float) -> None:
    """Ask for what somebody did as written by or assigned to them; a name that is not sure to be one stays a keyword."""
    if draft.worker is not None or draft.assignee is not None:
        return
    draft.worker = person
    at, last = group[0].start, group[-1].end
    draft.imply("worker", strength, person.name)
    if strength < DOING:
        return
    draft.lessen(at, person.name)
    draft.keywords = [(start, text) for start, text in draft.keywords if not at <= start < last]
    for word in group:
        word.keep = False
