"""Read once what several lists hold: the variants of a question, and questions that are alike, mostly find the same things.

The text of each page or mail costs a request of its own, which vendors count. What was read is shared between calls of
one credential only, and forgotten after a while.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.errors import LATE, SourceError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from connectors.contract import Call
    from connectors.exchange import HttpRequest, Reply

    ReadOutcome = Reply | SourceError
    SendAll = Callable[[Sequence[HttpRequest], Call], Awaitable[list[ReadOutcome]]]

KEPT_READS = 256

ReadKey = tuple[str, str]  # credential, request


class SharedReads:
    """Reads that are under way or were done in the last ``kept`` seconds, :data:`KEPT_READS` at most.

    A failed read is shared with those who wait for it, and not kept.
    """

    def __init__(self, kept: float) -> None:
        self._kept = kept
        self._reads: dict[ReadKey, tuple[float, asyncio.Future[ReadOutcome]]] = {}

    async def send_all(
        self, requests: Sequence[HttpRequest], call: Call, owner: str, send_all: SendAll
    ) -> list[ReadOutcome]:
        """Like ``send_all``, but only for what nobody of ``owner`` is reading or has just read."""
        self._forget()
        keys = [(owner, repr(request)) for request in requests]
        mine = [place for place, key in enumerate(keys) if key not in self._reads]
        for place in mine:
            self._reads[keys[place]] = (asyncio.get_running_loop().time(), asyncio.get_running_loop().create_future())
        reads = [self._reads[key][1] for key in keys]
        if mine:
            await self._read([requests[place] for place in mine], [keys[place] for place in mine], call, send_all)
        if reads:
            await asyncio.wait(reads, timeout=call.timeout)
        return [_outcome(read) for read in reads]

    def holds(self, request: HttpRequest, owner: str) -> bool:
        """Whether ``request`` would cost nothing."""
        return (owner, repr(request)) in self._reads

    def clear(self) -> None:
        """Forget everything."""
        for _, read in self._reads.values():
            read.cancel()
        self._reads.clear()

    async def _read(
        self, requests: Sequence[HttpRequest], keys: Sequence[ReadKey], call: Call, send_all: SendAll
    ) -> None:
        reads = [self._reads[key][1] for key in keys]
        try:
            for key, read, outcome in zip(keys, reads, await send_all(requests, call), strict=True):
                if not read.done():
                    read.set_result(outcome)
                if isinstance(outcome, SourceError):
                    self._reads.pop(key, None)
        finally:  # broken off: who waits for these reads is told, and the next one reads them anew
            for key, read in zip(keys, reads, strict=True):
                if read.cancel():
                    self._reads.pop(key, None)

    def _forget(self) -> None:
        """Too old, or too many: the oldest first."""
        oldest = asyncio.get_running_loop().time() - self._kept
        surplus = len(self._reads) - KEPT_READS
        for place, (key, (since, read)) in enumerate(list(self._reads.items())):
            if read.done() and (since < oldest or place < surplus):
                del self._reads[key]


def _outcome(read: asyncio.Future[ReadOutcome]) -> ReadOutcome:
    if read.done() and not read.cancelled():
        return read.result()
    return Unavailable(LATE)
