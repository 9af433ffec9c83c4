"""What the bot must not forget: what it has heard, what threads are about, which answers it owes. Nothing of any answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from orchestrator.surfaces.bot.followups import Threads
from orchestrator.surfaces.bot.once import SeenEvents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orchestrator.surfaces.bot.platform import ChatLocation, Posted

OWED = 180.0  # seconds from a first message to its answer, far more than any takes: whoever began it is gone then


class Memory(Protocol):
    """A store that bots may share. No method raises for want of it: each bot then goes by what it knows."""

    @property
    def trouble(self) -> str:
        """Why only this process remembers at the moment, in words; empty while the store does."""
        ...

    async def is_new(self, identity: str) -> bool:
        """Whether to do it; for every other bot, and the next time, it is not. What has no id is always new."""
        ...

    async def subject(self, place: ChatLocation) -> str:
        """What was asked about last in a thread; "" where nothing was, or that was a day ago."""
        ...

    async def remember(self, place: ChatLocation, subject: str) -> None:
        """A question about this has been asked here."""
        ...

    async def owe(self, posted: Posted, language: str) -> None:
        """A message promises an answer, in this language."""
        ...

    async def settle(self, posted: Posted) -> None:
        """It holds the answer now, or says why there is none."""
        ...

    async def broken_off(self, team: str) -> Sequence[tuple[Posted, str]]:
        """Messages in a workspace whose answer nobody works on any more, with their languages; each is told once."""
        ...


class ProcessMemory:
    """For a process that nobody shares anything with: it forgets everything when it ends."""

    trouble = ""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._once = SeenEvents(clock)
        self._threads = Threads(clock)

    async def is_new(self, identity: str) -> bool:
        return self._once.is_new(identity)

    async def subject(self, place: ChatLocation) -> str:
        return self._threads.subject(place)

    async def remember(self, place: ChatLocation, subject: str) -> None:
        self._threads.remember(place, subject)

    async def owe(self, posted: Posted, language: str) -> None:
        """What this process owes ends with it."""

    async def settle(self, posted: Posted) -> None:
        """Nothing was written down."""

    async def broken_off(self, team: str) -> Sequence[tuple[Posted, str]]:  # noqa: ARG002 — as the protocol has it
        return ()
