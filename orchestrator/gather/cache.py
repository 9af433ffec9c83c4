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
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from orchestrator.gather.ledger import Ledger

MOST_CHARACTERS = 16_000_000  # of text kept in all
ORDERED = frozenset("\"'(){}[]<>=~|&,")  # of a query whose parts belong together
OPERATORS = frozenset({"AND", "OR", "NOT"})


@record
class Kept:
    """A page of at most ``limit`` hits, when it was fetched on the loop's clock, and its weight in characters."""

    page: HitPage
    limit: int
    at: float
    weight: int

    def serves(self, limit: int) -> bool:
        """Whether who wants that many hits has them: there are as many, or no more."""
        return self.page.cursor is None or self.limit >= limit


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

    async def get(self, key: str, limit: int) -> tuple[HitPage, float] | None:
        """A page that is fresh enough for who wants ``limit`` hits, and its age in seconds."""
        kept = self._fresh(key)
        if kept is None:
            self._drop(key)
        if kept is None or not kept.serves(limit):
            kept = await self._told(key)
            if kept is None or not kept.serves(limit):
                return None
            self._keep(key, kept)
        else:
            self._kept.move_to_end(key)
        return kept.page, asyncio.get_running_loop().time() - kept.at

    def holds(self, key: str, limit: int) -> bool:
        """Whether this process remembers a page that is fresh enough for who wants ``limit`` hits."""
        kept = self._fresh(key)
        return kept is not None and kept.serves(limit)

    async def put(self, key: str, page: HitPage, limit: int) -> None:
        """Keep a page of at most ``limit`` hits."""
        if self.ttl <= 0:
            return
        self._keep(key, Kept(page, limit, asyncio.get_running_loop().time(), _weight(page)))
        if self.ledger is not ALONE:
            told = json.dumps([limit, encode(page)]).encode("ascii")
            await self.ledger.put(f"page:{key}", told, self.ttl)

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

    def _fresh(self, key: str) -> Kept | None:
        kept = self._kept.get(key)
        return kept if kept is not None and asyncio.get_running_loop().time() - kept.at < self.ttl else None

    async def _told(self, key: str) -> Kept | None:
        """What another process keeps."""
        told = await self.ledger.get(f"page:{key}") if self.ttl > 0 else None
        if told is None or (found := _unpacked(told[0])) is None:
            return None
        page, limit = found
        return Kept(page, limit, asyncio.get_running_loop().time() - max(0.0, self.ttl - told[1]), _weight(page))

    def _keep(self, key: str, kept: Kept) -> None:
        self._drop(key)
        self._kept[key] = kept
        self._weight += kept.weight
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


def alike(text: str) -> str:
    """One text for all that differ in the order of their words alone, or in capitals; as it is where there may be operators or phrases."""
    parts = text.split()
    if not ORDERED.isdisjoint(text) or not OPERATORS.isdisjoint(parts):
        return text
    return " ".join(sorted(each.casefold() if each.isalpha() else each for each in parts))


def _weight(page: HitPage) -> int:
    return sum(len(hit.snippet) + len(hit.title) for hit in page.hits)


def _unpacked(data: bytes) -> tuple[HitPage, int] | None:
    """A page that another process kept, and the hits that it wanted; ``None`` if its version writes pages in another way."""
    try:
        limit, told = json.loads(data)
        page = decode(told)
    except (ValueError, KeyError, TypeError):
        return None
    return (page, limit) if isinstance(page, HitPage) and isinstance(limit, int) else None
