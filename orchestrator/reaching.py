"""The sources that an engine asks, exchanged as a whole while questions are under way: each goes on with those that it began with.

How one source does, found out by asking it as somebody may ask it.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectors.contract import Call, Health
from connectors.errors import SILENT, SourceError
from orchestrator.gather import Reach, Reaches, broken_by
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Container,
        Mapping,
        Sequence,
    )

    from orchestrator.gather import People, Source
    from orchestrator.model import Principal
    from orchestrator.plan import SourceProfile


async def probe(source: Source, asker: Principal, budget: float) -> Health:
    """What a source says of itself within ``budget`` seconds; one that is being left alone is not asked."""
    if told := await source.unwell():
        return Health(ok=False, detail=told)
    try:
        async with asyncio.timeout(budget):
            gate = source.gate
            call = Call(asker.id, asker.groups, timeout=budget, turn=gate.enter, throttled=gate.heed)
            return await source.connector.probe(call)
    except TimeoutError:
        return Health(ok=False, detail=SILENT.filled(seconds=budget))
    except SourceError as failure:
        return Health(ok=False, detail=failure.message)
    except Exception as failure:  # noqa: BLE001 — law 3: a broken connector must not hide how the others do
        return Health(ok=False, detail=broken_by(failure))


@record
class AskerReach(Reach):
    """``profiles``: every source that was configured when the question began, connected or not, that has anything to ask for."""

    profiles: tuple[SourceProfile, ...] = field(kw_only=True)


@dataclass(slots=True, eq=False)
class _SourceSet:
    """What is configured at a time. ``questions``: that are under way over it."""

    configured: tuple[SourceProfile, ...]
    sources: Mapping[str, Source]
    reaches: Reaches
    questions: int = 0

    @property
    def profiles(self) -> tuple[SourceProfile, ...]:
        return tuple(each for each in self.configured if each.name not in self.reaches.waiting)


class Reaching:
    """``ttl``: seconds that names are kept. ``people``: accounts of their own, which stay as they are whatever is exchanged."""

    def __init__(
        self,
        profiles: Sequence[SourceProfile],
        sources: Mapping[str, Source],
        ttl: float,
        people: People | None = None,
    ) -> None:
        self._ttl = ttl
        self._people = people
        self._now = self._made(profiles, sources)
        self._old: list[_SourceSet] = []
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def profiles(self) -> tuple[SourceProfile, ...]:
        """Those of now."""
        return self._now.profiles

    @property
    def configured(self) -> tuple[SourceProfile, ...]:
        """The same with those that have nothing to ask for yet."""
        return self._now.configured

    @property
    def sources(self) -> Mapping[str, Source]:
        """Those of now that everybody asks."""
        return self._now.sources

    async def look(self) -> None:
        """See :meth:`Reaches.look`."""
        await self._now.reaches.look()

    async def begin(self, names: Container[str], patience: float) -> None:
        """See :meth:`Reaches.begin`."""
        await self._now.reaches.begin(names, patience)

    async def prepare(self) -> None:
        """See :meth:`Reaches.prepare`."""
        await self._now.reaches.prepare()

    @asynccontextmanager
    async def of(self, principal: str) -> AsyncIterator[AskerReach]:
        """What somebody can ask, for as long as the context lasts, whatever is exchanged meanwhile."""
        held = self._now
        held.questions += 1
        try:
            async with held.reaches.of(principal) as reach:
                yield AskerReach(
                    sources=reach.sources,
                    directories=reach.directories,
                    own=reach.own,
                    missing=reach.missing,
                    profiles=held.profiles,
                )
        finally:
            held.questions -= 1
            self._tidy()

    async def exchange(self, profiles: Sequence[SourceProfile], sources: Mapping[str, Source]) -> None:
        """Ask these from now on, once they are ready; what is in neither is closed as soon as no question uses it."""
        new = self._made(profiles, sources)
        await new.reaches.prepare()
        self._old.append(self._now)
        self._now = new
        self._tidy()

    async def aclose(self) -> None:
        """Close every source; safe to call twice."""
        self._old, left = [], self._old
        await asyncio.gather(*self._closing, *(self._closed(each) for each in left), return_exceptions=True)
        await self._now.reaches.aclose()

    def _made(self, profiles: Sequence[SourceProfile], sources: Mapping[str, Source]) -> _SourceSet:
        return _SourceSet(tuple(profiles), sources, Reaches(sources, self._ttl, self._people))

    def _tidy(self) -> None:
        """Close what no question uses any more."""
        done = [each for each in self._old if not each.questions]
        self._old = [each for each in self._old if each.questions]
        for each in done:
            task = asyncio.get_running_loop().create_task(self._closed(each))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def _closed(self, left: _SourceSet) -> None:
        used = {id(source) for each in (self._now, *self._old) for source in each.sources.values()}
        await left.reaches.leave()
        await asyncio.gather(*(each.aclose() for each in left.sources.values() if id(each) not in used))
