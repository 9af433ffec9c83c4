"""Pages of hits for a short while, and one request for all who ask the same at the same time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from connectors.contract import HitPage

MOST_CHARACTERS = 16_000_000  # of text kept in all


@dataclass(frozen=True, slots=True)
class Kept:
    """A page, when it was fetched on the loop's clock, and its weight in characters."""

    page: HitPage
    at: float
    weight: int


@dataclass(slots=True)
class Flight:
    """A request under way and how many wait for it."""

    task: asyncio.Task[HitPage]
    waiting: int = 0


@dataclass(slots=True)
class PageCache:
    """Pages by whatever they depend on: source, native query, place, and whose rights they were read with (law 7).

    ``ttl`` in seconds. The least recently used go first when ``most`` pages or too much text would be kept.
    """

    ttl: float
    most: int = 2000
    _kept: OrderedDict[Hashable, Kept] = field(default_factory=OrderedDict)
    _flights: dict[Hashable, Flight] = field(default_factory=dict)
    _weight: int = 0

    def get(self, key: Hashable) -> tuple[HitPage, float] | None:
        """A page that is fresh enough, and its age in seconds."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        age = asyncio.get_running_loop().time() - kept.at
        if age >= self.ttl:
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return kept.page, age

    def put(self, key: Hashable, page: HitPage) -> None:
        """Keep a page."""
        if self.ttl <= 0:
            return
        self._drop(key)
        weight = sum(len(hit.snippet) + len(hit.title) for hit in page.hits)
        self._kept[key] = Kept(page, asyncio.get_running_loop().time(), weight)
        self._weight += weight
        while len(self._kept) > self.most or self._weight > MOST_CHARACTERS:
            self._drop(next(iter(self._kept)))

    async def once(self, key: Hashable, ask: Callable[[], Awaitable[HitPage]]) -> HitPage:
        """The page that ``ask`` fetches, fetched once for everybody who wants it meanwhile.

        Whoever leaves, leaves alone: the request is given up only when nobody waits for it any more.
        """
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = Flight(asyncio.ensure_future(ask()))
            flight.task.add_done_callback(lambda _: self._landed(key, flight))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._landed(key, flight)
                flight.task.cancel()
                await asyncio.wait([flight.task])

    def __len__(self) -> int:
        return len(self._kept)

    def _landed(self, key: Hashable, flight: Flight) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
        if flight.task.done() and not flight.task.cancelled():
            flight.task.exception()  # looked at, since all who waited for it may have left

    def _drop(self, key: Hashable) -> None:
        if (kept := self._kept.pop(key, None)) is not None:
            self._weight -= kept.weight
