"""A server of several processes: what splits them off watches them, puts another in the place of one that ended, and ends them in order.

It has one thread and no event loop, so that splitting off is safe at any time, and holds the sockets that are listened on: whoever
connects while a process is being replaced waits for the next.

Which processes of a server are ready: a byte for each, in memory that all of them share, however they were split off.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from connectors.errors import Misconfigured
from storage.logs import log_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    Beginning = Callable[[], AbstractContextManager[Callable[[], None]]]
    """Entered before each split: what the new process does, with what is prepared for it; left here, when it has been split off."""

NOT_YET, READY, LEAVING = 0, 1, 2


class Readiness:
    """``number``: the process that speaks. A server of one process has a board of its own."""

    def __init__(self, board: mmap.mmap | None = None, number: int = 0) -> None:
        self._board = board or mmap.mmap(-1, 1)
        self._number = number

    @classmethod
    def of(cls, count: int) -> tuple[Readiness, ...]:
        """One for each of ``count`` processes, to be made before they are split off."""
        board = mmap.mmap(-1, count)
        return tuple(cls(board, number) for number in range(count))

    @property
    def was(self) -> bool:
        """Whether this process has ever been ready."""
        return self._board[self._number] != NOT_YET

    @property
    def here(self) -> bool:
        """Whether this process is ready."""
        return self._board[self._number] == READY

    @property
    def everywhere(self) -> bool:
        """Whether all of them are."""
        return all(each == READY for each in self._board[:])

    def tell(self, what: int) -> None:
        """``READY``, or ``LEAVING`` once no question is taken any more; ``NOT_YET`` for one that is to take another's place."""
        self._board[self._number] = what


WATCHED = {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT}
PAUSE = 1.0  # seconds before another is put in the place of one that ended
BACKLOG = 2048
UNUSABLE = 2  # how a process ends whose settings cannot be used
log = log_of(__name__)


def doors(host: str, port: int, count: int = 1) -> tuple[socket.socket, ...]:
    """A listening socket for each process. Raises ``OSError`` where the port is taken.

    Linux deals connections out among sockets of one port; elsewhere all processes take them from one.
    """
    first = _door(host, port, shared=False)
    if count == 1 or sys.platform != "linux":
        return (first,) * count
    port = first.getsockname()[1]
    first.close()  # it has shown that nobody else is there, which sockets that share a port do not
    return tuple(_door(host, port, shared=True) for _ in range(count))


def address_of(door: socket.socket) -> str:
    """Where a door is, for people."""
    host, port, *_ = door.getsockname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _door(host: str, port: int, *, shared: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.create_server((host, port), family=family, backlog=BACKLOG, reuse_port=shared)
    # asyncio sees no TCP in a socket made so, and would leave Nagle's algorithm on: 40 ms for every reply.
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return door


class ServerProcesses:
    """``servers`` in the order of their ``readiness``; ``store`` is what they share, which begins first and ends last.

    ``ended`` is told the id of each that has.
    """

    def __init__(
        self,
        servers: Sequence[Beginning],
        readiness: Sequence[Readiness],
        store: Beginning,
        ended: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._beginnings = (*servers, store)
        self._readiness = readiness
        self._store = len(servers)
        self._ended = ended
        self._places: dict[int, int] = {}
        self._life = os.pipe()
        self._leaving = False
        self._failed = False
        self._unusable = False

    def run(self, listened: Sequence[socket.socket]) -> bool:
        """Until told to stop, or one never gets ready: whether all went well. ``listened`` is closed when it stops.

        Raises :class:`Misconfigured` where it never gets ready by its settings.
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        for place in (self._store, *range(self._store)):
            self._split(place)
        while set(self._places.values()) - {self._store}:
            if signal.sigwait(WATCHED) == signal.SIGCHLD:
                for process, code in _reaped():
                    self._gone(process, code)
            elif not self._leaving:
                self._leave()
            if self._leaving:
                for each in listened:
                    each.close()
        for process in self._places:  # the store
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)
        if self._unusable:
            raise Misconfigured("the settings cannot be used; a process of the server has said why")
        return not self._failed

    def _split(self, place: int) -> None:
        if place < self._store:
            self._readiness[place].tell(NOT_YET)
        with self._beginnings[place]() as work:
            process = os.fork()
            if not process:
                os.close(self._life[1])
                _work(work)
        self._places[process] = place

    def _gone(self, process: int, code: int) -> None:
        place = self._places.pop(process, None)
        if place is None:
            return  # nobody's place: what thinking processes are split off from
        self._ended(process)
        if self._leaving:
            return
        if place < self._store and not self._readiness[place].was:
            log.error("a process of the server ended before it was ready", process=process)
            self._failed, self._unusable = True, code == UNUSABLE
            self._leave()
            return
        log.error("a process of the server ended and is replaced", process=process)
        time.sleep(PAUSE)
        self._split(place)

    def _leave(self) -> None:
        self._leaving = True
        for process, place in self._places.items():
            if place != self._store:
                os.kill(process, signal.SIGTERM)

    @property
    def life(self) -> int:
        """The end of a pipe that closes when whoever splits off has ended, however that was."""
        return self._life[0]


def end_with(life: int) -> None:
    """Have this process, whose loop is running, leave as if told to when ``life`` closes."""
    loop = asyncio.get_running_loop()

    def leave() -> None:
        loop.remove_reader(life)
        os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(life, leave)


def _reaped() -> Iterator[tuple[int, int]]:
    """Each that has ended, and its exit code."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def _work(work: Callable[[], None]) -> NoReturn:
    """What a new process does, and nothing of what it was split off from."""
    code = 1
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        work()
        code = 0
    except Misconfigured as failure:
        code = UNUSABLE
        log.error("the settings cannot be used", said=failure.message)  # noqa: TRY400 - nothing is wrong with the program
    except BaseException:  # noqa: BLE001 — nothing above this belongs to the new process
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
