"""A door in front of each server of the world: TCP, passed on, counted, and at times shut, cut, silent or slow."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHUNK = 1 << 16
REQUEST = re.compile(rb"(?:GET|POST|PUT|PATCH|DELETE) (\S{1,2000}) HTTP/1\.1\r\n")


class Door:
    """``target``: a port of this machine, or a Unix socket. ``asked`` hears the path of each HTTP request as it comes in.

    It hears them whatever the door does with them then: what is held back and let through at once was not asked at once.
    """

    def __init__(self, name: str, target: int | Path, asked: Callable[[str], None] | None = None) -> None:
        self.name = name
        self.target = target
        self.port = 0
        self._asked = asked
        self._shut = False
        self._slow = 0.0
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._ways: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._came, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self.cut()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    # ---- faults

    def cut(self) -> None:
        """End every connection in the middle of whatever it says."""
        for way in tuple(self._ways):
            way.transport.abort()

    def shut(self) -> None:
        """Nobody gets in, and who is in is thrown out."""
        self._shut = True
        self.cut()

    def silence(self) -> None:
        """Everybody gets in and nobody hears a word."""
        self._open.clear()

    def slow(self, seconds: float) -> None:
        """What the server says arrives so much later. What it is told does not, so that a vendor's count stays true."""
        self._slow = seconds

    def heal(self) -> None:
        self._shut, self._slow = False, 0.0
        self._open.set()

    # ---- passing on

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._shut:
            writer.transport.abort()
            return
        try:
            if isinstance(self.target, int):
                theirs = await asyncio.open_connection("127.0.0.1", self.target)
            else:
                theirs = await asyncio.open_unix_connection(str(self.target))
        except OSError:
            writer.transport.abort()
            return
        self._ways |= {writer, theirs[1]}
        ways = [
            asyncio.create_task(self._passed(reader, theirs[1], answers=False)),
            asyncio.create_task(self._passed(theirs[0], writer, answers=True)),
        ]
        self._passing.update(ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        self._passing.difference_update(ways)
        for each in (writer, theirs[1]):
            self._ways.discard(each)
            each.close()

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while said := await reader.read(CHUNK):
                if not answers and self._asked is not None and (found := REQUEST.match(said)):
                    self._asked(found[1].decode("latin-1"))
                await self._open.wait()
                if answers and self._slow:
                    await asyncio.sleep(self._slow)
                writer.write(said)
                await writer.drain()
