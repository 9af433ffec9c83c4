"""The stage for exemplars of sources that speak in lines: a loopback server that holds one side of a conversation."""

from __future__ import annotations

import asyncio
import base64
import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Self

from connectors.testing.exemplar import Counted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from connectors.testing.exemplar import LineExchange

LONGEST_LINE = 1 << 24
ENCODED = re.compile(r"\{base64:(.*?)\}", re.DOTALL)


@dataclass
class LineStage:
    """Plays ``lines`` in order: each is a line that must come next and what is answered to it.

    The first is answered as soon as somebody connects, and so is every other that expects nothing. ``scheme`` is
    that of the address. ``stall_at``: the exchange, counted from 1, that gets no answer at all. ``surprises``: what
    was not as expected.
    """

    lines: Sequence[LineExchange]
    token: str
    scheme: str
    stall_at: int = 0
    surprises: list[str] = field(default_factory=list)
    requests: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    strays: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.unplayed = list(self.lines)
        self._conversations: dict[asyncio.StreamWriter, asyncio.Task[object] | None] = {}
        self._servers: list[asyncio.Server] = []
        self.url = self._elsewhere = ""

    async def __aenter__(self) -> Self:
        self._elsewhere = await self._listen(self._stray)
        self.url = await self._listen(self._converse)
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in self._servers:
            server.close()
        for writer in self._conversations:
            writer.transport.abort()
        await asyncio.gather(*filter(None, self._conversations.values()))
        for server in self._servers:
            await server.wait_closed()

    @property
    def open_connections(self) -> int:
        """How many connections are open now."""
        return len(self._conversations)

    async def _listen(self, serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> str:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._conversations[writer] = asyncio.current_task()
            try:
                await serve(reader, writer)
            except ConnectionError:
                pass
            finally:
                writer.transport.abort()
                del self._conversations[writer]

        server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=LONGEST_LINE)
        self._servers.append(server)
        host, port = server.sockets[0].getsockname()[:2]
        return f"{self.scheme}://{host}:{port}"

    async def _stray(self, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        self.strays.append("a connection")
        await reader.read()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came = ""
        while await self._answer(came, reader, writer):
            line = await reader.readline()
            if not line:
                return
            came = line.decode("utf-8", "backslashreplace").removesuffix("\n").removesuffix("\r")

    async def _answer(self, came: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer a line, if it is the one to come; whether the conversation goes on."""
        self.requests += bool(came)
        if len(self.lines) - len(self.unplayed) + 1 == self.stall_at:
            self.arrived.set()
            await reader.read()
            return False
        wanted = self._wanted(self.unplayed[0]) if self.unplayed else None
        if wanted != came:
            self.surprises.append(
                f"nobody expected {came!r}" if wanted is None else f"{wanted!r} was expected, {came!r} came"
            )
            return False
        exchange = self.unplayed.pop(0)
        writer.write(self._said(exchange))
        await writer.drain()
        return not exchange.hang_up

    def _wanted(self, exchange: LineExchange) -> str:
        said = exchange.send.replace("{token}", self.token)
        return ENCODED.sub(lambda part: base64.b64encode(part[1].encode()).decode("ascii"), said)

    def _said(self, exchange: LineExchange) -> bytes:
        """The reply as bytes: a counted text stands between the string before it and the one after it."""
        said = b""
        for piece, following in zip_longest(exchange.reply, exchange.reply[1:]):
            if isinstance(piece, Counted):
                data = piece.literal.replace("\n", "\r\n").encode(piece.charset)
                said += b"{%d}\r\n%s" % (len(data), data)
            else:
                said += piece.replace("{elsewhere}", self._elsewhere).encode()
                said += b"" if isinstance(following, Counted) else b"\r\n"
        return said + b" " * exchange.filler
