"""Put names of people and places where a source gave only their ids or handles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Hit, SourceDirectory
    from orchestrator.model import Outcome
    from translators.query import Container, Person

    NamedHits = dict[int, tuple[Hit, "NamesById", Hit]]  # a hit by its identity, by which names, and named


@record
class NamesById:
    """Whom and what a source's own directory knows by an id."""

    people: Mapping[str, Person]
    places: Mapping[str, Container]


def names_by_id(directory: SourceDirectory) -> NamesById:
    """Of several names with one id (a full name, a handle) the first is the one to show."""
    people = {person.native_id: person for person in reversed(directory.people) if person.native_id}
    return NamesById(people, {place.native_id: place for place in reversed(directory.containers) if place.native_id})


def with_names(outcome: Outcome, names: NamesById | None, known: NamedHits | None = None) -> Outcome:
    """``outcome`` with every author and assignee as the source's own directory names them, as far as it does, and places of which nothing but the id was said.

    ``known``: what was named before by the same names. A hit that comes again is the same object then, and what was read of it stays known.
    """
    if names is None or not outcome.lists or not (names.people or names.places):
        return outcome
    before = {} if known is None else known
    lists = tuple(replace(each, hits=tuple(_named(hit, names, before) for hit in each.hits)) for each in outcome.lists)
    return replace(outcome, lists=lists)


def _named(hit: Hit, names: NamesById, known: NamedHits) -> Hit:
    before = known.get(id(hit))
    if before is not None and before[1] is names:
        return before[2]
    author, assignee = _known(hit.author, names.people), _known(hit.assignee, names.people)
    place = _place(hit.container, names.places)
    same = author is hit.author and assignee is hit.assignee and place is hit.container
    named = hit if same else replace(hit, author=author, assignee=assignee, container=place)
    known[id(hit)] = hit, names, named
    return named


def _known(person: Person | None, names: Mapping[str, Person]) -> Person | None:
    known = names.get(person.native_id) if person and person.native_id else None
    if person is None or known is None:
        return person
    email = person.email or known.email
    named = (person.name, person.email) == (known.name, email)
    return person if named else replace(person, name=known.name, email=email)


def _place(place: Container | None, names: Mapping[str, Container]) -> Container | None:
    if place is None or place.native_id is None or place.name != place.native_id:
        return place
    return names.get(place.native_id, place)
