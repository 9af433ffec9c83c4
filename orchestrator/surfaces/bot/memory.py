"""What the bot must not forget: what it has heard already, what threads are about, which answers it owes. Nothing of any answer."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orchestrator.model import DialogueTurn
    from orchestrator.surfaces.bot.platform import ChatLocation, Posted

MOST = 20_000
SECONDS = 7200.0  # Slack's last repeat comes within an hour and a few minutes of the first delivery
MOST_THREADS = 5000
THREAD_SECONDS = 86400.0
OWED = 180.0  # seconds from a first message to its answer, far more than any takes: whoever began it is gone then


class SeenEvents:
    """Which ids have been heard, for two hours, in this process."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._heard: OrderedDict[str, float] = OrderedDict()

    def is_new(self, identity: str) -> bool:
        """Whether to do it; the next time it is not. What has no id cannot be told apart and is always new."""
        if not identity:
            return True
        now = self._clock()
        while self._heard and (len(self._heard) > MOST or next(iter(self._heard.values())) + SECONDS <= now):
            self._heard.popitem(last=False)
        if identity in self._heard:
            return False
        self._heard[identity] = now
        return True


class Threads:
    """The last question of each thread, for a day, in this process."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: OrderedDict[ChatLocation, tuple[DialogueTurn, float]] = OrderedDict()

    def turn(self, place: ChatLocation) -> DialogueTurn | None:
        """What was asked last; ``None`` where nothing was."""
        turn, at = self._known.get(place, (None, 0.0))
        return turn if at + THREAD_SECONDS > self._clock() else None

    def remember(self, place: ChatLocation, turn: DialogueTurn | None) -> None:
        """A question has been asked here."""
        if turn is None:
            return
        self._known[place] = turn, self._clock()
        self._known.move_to_end(place)
        while len(self._known) > MOST_THREADS:
            self._known.popitem(last=False)


class Memory(Protocol):
    """A store that bots may share. No method raises for want of it: each bot then goes by what it knows."""

    @property
    def trouble(self) -> str:
        """Why only this process remembers at the moment, in words; empty while the store does."""
        ...

    async def is_new(self, identity: str) -> bool:
        """Whether to do it; for every other bot, and the next time, it is not. What has no id is always new."""
        ...

    async def turn(self, place: ChatLocation) -> DialogueTurn | None:
        """What was asked last in a thread; ``None`` where nothing was, or that was a day ago."""
        ...

    async def remember(self, place: ChatLocation, turn: DialogueTurn | None) -> None:
        """A question has been asked here."""
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

    async def turn(self, place: ChatLocation) -> DialogueTurn | None:
        return self._threads.turn(place)

    async def remember(self, place: ChatLocation, turn: DialogueTurn | None) -> None:
        self._threads.remember(place, turn)

    async def owe(self, posted: Posted, language: str) -> None:
        """What this process owes ends with it."""

    async def settle(self, posted: Posted) -> None:
        """Nothing was written down."""

    async def broken_off(self, team: str) -> Sequence[tuple[Posted, str]]:  # noqa: ARG002 — as the protocol has it
        return ()
