"""What several processes keep together: passes taken, pauses asked for, sources left alone, pages remembered."""

from __future__ import annotations

from typing import Protocol

from translators.records import record
from translators.said import UNSAID, Said


@record
class RateDecision:
    """What became of a wish for a pass: seconds to wait for the next free one (0: taken), and of a pause that runs."""

    wait: float = 0.0
    pause: float = 0.0


TAKEN = RateDecision()


class Ledger(Protocol):
    """A store that processes share. No method raises for want of the store: each process then goes by what it knows.

    Keys are plain names; times are seconds.
    """

    @property
    def trouble(self) -> Said:
        """Why the store is not used at the moment, in words; empty while it is."""
        ...

    async def take(self, key: str, rate: int, period: float) -> RateDecision:
        """Take one of ``rate`` passes in any window of ``period``."""
        ...

    async def pause(self, key: str, seconds: float) -> None:
        """Tell everybody to leave ``key`` alone; a longer pause already running stands."""
        ...

    async def put(self, key: str, value: bytes, ttl: float) -> None:
        """Keep a value for a while."""
        ...

    async def get(self, key: str) -> tuple[bytes, float] | None:
        """A value that was kept, and how long it will be kept yet."""
        ...

    async def forget(self, key: str) -> None:
        """Keep a value no longer."""
        ...

    async def aclose(self) -> None:
        """Release connections; safe to call twice."""
        ...


class NoLedger:
    """For a process that is alone."""

    trouble = UNSAID

    async def take(self, key: str, rate: int, period: float) -> RateDecision:  # noqa: ARG002 — as the protocol has it
        return TAKEN

    async def pause(self, key: str, seconds: float) -> None:
        """Nobody else is there to be told."""

    async def put(self, key: str, value: bytes, ttl: float) -> None:
        """What this process remembers it keeps elsewhere."""

    async def get(self, key: str) -> tuple[bytes, float] | None:  # noqa: ARG002 — as the protocol has it
        return None

    async def forget(self, key: str) -> None:
        """Nothing is kept."""

    async def aclose(self) -> None:
        """Nothing is open."""


ALONE = NoLedger()
