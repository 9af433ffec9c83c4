"""Everybody and every channel that the sources have named, as understanding takes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from orchestrator.understand import Directory, DirectoryPerson

if TYPE_CHECKING:
    from collections.abc import Iterable

    from connectors.contract import SourceDirectory
    from orchestrator.gather import DirectoryCache, Reach


class Names:
    """The names that each asker's sources know; put together anew only when one of them names more."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[DirectoryCache, tuple[tuple[int, ...], Directory]] = WeakKeyDictionary()

    def of(self, reach: Reach) -> Directory | None:
        """What is known by now; ``None`` where nothing is."""
        version, owner = tuple(cache.version for cache in reach.caches), reach.caches[-1]
        if not any(version):
            return None
        version_known, directory = self._known.get(owner, ((), None))
        if directory is None or version_known != version:
            directory = _merge(reach.known.values())
            self._known[owner] = version, directory
        return directory


def _merge(directories: Iterable[SourceDirectory]) -> Directory:
    """One directory of all sources: who has the same address is the same person, however each source spells the name."""
    people: dict[str, DirectoryPerson] = {}
    channels: dict[str, None] = {}
    places: dict[str, str] = {}
    for directory in directories:
        for person in directory.people:
            key = (person.email or person.name).casefold()
            known = people.get(key, DirectoryPerson(person.name, email=person.email))
            spellings = dict.fromkeys((*known.spellings, person.name))
            ids = dict.fromkeys((*known.ids, *filter(None, (person.native_id,))))
            people[key] = replace(known, spellings=tuple(spellings), ids=tuple(ids))
        channels |= dict.fromkeys(container.name for container in directory.containers)
        places |= {each.native_id: each.name for each in directory.containers if each.native_id}
    return Directory(people=tuple(people.values()), channels=tuple(channels), places=places)
