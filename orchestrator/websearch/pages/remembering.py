"""Remembers values for a while, and makes each only once however many ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


@record
class Remembered(Generic[T]):
    """A value, and how many seconds ago it was made (0.0 for one that was made now)."""

    value: T
    age: float


class ExpiringCache(Generic[T]):
    """``ttl`` seconds, at most ``most`` values; the one that was not asked for the longest goes first.

    Failures are not remembered: whoever waited for it gets it, the next one tries again.
    """

    def __init__(self, ttl: float, most: int, clock: Callable[[], float]) -> None:
        self._ttl = ttl
        self._most = most
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, T]] = OrderedDict()
        self._flights: dict[str, _Flight[T]] = {}

    async def get(self, key: str, make: Callable[[], Awaitable[T]]) -> Remembered[T]:
        """The value for ``key``. Making it ends with the last of those who wait for it."""
        if (found := self._found(key)) is not None:
            return found
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.ensure_future(self._made(key, make)))
        flight.waiting += 1
        try:
            return Remembered(await asyncio.shield(flight.task), 0.0)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                flight.task.cancel()
                self._forget(key, flight)  # whoever comes now must not wait for what is ending

    def drop(self, key: str) -> None:
        """Forget a value."""
        self._kept.pop(key, None)

    def _found(self, key: str) -> Remembered[T] | None:
        if key not in self._kept:
            return None
        made, value = self._kept[key]
        age = self._clock() - made
        if age >= self._ttl:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return Remembered(value, age)

    async def _made(self, key: str, make: Callable[[], Awaitable[T]]) -> T:
        flight = self._flights[key]
        try:
            value = await make()
        finally:
            self._forget(key, flight)
        self._kept[key] = (self._clock(), value)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value

    def _forget(self, key: str, flight: _Flight[T]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    async def aclose(self) -> None:
        """Give up on whatever is being made."""
        tasks = [flight.task for flight in self._flights.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
