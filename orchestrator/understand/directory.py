"""What the workplace knows about itself: people, projects and channels, matched with tolerance for spelling."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from translators.query import Person

FUZZY_FLOOR = 88.0
"""Least rapidfuzz ratio (0 to 100) that counts as the same name misspelt."""


@dataclass(frozen=True, slots=True)
class DirectoryPerson:
    """Somebody who works here; ``spellings`` are other ways the name is written (another script, a nickname)."""

    name: str
    spellings: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    email: str | None = None


@dataclass(frozen=True, slots=True)
class DirectoryProject:
    """A project, product, system or team with its other names."""

    name: str
    spellings: tuple[str, ...] = ()
    team: bool = False


@dataclass(frozen=True, slots=True)
class Directory:
    """Names to recognise; hashable, so that its index is built once. Channels are without ``#``."""

    people: tuple[DirectoryPerson, ...] = ()
    projects: tuple[DirectoryProject, ...] = ()
    channels: tuple[str, ...] = ()

    def person(self, name: str, *, fuzzy: bool = True) -> tuple[DirectoryPerson, float] | None:
        """The person of that name, handle or mail and a score from 0 to 1; a misspelt name scores lower."""
        if not self.people:
            return None
        index = _people(self)
        key = _key(name)
        if key in index:
            return index[key], 1.0
        near = _nearest(key, tuple(index)) if fuzzy else None
        return None if near is None else (index[near[0]], near[1])

    def project(self, name: str, *, fuzzy: bool = True) -> tuple[DirectoryProject, float] | None:
        """The project of that name and a score from 0 to 1; a misspelt name scores lower."""
        if not self.projects:
            return None
        index = _projects(self)
        key = _key(name)
        if key in index:
            return index[key], 1.0
        near = _nearest(key, tuple(index)) if fuzzy else None
        return None if near is None else (index[near[0]], near[1])

    def channel(self, name: str) -> str | None:
        """The channel of that name as the directory spells it."""
        return _channels(self).get(_key(name.lstrip("#")))


NOBODY = Directory()


def person_of(directory: Directory, name: str) -> tuple[Person, float]:
    """The named person, completed where the directory knows one, and how sure the reading is."""
    found = directory.person(name)
    if found is None:
        return Person(name), 0.7
    return Person(found[0].name, email=found[0].email), found[1]


def _key(name: str) -> str:
    return " ".join(name.casefold().lstrip("@#").split())


def _nearest(key: str, names: tuple[str, ...]) -> tuple[str, float] | None:
    """The one name within a slip of the pen. Short names must match exactly: Jon is not Joan."""
    if not names or len(key) < 4:  # noqa: PLR2004  (shorter names differ by whole people, not by typing slips)
        return None
    from rapidfuzz import fuzz, process

    found = process.extractOne(key, names, scorer=fuzz.ratio, score_cutoff=FUZZY_FLOOR)
    return None if found is None else (found[0], found[1] / 100)


@lru_cache(maxsize=16)
def _people(directory: Directory) -> dict[str, DirectoryPerson]:
    """Every spelling of every person. A part of a name counts where only one person has it."""
    index: dict[str, DirectoryPerson] = {}
    parts: dict[str, list[DirectoryPerson]] = {}
    for person in directory.people:
        for name in (person.name, *person.spellings, *person.handles, person.email or ""):
            if name:
                index.setdefault(_key(name), person)
        for name in (person.name, *person.spellings):
            for part in _parts(name):
                parts.setdefault(part, []).append(person)
    for part, owners in parts.items():
        if all(owner is owners[0] for owner in owners):
            index.setdefault(part, owners[0])
    return index


def _parts(name: str) -> list[str]:
    key = _key(name)
    if " " in key:
        return key.split()
    hangul = len(key) == 3 and "\uac00" <= key[0] <= "\ud7a3"  # noqa: PLR2004  (family name + two syllables)
    return [key[1:]] if hangul else []


@lru_cache(maxsize=16)
def _projects(directory: Directory) -> dict[str, DirectoryProject]:
    return {_key(name): project for project in directory.projects for name in (project.name, *project.spellings)}


@lru_cache(maxsize=16)
def _channels(directory: Directory) -> dict[str, str]:
    return {_key(name.lstrip("#")): name.lstrip("#") for name in directory.channels}
