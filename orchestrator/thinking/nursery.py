"""The first process, which has loaded everything, and those split off from it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from orchestrator.thinking.carrying import LENGTH, packed, unpacked
from orchestrator.thinking.errors import StartsAgain

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable

    from orchestrator.thinking.stages import Mind

PATIENCE = 1.0  # seconds for which a question waits where the first process has to be started again
COMMAND = (sys.executable, "-P", "-W", "ignore", "-m", "orchestrator.thinking.worker")


@dataclass(frozen=True, slots=True)
class WorkerChannel:
    """The way to one process that thinks, and the first process that it was split off from."""

    hear: asyncio.StreamReader
    speak: asyncio.StreamWriter
    process: int
    parent: Process

    async def exchange(self, message: Any) -> Any:
        """What it replies. Raises :class:`OSError` or :class:`asyncio.IncompleteReadError` where it has ended."""
        self.speak.write(packed(message))
        await self.speak.drain()
        return await received(self.hear)


async def received(hear: asyncio.StreamReader) -> Any:
    """One message."""
    return unpacked(await hear.readexactly(int.from_bytes(await hear.readexactly(LENGTH))))


class Nursery:
    """``make_mind`` (found by its name there) returns what the processes share; ``seconds`` of processor time are a call's."""

    def __init__(self, make_mind: Callable[[], Mind], seconds: float) -> None:
        self._recipe = (make_mind, seconds)
        self._starting: asyncio.Task[tuple[Process, socket.socket]] | None = None
        self._was_ready = False
        self._turn = asyncio.Lock()

    async def started(self) -> tuple[Process, socket.socket]:
        """The first process, ready, and the way to it. A start that failed, or has ended since, is made again.

        Whoever asks before it has ever been ready waits as long as that takes. Raises :class:`StartsAgain` later.
        """
        if self._starting is None or (self._starting.done() and self._is_lost(self._starting)):
            self._starting = asyncio.create_task(self._start())
        await asyncio.wait({self._starting}, timeout=PATIENCE if self._was_ready else None)
        if not self._starting.done():
            raise StartsAgain
        found = self._starting.result()
        self._was_ready = True
        return found

    @staticmethod
    def _is_lost(starting: asyncio.Task[tuple[Process, socket.socket]]) -> bool:
        return starting.cancelled() or starting.exception() is not None or starting.result()[0].returncode is not None

    def _lose(self, control: socket.socket) -> None:
        """It has hung up: that it ended is heard of later."""
        control.close()
        self._starting = None

    async def _start(self) -> tuple[Process, socket.socket]:
        """It gets the way to our packages and nothing else: what the environment holds is no business of a question's."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *COMMAND,
                stdin=theirs.fileno(),
                env={
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                    "PYTHONDONTWRITEBYTECODE": "1",
                    "LC_ALL": "C.UTF-8",
                },
            )
        try:
            ours.settimeout(0.0)
            await asyncio.get_running_loop().sock_sendall(ours, packed(self._recipe))
            await _told(ours)
        except BaseException:
            ours.close()
            if process.returncode is None:
                process.kill()
            raise
        return process, ours

    async def split(self) -> WorkerChannel:
        """One more process. Raises :class:`OSError` where there can be none, :class:`StartsAgain` where there is none yet."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                async with self._turn:
                    parent, process = await self._split(theirs)
            return WorkerChannel(*await asyncio.open_connection(sock=ours), process, parent)
        except BaseException:
            ours.close()
            raise

    async def _split(self, theirs: socket.socket) -> tuple[Process, int]:
        parent, control = await self.started()
        try:
            socket.send_fds(control, [b"split"], [theirs.fileno()])
            return parent, await _told(control)
        except OSError:  # somebody killed it; once, since one that cannot split would be started for ever
            self._lose(control)
        parent, control = await self.started()
        socket.send_fds(control, [b"split"], [theirs.fileno()])
        return parent, await _told(control)

    async def end_of(self, line: WorkerChannel) -> int:
        """How a process has ended, as :attr:`subprocess.Popen.returncode` says it; as killed where its parent is gone as well."""
        async with self._turn:
            if self._starting is None or not self._starting.done() or self._is_lost(self._starting):
                return -signal.SIGKILL
            parent, control = self._starting.result()
            if parent is not line.parent:
                return -signal.SIGKILL
            try:
                await asyncio.get_running_loop().sock_sendall(control, str(line.process).encode())
                return int(await _told(control))
            except OSError:
                self._lose(control)
                return -signal.SIGKILL

    async def aclose(self) -> None:
        """End the first process; the others end with their lines."""
        if self._starting is None:
            return
        self._starting.cancel()
        await asyncio.gather(self._starting, return_exceptions=True)
        if not self._starting.cancelled() and self._starting.exception() is None:
            process, control = self._starting.result()
            control.close()
            await process.wait()


async def _told(control: socket.socket) -> Any:
    loop, data = asyncio.get_running_loop(), b""
    while len(data) < LENGTH or len(data) < LENGTH + int.from_bytes(data[:LENGTH]):
        more = await loop.sock_recv(control, 4096)
        if not more:
            raise ConnectionError("the process that thinking processes are split off from has ended")
        data += more
    return unpacked(data[LENGTH:])
