"""Who thinks: this process, or few worker processes that are started beforehand, ended when one takes too long, and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from orchestrator.thinking.carrying import ToldTopics
from orchestrator.thinking.nursery import Nursery, TookTooLong, WorkerChannel
from orchestrator.understand import warm

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from socket import socket

    from orchestrator.thinking.stages import Mind

T = TypeVar("T")


class Thinking(Protocol):
    """``function(mind, *arguments)``, wherever that is.

    ``about``: the memo of a question or a directory among the arguments, which other calls are about as well.
    """

    async def run(self, function: Callable[..., T], *arguments: Any, about: object = None) -> T:
        """Raises :class:`NobodyRead`, and what the function raises."""
        ...

    def ahead(self, function: Callable[..., object], *arguments: Any, about: object) -> None:
        """What makes a later call about the same shorter, where that can be done beside waiting; it may come to nothing."""
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

    async def run(self, function: Callable[..., T], *arguments: Any, about: object = None) -> T:  # noqa: ARG002
        """At once."""
        return function(self._mind, *arguments)

    def ahead(self, function: Callable[..., object], *arguments: Any, about: object) -> None:  # noqa: ARG002
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

    A call may use ``seconds`` of its process's processor time. Calls wait their turn, first come first served; what is read ahead takes
    the turns that nobody waits for, all of a question in one process, where its later calls go if that is free. ``ready_made``: the
    way to a process that has loaded what they need (:class:`orchestrator.thinking.nursery.SharedNursery`). ``folder``: where large
    memory may be left in a file.
    """

    def __init__(
        self,
        make_mind: Callable[[], Mind],
        seconds: float,
        count: int,
        ready_made: socket | None = None,
        folder: Path | None = None,
    ) -> None:
        self._nursery = Nursery(make_mind, seconds, ready_made, folder)
        self._slots = [_Slot(self._nursery) for _ in range(count)]
        self._idle = list(self._slots)
        self._waiting: list[_Waiting] = []
        self._calls: set[asyncio.Task[Any]] = set()
        self._unread: list[_Unread] = []
        self._reading: set[int] = set()
        self._too_long: WeakValueDictionary[int, Any] = WeakValueDictionary()

    async def run(self, function: Callable[..., T], *arguments: Any, about: object = None) -> T:
        """A call that nobody waits for any more still comes to its end: its process is not to be lost with it."""
        self._leave_unread(about)
        slot = await self._turn(about)
        if id(about) in self._too_long:
            self._over(slot)
            raise TookTooLong
        return await asyncio.shield(self._begun(self._asked(slot, (function, arguments), about)))

    def ahead(self, function: Callable[..., object], *arguments: Any, about: object) -> None:
        """When a process has nothing else to do. What took too long once is not begun again."""
        if id(about) not in self._too_long:
            self._unread.append(_Unread(about, (function, arguments)))
            self._use_leisure()

    async def _turn(self, about: object) -> _Slot:
        """A process; that which reads ahead just now about the same is waited for."""
        waiting = _Waiting(about, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._serve()
        try:
            return await waiting.slot
        except asyncio.CancelledError:
            if not waiting.slot.cancelled():
                self._over(waiting.slot.result())
            raise

    def _over(self, slot: _Slot) -> None:
        """Its call has ended: the next may begin."""
        self._idle.append(slot)
        self._serve()
        self._use_leisure()

    def _serve(self) -> None:
        """Give idle processes to who waits, first come first served; who stopped waiting is let go."""
        for waiting in tuple(self._waiting):
            free = self._idle and id(waiting.about) not in self._reading
            if free and not waiting.slot.done():
                slot = next((each for each in self._idle if waiting.about in each), self._idle[0])
                self._idle.remove(slot)
                waiting.slot.set_result(slot)
            if waiting.slot.done():
                self._waiting.remove(waiting)

    def _use_leisure(self) -> None:
        """Begin to read ahead what an idle process may: of a question that a process knows, that alone, one call after the other."""
        for slot in tuple(self._idle):
            others = [each for each in self._slots if each is not slot]
            for unread in self._unread:
                about = unread.about
                if id(about) not in self._reading and (about in slot or not any(about in each for each in others)):
                    self._unread.remove(unread)
                    self._idle.remove(slot)
                    self._reading.add(id(about))
                    self._begun(self._read(slot, unread))
                    break

    async def _read(self, slot: _Slot, unread: _Unread) -> None:
        """Whatever else goes wrong goes wrong again in the call that this was to make shorter, and is told there."""
        try:
            await slot.ask(unread.call, unread.about)
        except TookTooLong:
            self._too_long[id(unread.about)] = unread.about
            self._leave_unread(unread.about)
        except Exception:  # noqa: BLE001, S110
            pass
        finally:
            self._reading.discard(id(unread.about))
            self._over(slot)

    def _leave_unread(self, about: object) -> None:
        self._unread = [each for each in self._unread if each.about is not about]

    async def _asked(self, slot: _Slot, call: tuple[Any, Any], about: object) -> Any:
        try:
            fine, value = await slot.ask(call, about)
        finally:
            self._over(slot)
        if not fine:
            raise value
        return value

    def _begun(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return task

    async def prepare(self, *, korean: bool = True) -> None:
        """Load what they share, and split them off: none can be while Korean is learnt, and who asks in English does not wait for that.

        Raises :class:`OSError` where no process can be started.
        """
        await self._nursery.started(korean=korean)
        for slot in self._slots:
            if slot in self._idle and not slot.has_process:
                self._idle.remove(slot)
                try:
                    await slot.begin()
                finally:
                    self._over(slot)
        if korean:
            await self._nursery.learn_korean()

    async def aclose(self) -> None:
        """Those at work end with their call, which is bounded."""
        self._unread.clear()
        for call in list(self._calls):
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        for slot in self._slots:
            slot.close()
        await self._nursery.aclose()


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """For a process, to ask it about something."""

    about: object
    slot: asyncio.Future[_Slot]


@dataclass(frozen=True, slots=True, eq=False)
class _Unread:
    """A call that reads ahead, for when there is leisure."""

    about: object
    call: tuple[Any, Any]


class _Killed(RuntimeError):
    """Its process was ended by somebody else, whatever the call."""


class _Slot:
    """The place of one process: another is split off where one has ended."""

    def __init__(self, nursery: Nursery) -> None:
        self._nursery = nursery
        self._line: WorkerChannel | None = None
        self._known = ToldTopics()
        self._generation = 0

    def __contains__(self, about: object) -> bool:
        """Whether its process has been told of it."""
        return about in self._known

    @property
    def has_process(self) -> bool:
        """Whether one was split off, and was not heard to have ended."""
        return self._line is not None

    async def begin(self) -> WorkerChannel:
        """The way to it; it is split off if there is none."""
        line = self._line = self._line or await self._nursery.split()
        self._generation = self._nursery.generation
        return line

    async def ask(self, call: tuple[Any, Any], about: object) -> tuple[bool, Any]:
        """Whether the call went well, and what came of it. Raises :class:`TookTooLong`, :class:`StartsAgain`.

        A process that somebody killed (the system does, where memory is short) costs nobody an answer: it is asked of another, once.
        """
        with contextlib.suppress(_Killed):
            return await self._asked(call, about)
        return await self._asked(call, about)

    async def _asked(self, call: tuple[Any, Any], about: object) -> tuple[bool, Any]:
        if self._generation != self._nursery.generation:
            self.close()
        line = await self.begin()
        things, forgotten = self._known.of(about)
        finished = False
        try:
            reply: tuple[bool, Any] = await line.exchange((*call, forgotten), things)
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

    def close(self) -> None:
        """Its process ends when it is done with its call; it is not asked again."""
        if self._line is not None:
            self._line.speak.close()
        self._line = None
        self._known.clear()
