"""Who thinks: this process, or few worker processes that are started beforehand, ended when one takes too long, and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from orchestrator.thinking.errors import TookTooLong
from orchestrator.thinking.nursery import Nursery, WorkerChannel
from orchestrator.understand import warm

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

    from orchestrator.thinking.stages import Mind

T = TypeVar("T")

MOST_KEPT = 8
"""Directories that a process keeps, so that a large one is carried once and not with each question."""


class Thinking(Protocol):
    """``function(mind, *arguments)``, wherever that is. ``kept``: a last argument that comes again with other calls."""

    async def run(self, function: Callable[..., T], *arguments: Any, kept: Any = None) -> T:
        """Raises :class:`NobodyRead`, and what the function raises."""
        ...

    def ahead(self, function: Callable[..., None], *arguments: Any) -> None:
        """What makes a later call shorter, where that can be done beside waiting; it may come to nothing."""
        ...

    async def prepare(self, *, korean: bool = True) -> None:
        """Load what the first call would wait for, with the morphology of Korean or without."""
        ...

    async def aclose(self) -> None:
        """Safe to call twice."""
        ...


class Here:
    """In this process, where nothing ends it but its user: for a command that answers one person."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    async def run(self, function: Callable[..., T], *arguments: Any, kept: Any = None) -> T:
        """At once."""
        return function(self._mind, *arguments, *([] if kept is None else [kept]))

    def ahead(self, function: Callable[..., None], *arguments: Any) -> None:
        """At once."""
        function(self._mind, *arguments)

    async def prepare(self, *, korean: bool = True) -> None:
        """Beside the loop."""
        if korean:
            await asyncio.to_thread(warm)

    async def aclose(self) -> None:
        """There is nothing to do."""


class Workers:
    """``count`` processes, each with the mind that ``make_mind`` (found by its name there) returns.

    A call may use ``seconds`` of its process's processor time. Calls wait their turn, first come first served. ``ready_made``: the
    way to a process that has loaded what they need (:class:`orchestrator.thinking.nursery.SharedNursery`).
    """

    def __init__(
        self, make_mind: Callable[[], Mind], seconds: float, count: int, ready_made: socket | None = None
    ) -> None:
        self._nursery = Nursery(make_mind, seconds, ready_made)
        self._slots = [_Slot(self._nursery) for _ in range(count)]
        self._free: asyncio.Queue[_Slot] = asyncio.Queue()
        for slot in self._slots:
            self._free.put_nowait(slot)
        self._calls: set[asyncio.Task[Any]] = set()

    async def run(self, function: Callable[..., T], *arguments: Any, kept: Any = None) -> T:
        """A call that nobody waits for any more still comes to its end: its process is not to be lost with it."""
        slot = await self._free.get()
        call = asyncio.create_task(self._asked(slot, (function, arguments), kept))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        return await asyncio.shield(call)

    async def _asked(self, slot: _Slot, call: tuple[Any, Any], kept: Any) -> Any:
        try:
            fine, value = await slot.ask(call, kept)
        finally:
            self._free.put_nowait(slot)
        if not fine:
            raise value
        return value

    def ahead(self, function: Callable[..., None], *arguments: Any) -> None:
        """Nothing: the later call may be another process's."""

    async def prepare(self, *, korean: bool = True) -> None:
        """Load what they share. Raises :class:`OSError` where no process can be started."""
        await self._nursery.started(korean=korean)
        if korean:
            await self._nursery.learn_korean()

    async def aclose(self) -> None:
        """Those at work end with their call, which is bounded."""
        for call in list(self._calls):
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        for slot in self._slots:
            slot.close()
        await self._nursery.aclose()


class _Killed(RuntimeError):
    """Its process was ended by somebody else, whatever the call."""


class _Slot:
    """The place of one process: another is split off where one has ended."""

    def __init__(self, nursery: Nursery) -> None:
        self._nursery = nursery
        self._line: WorkerChannel | None = None
        self._kept: OrderedDict[int, Any] = OrderedDict()
        self._generation = 0

    async def ask(self, call: tuple[Any, Any], kept: Any) -> tuple[bool, Any]:
        """Whether the call went well, and what came of it. Raises :class:`TookTooLong`, :class:`StartsAgain`.

        A process that somebody killed (the system does, where memory is short) costs nobody an answer: it is asked of another, once.
        """
        with contextlib.suppress(_Killed):
            return await self._asked(call, kept)
        return await self._asked(call, kept)

    async def _asked(self, call: tuple[Any, Any], kept: Any) -> tuple[bool, Any]:
        if self._generation != self._nursery.generation:
            self.close()
        line = self._line = self._line or await self._nursery.split()
        self._generation = self._nursery.generation
        finished = False
        try:
            reply: tuple[bool, Any] = await line.exchange((*call, *self._remembered(kept)))
            finished = True
        except (OSError, asyncio.IncompleteReadError):
            code = await self._nursery.end_of(line)
            if code == -signal.SIGPROF:
                raise TookTooLong from None
            kind = _Killed if code == -signal.SIGKILL else RuntimeError
            raise kind(f"a process that thinks has ended with {code}") from None
        finally:
            if not finished:
                self.close()
        return reply

    def _remembered(self, kept: Any) -> tuple[int | None, Any, int | None]:
        """Its key, itself where the process does not have it, and the key of what it may forget."""
        if kept is None:
            return None, None, None
        key, forgotten = id(kept), None  # what is kept here keeps its identity
        if key in self._kept:
            self._kept.move_to_end(key)
            return key, None, None
        if len(self._kept) == MOST_KEPT:
            forgotten, _ = self._kept.popitem(last=False)
        self._kept[key] = kept
        return key, kept, forgotten

    def close(self) -> None:
        """Its process ends when it is done with its call; it is not asked again."""
        if self._line is not None:
            self._line.speak.close()
        self._line = None
        self._kept.clear()
