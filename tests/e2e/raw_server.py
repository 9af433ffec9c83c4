"""A server that says just what a test has it say, were it no HTTP at all."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Awaitable, Callable

    Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def raw_server(answer: Answering, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Where it is: on a loopback port. ``answer`` is called for each connection, which is closed when it returns, and at the end.

    What was accepted is known at once, so that at the end nothing is left that anybody would have to wait for:
    :func:`asyncio.start_server` tells of a connection some turns of the loop later.
    """
    loop = asyncio.get_running_loop()
    accepted: list[socket.socket] = []
    talking: set[asyncio.Task[None]] = set()

    def accept() -> None:
        with suppress(BlockingIOError):  # the client has gone again
            connection, _ = listening.accept()
            accepted.append(connection)
            talking.add(loop.create_task(_talk(connection, answer, tls)))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        loop.add_reader(listening, accept)
        try:
            yield f"{'https' if tls else 'http'}://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            loop.remove_reader(listening)
            for each in talking:
                each.cancel()
            said = await asyncio.gather(*talking, return_exceptions=True)
            for each in accepted:
                each.close()
    for each in said:
        if isinstance(each, Exception):
            raise each


async def _talk(connection: socket.socket, answer: Answering, tls: ssl.SSLContext | None) -> None:
    loop = asyncio.get_running_loop()
    connection.setblocking(False)
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    try:
        transport, _ = await loop.connect_accepted_socket(lambda: protocol, connection, ssl=tls)
    except OSError:
        return  # no handshake came about
    writer = asyncio.StreamWriter(transport, protocol, reader, loop)
    try:
        await answer(reader, writer)
        writer.close()
        await writer.wait_closed()
    except (OSError, asyncio.IncompleteReadError):
        pass  # the client has gone, which is what some of these tests are about
    finally:
        transport.abort()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
