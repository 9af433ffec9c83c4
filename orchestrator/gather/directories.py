"""Names that sources know, kept for a while, so that a question rarely waits for them.

By them, names of people and places stand where a source gave only their ids or handles.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.contract import Call, SourceDirectory
from connectors.errors import SourceError, Throttled
from orchestrator.gather.outcomes import trace
from storage.logs import log_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from connectors.contract import Hit, SourceDirectory
    from orchestrator.gather.source import Source
    from orchestrator.model import Outcome
    from translators.query import Container, Person

    NamedHits = dict[int, tuple[Hit, "NamesById", Hit]]  # a hit by its identity, by which names, and named


FAILURE_TTL = 60.0  # seconds before a source that could not list its names is asked for them again
BEING_READ = Said("its names are still being read; ask again in a moment")
NOT_READ = Said("its names could not be read; `fedsearch sources` shows how it does")
TIMEOUT = 20.0  # seconds for a whole listing, which may have many pages

log = log_of(__name__)


class DirectoryCache:
    """Directories by source. Loading runs beside the questions; one load at a time for each source."""

    def __init__(self, sources: Mapping[str, Source], ttl: float) -> None:
        self._sources = sources
        self._ttl = ttl
        self._known: dict[str, SourceDirectory] = {}
        self._named: dict[str, NamesById] = {}
        self._fresh_until: dict[str, float] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.version = 0  # goes up whenever ``known`` changes

    @property
    def known(self) -> Mapping[str, SourceDirectory]:
        """What is known now, possibly stale, without waiting."""
        return self._known

    @property
    def unread(self) -> Mapping[str, Said]:
        """Why nobody knows a source's names, for people; a source whose names are known is left out."""
        unknown = self._sources.keys() - self._known.keys()
        return {name: BEING_READ if name in self._loading else NOT_READ for name in unknown}

    @property
    def named(self) -> Mapping[str, NamesById]:
        """Of each source whose directory is known, who and what is meant by a native id."""
        return self._named

    async def load(self, names: Iterable[str], patience: float) -> Mapping[str, SourceDirectory]:
        """Refresh what is missing or stale, wait at most ``patience`` seconds, and return what is known by then."""
        names = tuple(names)
        self.refresh(names)
        if waiting := [self._loading[name] for name in names if name in self._loading]:
            await asyncio.wait(waiting, timeout=patience)
        return self._known

    def refresh(self, names: Iterable[str]) -> None:
        """Begin to load what is missing or stale; nobody waits."""
        now = asyncio.get_running_loop().time()
        for name in names:
            due = name in self._sources and self._fresh_until.get(name, 0.0) <= now
            if due and name not in self._loading:
                self._loading[name] = asyncio.create_task(self._load(name), name=f"directory {name}")
                self._loading[name].add_done_callback(_report_bug)

    async def _load(self, name: str) -> None:
        source = self._sources[name]
        keep = FAILURE_TTL
        try:
            call = Call(limit=1000, timeout=TIMEOUT, turn=source.gate.enter, throttled=source.gate.heed)
            async with asyncio.timeout(TIMEOUT):  # whatever a connector makes of its own
                await source.sound()
                directory = await source.connector.directory(call)
            self._known[name] = directory
            self._named[name] = names_by_id(directory)
            self.version += 1
            keep = self._ttl
        except SourceError as failure:
            if isinstance(failure, Throttled):
                await source.gate.heed(failure)
            # The question goes on with names as typed, and the receipt says so; searching reports the same failure.
            log.info("directory not available", source=name, error=failure.code)
        except TimeoutError:
            log.info("directory not available", source=name, error="timed_out")
        finally:
            self._fresh_until[name] = asyncio.get_running_loop().time() + keep
            del self._loading[name]

    async def aclose(self) -> None:
        """Stop loading."""
        tasks = list(self._loading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _report_bug(task: asyncio.Task[None]) -> None:
    """Nobody waits for a directory, so a connector's bug in listing it is told to the log and to nobody else."""
    if not task.cancelled() and (failure := task.exception()) is not None:
        log.error("directory failed", task=task.get_name(), **trace(failure))


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
