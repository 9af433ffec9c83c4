"""The first process, which has loaded everything, and those split off from it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from orchestrator.thinking.carrying import LENGTH, packed, unpacked

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable

    from orchestrator.thinking.stages import Mind

COMMAND = (sys.executable, "-P", "-W", "ignore", "-m", "orchestrator.thinking.worker")


@dataclass(frozen=True, slots=True)
class WorkerChannel:
    """The way to one process that thinks."""

    hear: asyncio.StreamReader
    speak: asyncio.StreamWriter
    process: int

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
        self._turn = asyncio.Lock()

    async def started(self) -> socket.socket:
        """The way to the first process, ready. A start that failed, or has ended since, is made again."""
        if self._starting is None or (self._starting.done() and self._is_lost(self._starting)):
            self._starting = asyncio.create_task(self._start())
        _, control = await asyncio.shield(self._starting)
        return control

    @staticmethod
    def _is_lost(starting: asyncio.Task[tuple[Process, socket.socket]]) -> bool:
        return starting.cancelled() or starting.exception() is not None or starting.result()[0].returncode is not None

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
        """One more process. Raises :class:`OSError` where there can be none."""
        ours, theirs = socket.socketpair()
        with theirs:
            async with self._turn:
                control = await self.started()
                socket.send_fds(control, [b"split"], [theirs.fileno()])
                process = await _told(control)
        return WorkerChannel(*await asyncio.open_connection(sock=ours), process)

    async def end_of(self, process: int) -> int:
        """How a process has ended, as :attr:`subprocess.Popen.returncode` says it."""
        async with self._turn:
            control = await self.started()
            await asyncio.get_running_loop().sock_sendall(control, str(process).encode())
            return int(await _told(control))

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
