"""The way to a store that processes share: one that does not answer is left alone for a moment, and told of once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from storage.logs import log_of
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")

PATIENCE = 0.25  # seconds for one answer of the store: a question must not wait for what only makes it cheaper
LAST_LOOK = 0.05  # and after that: who was held up itself finds the answer lying there
RETREAT = 2.0  # seconds before a store that failed is tried again
AWAY = Said("the store that processes share does not answer, so this one keeps to its share of the limits")

log = log_of(__name__)


class StoreLink:
    """``broken``: what a command raises where the store has failed, beside :class:`OSError` and being late.

    ``trouble``: why the store is not used at the moment, in words; empty while it is.
    """

    def __init__(self, *broken: type[Exception]) -> None:
        self._broken: tuple[type[Exception], ...] = (*broken, OSError, TimeoutError)
        self._away_until = 0.0
        self.trouble = UNSAID

    async def asked(self, command: Callable[[], Awaitable[T]]) -> T | None:
        """The store's answer; ``None`` while it has failed just before, or fails now."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._away_until:
            return None
        try:
            told = await _in_time(command())
        except self._broken as failure:
            self._away_until = loop.time() + RETREAT
            if not self.trouble:
                log.warning("shared store lost", error=type(failure).__name__)
            self.trouble = AWAY
            return None
        if self.trouble:
            log.warning("shared store is back")
        self.trouble = UNSAID
        return told


async def _in_time(command: Awaitable[T]) -> T:
    """What the store says. Raises ``TimeoutError`` where it is late, and not where this process was too busy to hear it."""
    asked = asyncio.ensure_future(command)
    try:
        for patience in (PATIENCE, LAST_LOOK):
            await asyncio.wait({asked}, timeout=patience)
        if not asked.done():
            raise TimeoutError
        return asked.result()
    finally:
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
