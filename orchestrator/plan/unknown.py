"""Names in filters that no source knows: said once, with those that come nearest, since their answers look like others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Fidelity
from translators.match import fold, same_container, same_person
from translators.query import Compare, Container, Doubt, Person, leaves
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from orchestrator.plan.profile import SourceProfile
    from translators.query import Field, Query


NEAREST = 3  # names that are offered instead
ALIKE = 60.0  # of 100, from which two names are near each other
NO_PERSON = Said("nobody is called “{name}” in {sources}")
NO_PLACE = Said("no place is called “{name}” in {sources}")
NEAR = Said("{said}; nearest: {names}")
SHARED = Said("“me” is taken as whoever signed in to {sources}; no account of your own is connected")
NOBODY = Said("“me” is nobody known here; no account is connected that could say who asks")


def unknown_names(query: Query, profiles: Iterable[SourceProfile]) -> tuple[Doubt, ...]:
    """A doubt for each person and place of a filter whom no source knows that lists its own.

    Nothing is said where the names of a source are not read, or not all of them: it may know them.
    """
    asked = [each for each in profiles if not each.public]
    found = (_doubt(leaf, asked) for leaf in leaves(query.where) if isinstance(leaf, Compare))
    return tuple(dict.fromkeys(doubt for doubt in found if doubt is not None))


def _doubt(leaf: Compare, profiles: Sequence[SourceProfile]) -> Doubt | None:
    match leaf.value:
        case Person(me=True):
            return _nobody_known(leaf.field, profiles)
        case _ if any(each.unread or each.directory.notes for each in profiles):
            return None
        case Person() as person:
            return _no_such_person(person, profiles)
        case Container() as place:
            return _no_such_place(place, profiles)
        case _:
            return None


def _no_such_person(person: Person, profiles: Sequence[SourceProfile]) -> Doubt | None:
    """By address only where a source tells addresses."""
    by_mail = "@" in (person.email or person.name).strip("@")
    listing = {
        profile.title: profile.directory.people
        for profile in profiles
        if (any(each.email for each in profile.directory.people) if by_mail else profile.directory.people)
    }
    known = [each for people in listing.values() for each in people]
    if not known or any(same_person(person, each) for each in known):
        return None
    return Doubt("unknown_person", _unknown(NO_PERSON, str(person), known, listing))


def _no_such_place(place: Container, profiles: Sequence[SourceProfile]) -> Doubt | None:
    listing = {profile.title: profile.directory.containers for profile in profiles if profile.directory.containers}
    known = [each for places in listing.values() for each in places]
    if not known or any(same_container(place, each) for each in known):
        return None
    return Doubt("unknown_place", _unknown(NO_PLACE, place.name, known, listing))


def _unknown(what: Said, name: str, known: Iterable[Person | Container], sources: Iterable[str]) -> Said:
    near = ", ".join(nearest(name, dict.fromkeys(each.name for each in known)))
    said = what.filled(name=name, sources=", ".join(sources))
    return NEAR.filled(said=said, names=near) if near else said


def _nobody_known(field: Field, profiles: Sequence[SourceProfile]) -> Doubt | None:
    """An account of the asker's own says who they are; one sign-in for everybody only who set it up."""
    able = [each for each in profiles if each.can.fields.get(field, Fidelity.NONE) is not Fidelity.NONE]
    if any(each.signed == "person" for each in profiles):
        return None
    shared = ", ".join(each.title for each in able if each.signed == "shared")
    return Doubt("unknown_me", SHARED.filled(sources=shared) if shared else NOBODY)


def nearest(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those that begin with ``name`` or hold it, then those written most like it; the best few."""
    from rapidfuzz import fuzz

    wanted = fold(name)

    def likeness(other: str) -> float:
        holds = other.startswith(wanted) or (len(wanted) > 1 and wanted in other)
        return 100.0 if holds else fuzz.ratio(wanted, other)

    scored = sorted((-likeness(fold(each)), each) for each in names)
    return tuple(each for score, each in scored if -score >= ALIKE)[:NEAREST]
