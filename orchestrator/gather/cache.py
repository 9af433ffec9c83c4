"""Pages of hits for a short while, and one request for all who ask the same at the same time."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectors.contract import HitPage
from orchestrator.codec import decode, encode
from orchestrator.gather.ledger import ALONE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from orchestrator.gather.ledger import Ledger

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

    ``ttl`` in seconds. The least recently used go first when ``most`` pages or too much text would be kept. What this
    process does not remember another may, by the ``ledger``.
    """

    ttl: float
    most: int = 2000
    ledger: Ledger = ALONE
    _kept: OrderedDict[str, Kept] = field(default_factory=OrderedDict)
    _flights: dict[str, Flight] = field(default_factory=dict)
    _weight: int = 0

    async def get(self, key: str) -> tuple[HitPage, float] | None:
        """A page that is fresh enough, and its age in seconds."""
        now = asyncio.get_running_loop().time()
        kept = self._kept.get(key)
        if kept is not None and now - kept.at < self.ttl:
            self._kept.move_to_end(key)
            return kept.page, now - kept.at
        self._drop(key)
        told = await self.ledger.get(f"page:{key}") if self.ttl > 0 else None
        if told is None or (page := _unpacked(told[0])) is None:
            return None
        age = max(0.0, self.ttl - told[1])
        self._keep(key, page, asyncio.get_running_loop().time() - age)
        return page, age

    def holds(self, key: str) -> bool:
        """Whether this process remembers a page that is fresh enough."""
        kept = self._kept.get(key)
        return kept is not None and asyncio.get_running_loop().time() - kept.at < self.ttl

    async def put(self, key: str, page: HitPage) -> None:
        """Keep a page."""
        if self.ttl <= 0:
            return
        self._keep(key, page, asyncio.get_running_loop().time())
        if self.ledger is not ALONE:
            await self.ledger.put(f"page:{key}", json.dumps(encode(page)).encode("ascii"), self.ttl)

    async def once(self, key: str, ask: Callable[[], Awaitable[HitPage]]) -> HitPage:
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

    def _keep(self, key: str, page: HitPage, at: float) -> None:
        self._drop(key)
        weight = sum(len(hit.snippet) + len(hit.title) for hit in page.hits)
        self._kept[key] = Kept(page, at, weight)
        self._weight += weight
        while len(self._kept) > self.most or self._weight > MOST_CHARACTERS:
            self._drop(next(iter(self._kept)))

    def _landed(self, key: str, flight: Flight) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
        if flight.task.done() and not flight.task.cancelled():
            flight.task.exception()  # looked at, since all who waited for it may have left

    def _drop(self, key: str) -> None:
        if (kept := self._kept.pop(key, None)) is not None:
            self._weight -= kept.weight


def _unpacked(data: bytes) -> HitPage | None:
    """A page that another process kept; ``None`` if its version writes pages in another way."""
    try:
        page = decode(json.loads(data))
    except (ValueError, KeyError, TypeError):
        return None
    return page if isinstance(page, HitPage) else None
