"""One message that changes while sources answer, no faster than the platform likes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from orchestrator.surfaces.bot.platform import PlatformRefused
from storage.logs import log_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from orchestrator.surfaces.bot.inquiring import AskingProgress
    from orchestrator.surfaces.bot.platform import IncomingQuestion, Message, Platform, Posted

ATTEMPTS = 3  # of the last edit, which must arrive
LONGEST_WAIT = 30.0  # seconds that are waited where the platform wants quiet

log = log_of(__name__)


class Showing:
    """``every``: seconds between two edits at least. An edit on the way that fails is lost; the last one is tried again."""

    def __init__(self, platform: Platform, asked: IncomingQuestion, posted: Posted, every: float) -> None:
        self._platform = platform
        self._asked = asked
        self._posted = posted
        self._every = every
        self._clock = asyncio.get_running_loop().time
        self._next = self._clock() + every

    @asynccontextmanager
    async def pacing(
        self, told: Callable[[AskingProgress], Awaitable[Message]]
    ) -> AsyncIterator[Callable[[AskingProgress], None]]:
        """Edits in the background for as long as the context lasts: whatever was noted last, as soon as it may be.

        An edit under way is waited for at the end, lest it arrive after what follows. Answers to one person by a reply
        address may be edited a few times only, and get the end alone.
        """
        pace = _Pace(self, told)
        task = asyncio.create_task(pace.run())
        try:
            yield (lambda _: None) if self._posted.reply else pace.note
        finally:
            async with pace.editing:
                task.cancel()
            await asyncio.wait([task])
            if not task.cancelled() and (failure := task.exception()) is not None:
                log.warning("bot edit", error=type(failure).__name__)  # the answer itself is still to come

    @property
    def wait(self) -> float:
        """Seconds until it may be edited again."""
        return max(0.0, self._next - self._clock())

    async def edit(self, message: Message) -> None:
        """Show what there is so far."""
        self._next = self._clock() + self._every
        try:
            await self._platform.edit(self._posted, message)
        except PlatformRefused as refusal:
            log.info("bot edit", said=refusal.message)
            self._next += min(refusal.retry_after or self._every, LONGEST_WAIT)

    async def finish(self, message: Message) -> None:
        """Show the end of it. Raises :class:`PlatformRefused` where the platform takes it in no way."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                await self._platform.edit(self._posted, message)
            except PlatformRefused as refusal:
                log.warning("bot edit", said=refusal.message, attempt=attempt)
                if attempt == ATTEMPTS:
                    break
                await asyncio.sleep(min(refusal.retry_after or self._every, LONGEST_WAIT))
            else:
                return
        await self._platform.post(self._asked, message)


class _Pace:
    """Shows the latest of what is noted, when its time has come."""

    def __init__(self, showing: Showing, told: Callable[[AskingProgress], Awaitable[Message]]) -> None:
        self.editing = asyncio.Lock()
        self._showing = showing
        self._told = told
        self._latest: AskingProgress | None = None
        self._noted = asyncio.Event()

    def note(self, progress: AskingProgress) -> None:
        self._latest = progress
        self._noted.set()

    async def run(self) -> None:
        while True:
            await self._noted.wait()
            await asyncio.sleep(self._showing.wait)
            self._noted.clear()
            if self._latest is not None:
                async with self.editing:
                    await self._showing.edit(await self._told(self._latest))
