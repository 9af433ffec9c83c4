"""The gate in front of one source: its rate limit, in order of arrival, and the pauses it asks for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from asyncio_throttle.throttler import Throttler

from connectors.errors import Throttled

if TYPE_CHECKING:
    from connectors.manifest import Limits

DEFAULT_PAUSE = 10.0  # seconds, where a source says "too many" but not for how long


class Gate:
    """At most ``limits.rate`` passes in ``limits.period`` seconds, never more (a sliding log, not a bucket).

    The lock makes it first come, first served and lets one waiter poll instead of all of them.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._throttler = Throttler(limits.rate, limits.period)
        self._queue = asyncio.Lock()
        self._paused_until = 0.0

    async def enter(self) -> None:
        """Wait for a turn. Raises :class:`Throttled` at once while the source has asked for quiet."""
        self._refuse_if_paused()
        async with self._queue:
            await self._throttler.acquire()  # type: ignore[no-untyped-call]
        self._refuse_if_paused()

    def pause(self, seconds: float | None) -> None:
        """Let nobody through for ``seconds``; a longer pause already running stands."""
        until = asyncio.get_running_loop().time() + (DEFAULT_PAUSE if seconds is None else seconds)
        self._paused_until = max(self._paused_until, until)

    @property
    def remaining_pause(self) -> float:
        """Seconds until the source may be asked again; 0 if now."""
        return max(0.0, self._paused_until - asyncio.get_running_loop().time())

    def describe(self) -> str:
        """The limit in words."""
        return f"{self._limits.rate} requests in {self._limits.period:g} s"

    def _refuse_if_paused(self) -> None:
        if (left := self.remaining_pause) > 0:
            raise Throttled(f"asked for a pause; {left:.0f} s of it are left", left)
