"""Run a program to its end, within a time and a size, and leave nothing of it behind, whatever it started itself."""

from __future__ import annotations

import asyncio
import os
import signal
from subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING

from connectors.errors import SILENT, Unavailable
from connectors.http import MAX_REPLY_BYTES
from connectors.transport import oversized
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

GRACE = 0.5  # seconds in which what was killed must be gone; who left the session may hold a pipe for good


@record
class Ended:
    """How a program ended: its exit status (negative: the signal that ended it), and what it printed."""

    status: int
    output: bytes
    errors: bytes


async def run(arguments: Sequence[str], environment: Mapping[str, str], folder: Path, within: float) -> Ended:
    """Start ``arguments`` without a shell, without input, in a session of its own.

    Raises :class:`Unavailable` where it does not end in ``within`` seconds, :class:`connectors.errors.BadReply` where it
    prints more than any reply is read for, and ``OSError`` where it cannot be started.
    """
    starting = asyncio.ensure_future(
        asyncio.get_running_loop().subprocess_exec(
            _Watched,
            *arguments,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
        )
    )
    try:  # asyncio, cancelled in the midst of it, ends the program alone and waits for what that has started
        await asyncio.wait({starting})
    except asyncio.CancelledError:
        starting.add_done_callback(_end)
        raise
    transport, watched = starting.result()
    group = transport.get_pid()
    try:
        async with asyncio.timeout(within):
            await watched.exited
            _kill(group)  # what it started may hold its pipes open
            await asyncio.wait({watched.gone}, timeout=GRACE)
        return Ended(transport.get_returncode() or 0, bytes(watched.printed[1]), bytes(watched.printed[2]))
    except TimeoutError:
        raise Unavailable(SILENT.filled(seconds=within)) from None
    finally:
        _kill(group)
        transport.close()
        await asyncio.wait({watched.gone}, timeout=GRACE)


class _Watched(asyncio.SubprocessProtocol):
    """What one program prints; ``exited`` when it has, though others hold its pipes, ``gone`` when nobody does.

    Not :mod:`asyncio.subprocess`, which takes a program to run for as long as a pipe of it is open.
    """

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.printed = {1: bytearray(), 2: bytearray()}
        self.exited: asyncio.Future[None] = loop.create_future()
        self.gone: asyncio.Future[None] = loop.create_future()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        assert isinstance(data, bytes)
        held = self.printed[fd]
        if len(held) + len(data) <= MAX_REPLY_BYTES:
            held += data
        elif not self.exited.done():
            self.exited.set_exception(oversized())
            self.exited.exception()  # nobody may be waiting any more

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 — asyncio's signature
        if not self.gone.done():
            self.gone.set_result(None)


def _end(starting: asyncio.Future[tuple[asyncio.SubprocessTransport, _Watched]]) -> None:
    if starting.exception() is None:
        transport, _ = starting.result()
        _kill(transport.get_pid())
        transport.close()


def _kill(group: int) -> None:
    """The program and all that it started; its session is a process group of its own."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # all gone; or gone but not yet waited for, on some systems
        return
