"""A ledger for the processes of one server: kept by one of them in memory, and asked by the others over a Unix socket.

Messages are a length and a ``marshal`` of plain values, answered in the order in which they came.
"""

from __future__ import annotations

import asyncio
import marshal
import secrets
import time
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any

from orchestrator.gather.ledger import RateDecision
from orchestrator.gather.shares import LONG_AGO, OwnPasses, SharedLog
from orchestrator.gather.store_link import StoreLink
from translators.said import UNSAID

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from translators.said import Said

SCHEME = "near:"
LENGTH = 8
MOST_BYTES = 64 * 2**20  # of values kept at once; what was put first goes first
MOST_KEYS = 10_000  # whose passes are remembered; who has been quiet longest is forgotten first


class LedgerBook:
    """What is kept; ``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST_BYTES) -> None:
        self._clock = clock
        self._most = most
        self._passes: OrderedDict[str, SharedLog] = OrderedDict()
        self._pauses: dict[str, float] = {}
        self._values: OrderedDict[str, tuple[bytes, float]] = OrderedDict()
        self._bytes = 0

    def take(
        self, key: str, rate: int, period: float, who: str = "", sharers: int = 1, *alone: float
    ) -> tuple[float, float, int]:
        """As :meth:`orchestrator.gather.ledger.Ledger.take`: to wait, of a pause, and how many are promised to ``who``."""
        now = self._clock()
        log = self._passes.setdefault(key, SharedLog())
        self._passes.move_to_end(key)
        while len(self._passes) > MOST_KEYS:
            self._passes.popitem(last=False)
        log.hear(now, who, alone)
        if (pause := self._pauses.get(key, now) - now) > 0.0:
            return 0.0, pause, log.promised(who)
        self._pauses.pop(key, None)
        wait, promised = log.take(now, rate, period, who, sharers)
        return wait, 0.0, promised

    def pause(self, key: str, seconds: float) -> None:
        """A longer pause already running stands."""
        until = self._clock() + seconds
        self._pauses[key] = max(until, self._pauses.get(key, until))

    def put(self, key: str, value: bytes, ttl: float) -> None:
        """Keep a value for a while."""
        self.forget(key)
        self._values[key] = (value, self._clock() + ttl)
        self._bytes += len(value)
        while self._bytes > self._most:
            self.forget(next(iter(self._values)))

    def get(self, key: str) -> tuple[bytes, float] | None:
        """A value that was kept, and how long it will be kept yet."""
        value, until = self._values.get(key, (b"", 0.0))
        left = until - self._clock()
        if left > 0.0:
            return value, left
        self.forget(key)
        return None

    def forget(self, key: str) -> None:
        """Keep a value no longer."""
        value, _ = self._values.pop(key, (b"", 0.0))
        self._bytes -= len(value)


async def keep_book(path: str, book: LedgerBook) -> asyncio.Server:
    """Answer whoever connects to ``path``, in a folder that only this OS user may enter."""

    async def answer(hear: asyncio.StreamReader, speak: asyncio.StreamWriter) -> None:
        try:
            while True:
                name, *arguments = await _received(hear)
                speak.write(_packed(getattr(book, name)(*arguments)))
                await speak.drain()
        except (OSError, asyncio.IncompleteReadError):
            speak.close()

    return await asyncio.start_unix_server(answer, path)  # in place of a socket that is there


def near_uri(path: Path, sharers: int) -> str:
    """The address of a book that so many processes share."""
    return f"{SCHEME}{sharers}:{path}"


class NearLedger:
    """One connection to the book at ``uri``, opened when first needed and again where it was lost."""

    def __init__(self, uri: str) -> None:
        sharers, _, self._path = uri.removeprefix(SCHEME).partition(":")
        self._sharers = int(sharers)
        self._name = secrets.token_hex(8)
        self._passes: dict[str, OwnPasses] = {}
        self._heard = LONG_AGO
        self._link = StoreLink(asyncio.IncompleteReadError)
        self._opening = asyncio.Lock()
        self._speak: asyncio.StreamWriter | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._awaited: deque[asyncio.Future[Any]] = deque()

    @property
    def trouble(self) -> Said:
        """Why the book is not used at the moment."""
        return self._link.trouble or UNSAID

    async def take(self, key: str, rate: int, period: float) -> RateDecision:
        """One of the rate's passes; without the book one that is promised to us, later one of our share."""
        loop, passes = asyncio.get_running_loop(), self._passes.setdefault(key, OwnPasses())
        asked = loop.time()
        told = await self._ask("take", key, rate, period, self._name, self._sharers, *passes.tell(asked, period))
        if told is None:
            return RateDecision(passes.take_alone(loop.time(), rate, period, self._sharers, self._heard))
        wait, pause, promised = told
        passes.told(asked, loop.time(), period, promised, taken=not wait and not pause)
        return RateDecision(wait, pause)

    async def pause(self, key: str, seconds: float) -> None:
        if seconds > 0:
            await self._ask("pause", key, seconds)

    async def put(self, key: str, value: bytes, ttl: float) -> None:
        await self._ask("put", key, value, ttl)

    async def get(self, key: str) -> tuple[bytes, float] | None:
        told: tuple[bytes, float] | None = await self._ask("get", key)
        return told

    async def forget(self, key: str) -> None:
        await self._ask("forget", key)

    async def aclose(self) -> None:
        if self._hearing is not None:
            self._hearing.cancel()
            await asyncio.gather(self._hearing, return_exceptions=True)

    # ---- over the socket

    async def _ask(self, *message: Any) -> Any:
        if not self._link.trouble:  # as if it had spoken: what others have taken until now is not known
            self._heard = asyncio.get_running_loop().time()
        return await self._link.asked(lambda: self._exchange(message))

    async def _exchange(self, message: tuple[Any, ...]) -> Any:
        """Whoever gives up waiting leaves an answer behind, which is thrown away when it comes."""
        async with self._opening:
            if self._speak is None:
                hear, self._speak = await asyncio.open_unix_connection(self._path)
                self._hearing = asyncio.create_task(self._hear(hear, self._speak), name="hear the near ledger")
            answer = asyncio.get_running_loop().create_future()
            self._awaited.append(answer)
            self._speak.write(_packed(message))
        return await answer

    async def _hear(self, hear: asyncio.StreamReader, speak: asyncio.StreamWriter) -> None:
        lost: Exception = ConnectionError("the ledger is closed")
        try:
            while True:
                told = await _received(hear)
                answer = self._awaited.popleft()
                if not answer.done():
                    answer.set_result(told)
        except (OSError, asyncio.IncompleteReadError) as failure:
            lost = failure
        finally:
            self._speak = None
            speak.close()
            while self._awaited:
                if not (answer := self._awaited.popleft()).done():
                    answer.set_exception(lost)


def _packed(value: Any) -> bytes:
    data = marshal.dumps(value)
    return len(data).to_bytes(LENGTH) + data


async def _received(hear: asyncio.StreamReader) -> Any:
    size = int.from_bytes(await hear.readexactly(LENGTH))
    return marshal.loads(await hear.readexactly(size))  # noqa: S302 — a process of ours, behind a socket of this OS user
