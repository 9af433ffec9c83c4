"""Server-sent events (WHATWG HTML, "Server-sent events"), kept so that a reader who lost the connection can go on."""

from __future__ import annotations

import asyncio
import json
import secrets
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.http.problems import Refused
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from orchestrator.surfaces.http.limits import ApiLimits

HEARTBEAT = b": still working\n\n"


def frame(event_id: str, name: str, document: object) -> bytes:
    """One event. JSON has no line feeds, so that a text cannot end its event and begin another."""
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return f"id: {event_id}\nevent: {name}\ndata: {data}\n\n".encode("utf-8", "replace")


class Broadcast:
    """One running question, written down event by event; any number of readers, each from where they were."""

    def __init__(self, stream_id: str, owner: str, limits: ApiLimits) -> None:
        self.id = stream_id
        self.owner = owner
        self.ended = False
        self._limits = limits
        self._frames: list[bytes] = []
        self._grown = asyncio.Event()
        self._readers = 0
        self._task: asyncio.Task[None] | None = None

    def start(self, events: AsyncIterator[tuple[str, object]], when_over: Callable[[Broadcast], None]) -> None:
        """Begin to listen to ``events``."""
        self._task = asyncio.create_task(self._listen(events))
        self._task.add_done_callback(lambda _: when_over(self))

    async def read(self, after: int) -> AsyncIterator[bytes]:
        """Frames from number ``after`` on, and signs of life between them."""
        self._readers += 1
        try:
            while True:
                while after < len(self._frames):
                    after += 1
                    yield self._frames[after - 1]
                if self.ended:
                    return
                grown = self._grown
                try:
                    async with asyncio.timeout(self._limits.heartbeat):
                        await grown.wait()
                except TimeoutError:
                    yield HEARTBEAT
        finally:
            self._readers -= 1
            self._let_go()

    async def aclose(self) -> None:
        """Stop listening; readers get what there is and the end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _let_go(self) -> None:
        """Nobody reads: the question ends soon, unless the reader comes back."""
        if not self._readers and not self.ended:
            asyncio.get_running_loop().call_later(self._limits.linger, self._leave)

    def _leave(self) -> None:
        if not self._readers and self._task is not None:
            self._task.cancel()

    async def _listen(self, events: AsyncIterator[tuple[str, object]]) -> None:
        try:
            async with aclosing(events) as listened:  # type: ignore[type-var]
                async for name, document in listened:
                    self._say(name, document)
        finally:
            self.ended = True
            self._wake()

    def _say(self, name: str, document: object) -> None:
        self._frames.append(frame(f"{self.id}-{len(self._frames) + 1}", name, document))
        self._wake()

    def _wake(self) -> None:
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()


class Broadcasts:
    """Every stream that can be read. What has ended is kept for a while, and never shown to another caller."""

    def __init__(self, limits: ApiLimits) -> None:
        self._limits = limits
        self._known: dict[str, Broadcast] = {}

    def begin(self, owner: str, events: AsyncIterator[tuple[str, object]]) -> Broadcast:
        """A new stream of ``events``. Raises :class:`Refused` where too many are open."""
        if len(self._known) >= self._limits.streams:
            raise Refused(503, "too_many_streams", Said("too many streams are open; try again"), {"Retry-After": "1"})
        stream = Broadcast(secrets.token_hex(8), owner, self._limits)
        self._known[stream.id] = stream
        stream.start(events, self._over)
        return stream

    def resume(self, owner: str, last_event_id: str) -> tuple[Broadcast, int] | None:
        """The stream that an event belongs to, and how many of its events have been read; ``None`` if it is gone."""
        stream_id, _, number = last_event_id.partition("-")
        stream = self._known.get(stream_id)
        if stream is None or stream.owner != owner or not (number.isascii() and number.isdigit()):
            return None
        return stream, int(number[:9])

    async def aclose(self) -> None:
        """End them all."""
        await asyncio.gather(*(each.aclose() for each in list(self._known.values())))
        self._known.clear()

    def _over(self, stream: Broadcast) -> None:
        asyncio.get_running_loop().call_later(self._limits.kept, self._known.pop, stream.id, None)


def problem_event(code: str, detail: str) -> tuple[str, dict[str, Any]]:
    """What a stream says where it cannot go on."""
    return "problem", {"code": code, "detail": detail}
