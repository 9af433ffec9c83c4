"""Put people's names where a source gave only their ids or handles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Hit, SourceDirectory
    from orchestrator.model import Outcome
    from translators.query import Person

    NamedHits = dict[int, tuple[Hit, Mapping[str, Person], Hit]]  # a hit by its identity, by which names, and named


def names_by_id(directory: SourceDirectory) -> Mapping[str, Person]:
    """Of several names with one id (a full name, a handle) the first is the one to show."""
    return {person.native_id: person for person in reversed(directory.people) if person.native_id}


def with_names(outcome: Outcome, names: Mapping[str, Person] | None, known: NamedHits | None = None) -> Outcome:
    """``outcome`` with every author and assignee as the source's own directory names them, as far as it does.

    ``known``: what was named before by the same names. A hit that comes again is the same object then, and what was read of it stays known.
    """
    if not names or not outcome.lists:
        return outcome
    before = {} if known is None else known
    lists = tuple(replace(each, hits=tuple(_named(hit, names, before) for hit in each.hits)) for each in outcome.lists)
    return replace(outcome, lists=lists)


def _named(hit: Hit, names: Mapping[str, Person], known: NamedHits) -> Hit:
    before = known.get(id(hit))
    if before is not None and before[1] is names:
        return before[2]
    author, assignee = _known(hit.author, names), _known(hit.assignee, names)
    same = author is hit.author and assignee is hit.assignee
    named = hit if same else replace(hit, author=author, assignee=assignee)
    known[id(hit)] = hit, names, named
    return named


def _known(person: Person | None, names: Mapping[str, Person]) -> Person | None:
    known = names.get(person.native_id) if person and person.native_id else None
    if person is None or known is None:
        return person
    email = person.email or known.email
    named = (person.name, person.email) == (known.name, email)
    return person if named else replace(person, name=known.name, email=email)
