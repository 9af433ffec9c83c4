"""The first process, which has loaded everything, and those split off from it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from orchestrator.thinking.carrying import KOREAN, LENGTH, NURSERY, THINKER, packed, unpacked
from translators.records import record

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable
    from pathlib import Path

    from orchestrator.thinking.carrying import KnownThings
    from orchestrator.thinking.stages import Mind


class NobodyRead(Exception):
    """No process has read it."""


class TookTooLong(NobodyRead):
    """A call used up its processor time; its process is gone."""


class StartsAgain(NobodyRead):
    """The process that the others are split off from has ended, and the next one is not ready yet."""


PATIENCE = 1.0  # seconds for which a question waits where the first process has to be started again
COMMAND = (sys.executable, "-P", "-W", "ignore", "-m", "orchestrator.thinking.worker")


@record
class WorkerChannel:
    """The way to one process that thinks, and to the first process that it was split off from."""

    hear: asyncio.StreamReader
    speak: asyncio.StreamWriter
    process: int
    parent: socket.socket

    async def exchange(self, message: Any, things: KnownThings) -> Any:
        """What it replies. Raises :class:`OSError` or :class:`asyncio.IncompleteReadError` where it has ended."""
        self.speak.write(packed(message, things.taught, things.kinds))
        await self.speak.drain()
        return unpacked(await self.hear.readexactly(int.from_bytes(await self.hear.readexactly(LENGTH))), things)


class Nursery:
    """``make_mind`` (found by its name there) returns what the processes share; ``seconds`` of processor time are a call's.

    ``ready_made``: the way to a first process that somebody else has started, to begin with; it knows Korean.
    ``folder``: where large memory may be left in a file (:mod:`orchestrator.thinking.paging`).
    ``generation`` changes when those split off before know less than those to come.
    """

    def __init__(
        self,
        make_mind: Callable[[], Mind],
        seconds: float,
        ready_made: socket.socket | None = None,
        folder: Path | None = None,
    ) -> None:
        self._recipe = (make_mind, seconds, folder)
        self._ready_made = ready_made
        self._korean = True
        self._learning: asyncio.Task[None] | None = None
        self.generation = 0
        self._starting: asyncio.Task[tuple[Process | None, socket.socket]] | None = None
        self._was_ready = False
        self._turn = asyncio.Lock()

    async def started(self, *, korean: bool | None = None) -> tuple[Process | None, socket.socket]:
        """The first process, if it is ours, ready, and the way to it. A start that failed, or has ended since, is made again.

        ``korean``: whether one that is started now loads the morphology of Korean; unsaid, as it was. Whoever asks before it has
        ever been ready waits as long as that takes. Raises :class:`StartsAgain` later.
        """
        if self._starting is None or (self._starting.done() and self._is_lost(self._starting)):
            self._korean = self._korean if korean is None or self._ready_made else korean
            self._starting = asyncio.create_task(self._start())
        await asyncio.wait({self._starting}, timeout=PATIENCE if self._was_ready else None)
        if not self._starting.done():
            raise StartsAgain
        found = self._starting.result()
        self._was_ready = True
        return found

    async def learn_korean(self) -> None:
        """Whoever gives up waiting leaves it to be learnt."""
        await self.started(korean=True)
        if self._korean:
            return
        if self._learning is None or self._learning.done():
            self._learning = asyncio.create_task(self._learn(), name="load the morphology of Korean")
        await asyncio.shield(self._learning)

    async def _learn(self) -> None:
        async with self._turn:
            _, control = await self.started(korean=True)
            if not self._korean:
                try:
                    await asyncio.get_running_loop().sock_sendall(control, KOREAN)
                    await _told(control)
                except OSError:  # somebody killed it; the next one is started with what is known to be needed
                    self._lose(control)
                self._korean = True
                self.generation += 1

    @staticmethod
    def _is_lost(starting: asyncio.Task[tuple[Process | None, socket.socket]]) -> bool:
        if starting.cancelled() or starting.exception() is not None:
            return True
        process, control = starting.result()
        return has_ended(control) if process is None else process.returncode is not None

    def _lose(self, control: socket.socket) -> None:
        """It has hung up: that it ended is heard of later."""
        control.close()
        self._starting = None

    async def _start(self) -> tuple[Process | None, socket.socket]:
        ready_made, self._ready_made = self._ready_made, None
        if ready_made is not None:
            ready_made.settimeout(0.0)
            with suppress(OSError):
                await _told(ready_made)
                return None, ready_made
            ready_made.close()
        ours, theirs = socket.socketpair()
        with theirs:
            process = await asyncio.create_subprocess_exec(*COMMAND, stdin=theirs.fileno(), env=environment())
        try:
            ours.settimeout(0.0)
            await asyncio.get_running_loop().sock_sendall(ours, packed((*self._recipe, self._korean)))
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

    async def _split(self, theirs: socket.socket) -> tuple[socket.socket, int]:
        _, control = await self.started()
        try:
            socket.send_fds(control, [THINKER], [theirs.fileno()])
            return control, await _told(control)
        except OSError:  # somebody killed it; once, since one that cannot split would be started for ever
            self._lose(control)
        _, control = await self.started()
        socket.send_fds(control, [THINKER], [theirs.fileno()])
        return control, await _told(control)

    async def end_of(self, line: WorkerChannel) -> int:
        """How a process has ended, as :attr:`subprocess.Popen.returncode` says it; as killed where its parent is gone as well."""
        async with self._turn:
            if self._starting is None or not self._starting.done() or self._is_lost(self._starting):
                return -signal.SIGKILL
            _, control = self._starting.result()
            if control is not line.parent:
                return -signal.SIGKILL
            try:
                await asyncio.get_running_loop().sock_sendall(control, str(line.process).encode())
                return int(await _told(control))
            except OSError:
                self._lose(control)
                return -signal.SIGKILL

    async def aclose(self) -> None:
        """End the first process; the others end with their lines."""
        if self._ready_made is not None:  # nobody needed it
            self._ready_made.close()
        if self._starting is None:
            return
        tasks = [self._starting, *([self._learning] if self._learning else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if not self._starting.cancelled() and self._starting.exception() is None:
            process, control = self._starting.result()
            control.close()
            if process is not None:
                await process.wait()


class SharedNursery:
    """A first process for several servers, started by whoever splits those off; each gets the way to a nursery of its own.

    For a process without an event loop: it waits for nothing.
    """

    def __init__(self, make_mind: Callable[[], Mind], seconds: float, folder: Path | None = None) -> None:
        self._recipe = (make_mind, seconds, folder, True)
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def branch(self) -> socket.socket:
        """The way to one more process that splits off, which says so there when it is ready."""
        if self._control is None or has_ended(self._control):
            self._control = self._start()
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [NURSERY], [theirs.fileno()])
        return ours

    def close(self) -> None:
        """End it; what was split off ends with those whom it works for."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(COMMAND, stdin=theirs.fileno(), env=environment())  # noqa: S603 — ours
        ours.sendall(packed(self._recipe))
        return ours


def environment() -> dict[str, str]:
    """The way to our packages and how to use memory; what else the environment holds is no business of a question's."""
    return {
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
        "MIMALLOC_PURGE_DELAY": "0",  # the morphology's memory that is free again goes back to the system at once
    }


def has_ended(control: socket.socket) -> bool:
    """Whether nobody is at the other end any more."""
    try:
        return not control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


async def _told(control: socket.socket) -> Any:
    loop, data = asyncio.get_running_loop(), b""
    while len(data) < LENGTH or len(data) < LENGTH + int.from_bytes(data[:LENGTH]):
        more = await loop.sock_recv(control, 4096)
        if not more:
            raise ConnectionError("the process that thinking processes are split off from has ended")
        data += more
    return unpacked(data[LENGTH:])
