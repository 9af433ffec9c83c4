"""What one asker can ask: the sources of all, and those that they have an account of their own at."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.gather.directories import DirectoryCache, with_names
from orchestrator.gather.source import ALWAYS
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Container, Iterable, Mapping

    from connectors.contract import SourceDirectory
    from orchestrator.gather.directories import NamedHits, NamesById
    from orchestrator.gather.people import People
    from orchestrator.gather.source import Source
    from orchestrator.model import Outcome
    from translators.said import Said

FINDING_OUT = 2.0  # seconds that a question waits to know whether a source has anything, once where nobody has looked
READYING = 30.0  # seconds that a server waits for its sources before it answers without those that are not ready
NOTHING: Mapping[str, Said] = MappingProxyType({})


@record
class Reach:
    """``own``: the names that only this asker's accounts tell. ``missing``: by source, what this asker lacks for it. ``renamed``: hits that were named already."""

    sources: Mapping[str, Source]
    directories: DirectoryCache
    own: DirectoryCache | None = None
    missing: Mapping[str, Said] = field(default_factory=lambda: NOTHING)
    renamed: NamedHits = field(default_factory=dict, repr=False, compare=False)

    @property
    def caches(self) -> tuple[DirectoryCache, ...]:
        """Where names are known, everybody's first."""
        return (self.directories,) if self.own is None else (self.directories, self.own)

    @property
    def known(self) -> Mapping[str, SourceDirectory]:
        """Directories by source, possibly stale."""
        return self.directories.known if self.own is None else {**self.directories.known, **self.own.known}

    @property
    def unread(self) -> Mapping[str, Said]:
        """Why nobody knows a source's names, for people."""
        return self.directories.unread if self.own is None else {**self.directories.unread, **self.own.unread}

    @property
    def named(self) -> Mapping[str, NamesById]:
        """By source, who and what is meant by a native id."""
        return self.directories.named if self.own is None else {**self.directories.named, **self.own.named}

    def with_names(self, outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
        """In a fixed order, with names of people and places where their source gave only ids."""
        names = self.named
        named = (with_names(outcome, names.get(outcome.source), self.renamed) for outcome in outcomes)
        return tuple(sorted(named, key=lambda outcome: outcome.source))

    def refresh(self, names: Iterable[str]) -> None:
        """Begin to read the names of sources that are missing or stale; nobody waits."""
        wanted = tuple(names)
        for cache in self.caches:
            cache.refresh(wanted)

    async def load(self, patience: float) -> None:
        """Read the names that are missing or stale, waiting at most ``patience`` seconds."""
        await asyncio.gather(*(cache.load(self.sources, patience) for cache in self.caches))


class Reaches:
    """By asker. Without ``people`` everybody reaches the same."""

    def __init__(self, sources: Mapping[str, Source], ttl: float, people: People | None = None) -> None:
        self._configured = sources
        self.directories = DirectoryCache(sources, ttl)
        self._people = people
        self._began: float | None = None
        self._patient = True

        self._changing = {name: each for name, each in sources.items() if each.is_there is not ALWAYS}
        self.waiting = _without_anything(self._said())

    @property
    def sources(self) -> Mapping[str, Source]:
        """Those of all that have something to ask for."""
        return {name: each for name, each in self._configured.items() if name not in self.waiting}

    def _said(self) -> dict[str, bool | None]:
        return {name: each.is_there() for name, each in self._changing.items()}

    async def look(self) -> None:
        """Find out anew which have nothing yet (``waiting``): whether that takes a disk is theirs, so a thread asks.

        Where nobody knows before it is prepared that is waited for, so that what is listed now can be asked then.
        """
        if not self._changing:
            return
        said = await asyncio.to_thread(self._said)
        if unsure := [name for name, there in said.items() if there is None]:
            with suppress(TimeoutError):
                async with asyncio.timeout(FINDING_OUT):
                    await asyncio.gather(
                        *(self._changing[name].preparing.ready() for name in unsure), return_exceptions=True
                    )
            said = await asyncio.to_thread(self._said)
        self.waiting = _without_anything(said)

    @asynccontextmanager
    async def of(self, principal: str) -> AsyncIterator[Reach]:
        """What somebody can ask, for as long as the context lasts."""
        await self.look()
        if self._people is None:
            yield Reach(self.sources, self.directories)
            return
        async with self._people.of(principal) as own:
            yield Reach({**self.sources, **own.sources}, self.directories, own.directories, own.missing)

    async def prepare(self) -> None:
        """Load, start and reach what the first question would wait for; at most :data:`READYING` seconds.

        What fails or takes longer goes on by itself, and costs nothing but the source that it belongs to. Questions that
        come meanwhile wait within their own time.
        """
        self._patient = False
        with suppress(TimeoutError):
            async with asyncio.timeout(READYING):
                people = self._people.prepare() if self._people is not None else asyncio.sleep(0)
                await asyncio.gather(
                    people, *(each.preparing.ready() for each in self.sources.values()), return_exceptions=True
                )
        for each in self.sources.values():
            if each.mirror is not None:
                each.mirror.begin()

    async def begin(self, names: Container[str], patience: float) -> None:
        """The same for the sources of ``names`` in a process that was not prepared, beside its first questions.

        Nobody waits later than ``patience`` seconds after it was begun; a question then waits within its own time.
        """
        now = asyncio.get_running_loop().time()
        self._began = now if self._began is None else self._began
        left = self._began + patience - now
        named = [each.preparing for name, each in self.sources.items() if name in names]
        unready = [each.begin() for each in named if not each.is_done]
        if self._patient and left > 0 and unready:
            await asyncio.wait(unready, timeout=left)

    async def leave(self) -> None:
        """Read no more names: others ask the sources from now on."""
        await self.directories.aclose()

    async def aclose(self) -> None:
        """Close every source; safe to call twice."""
        await self.directories.aclose()
        if self._people is not None:
            await self._people.aclose()
        await asyncio.gather(*(source.aclose() for source in self._configured.values()))


def _without_anything(said: Mapping[str, bool | None]) -> frozenset[str]:
    return frozenset(name for name, there in said.items() if there is False)
