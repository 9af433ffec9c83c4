"""The process that others are split off from, ``python -m orchestrator.thinking.worker``, and what these do.

It loads what thinking needs once, then splits off a process for each socket it is handed: that takes milliseconds, and they
share its memory. A server of several processes has one for each that only splits off, beside the one that loaded. One that thinks answers one call after the other. Each call may take so many seconds of processor time; then
the system ends the process, whatever it is in: a handler of our own would wait for the very call that does not end.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import traceback
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, BinaryIO

from connectors.contract import Hit
from orchestrator.model import HitList, Outcome, Status
from orchestrator.plan import PlanLimits, make_plan
from orchestrator.process import keep_what_is_there
from orchestrator.signals import NOTHING
from orchestrator.thinking.carrying import KOREAN, LENGTH, NURSERY, KnownThings, packed, unpacked
from orchestrator.thinking.paging import leave_in_file
from orchestrator.thinking.stages import GatheredHits, answered, understood
from orchestrator.understand import warm
from translators.query import Category, Kind
from translators.said import load_catalogues
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from orchestrator.thinking.stages import Mind

ASKED = 64
"""Bytes of a request to one that splits off: what to, with a socket, or the number of a process that has ended."""


def main() -> None:
    """Until whoever started us is gone. Single-threaded, as splitting needs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started us ends us
    control = socket.socket(fileno=0)
    with control.makefile("rb", buffering=0) as hear:
        make_mind, seconds, folder, korean = unpacked(_message(hear))
    mind: Mind = make_mind()
    load_catalogues()
    rehearse(mind, datetime.now(UTC), korean=False)
    if korean:
        _learn_korean(mind)
    _settle(folder)
    asking: socket.socket | None = control
    with suppress(ConnectionError):  # gone without having said or heard the last word
        while asking is not None:  # again in a process that was split off to do the same for another server
            asking = _split_off(mind, seconds, folder, asking)


def _learn_korean(mind: Mind) -> None:
    warm()
    rehearse(mind, datetime.now(UTC), korean=True)


def _settle(folder: Path | None) -> None:
    """What loading has used and freed, 15 MB, goes back to the system where the C library would keep it for itself; what is large and seldom read, into a file."""
    keep_what_is_there()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
    if folder:
        leave_in_file(folder)


def _split_off(mind: Mind, seconds: float, folder: Path | None, control: socket.socket) -> socket.socket | None:
    """Until nobody asks any more; in a new process that is to split off as well, the socket that it is asked over."""
    control.sendall(packed(os.getpid()))
    nurseries: list[int] = []
    while True:
        asked, descriptors, _, _ = socket.recv_fds(control, ASKED, 1)
        nurseries = [each for each in nurseries if os.waitpid(each, os.WNOHANG) == (0, 0)]
        if not asked:
            return None
        if asked == KOREAN:
            _learn_korean(mind)
            _settle(folder)
            control.sendall(packed(os.getpid()))
        elif not descriptors:
            _, status = os.waitpid(int(asked), 0)
            control.sendall(packed(os.waitstatus_to_exitcode(status)))
        elif process := os.fork():
            os.close(descriptors[0])
            if asked == NURSERY:
                nurseries.append(process)
            else:
                control.sendall(packed(process))
        else:
            control.close()
            calls = socket.socket(fileno=descriptors[0])
            if asked == NURSERY:
                return calls
            _think(mind, seconds, calls)
            os._exit(0)


def _think(mind: Mind, seconds: float, calls: socket.socket) -> None:
    """Until nobody calls any more."""
    things = KnownThings()
    with calls.makefile("rb") as hear:
        while data := _message(hear):
            function, arguments, forgotten = unpacked(data, things)
            things.forget(forgotten)
            try:
                calls.sendall(_reply(_called(seconds, function, (mind, *arguments)), things))
            except OSError:
                return


def _called(seconds: float, function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Whether it went well, and what came of it."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return True, function(*arguments)
    except Exception as failure:  # noqa: BLE001 - it is raised where the question is
        failure.add_note("".join(traceback.format_exception(failure)))  # its traceback cannot be carried
        return False, failure
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _message(hear: Any) -> bytes:
    """Whole, as `BinaryIO.read` of a socket's file gives it; empty where there is none any more."""
    return _exactly(hear, int.from_bytes(_exactly(hear, LENGTH)))


def _exactly(hear: BinaryIO, size: int) -> bytes:
    data = b""
    while len(data) < size and (more := hear.read(size - len(data))):
        data += more
    return data


def _reply(reply: tuple[bool, Any], things: KnownThings) -> bytes:
    try:
        return packed(reply, things.mentioned, things.kinds)
    except Exception as failure:  # noqa: BLE001 - what cannot be carried is told in words
        return packed((False, RuntimeError(f"{type(reply[1]).__name__} cannot be carried: {failure}")))


QUESTIONS = {
    False: "what did we decide about the billing migration last week?",
    True: "지난주 해솔봇 결제 이전 일정이 어떻게 결정됐나요?",  # with a name that no list knows
}
FOUND = {
    False: "We decided on 3 March to move billing to the new gateway, since 12 percent of payments failed.",
    True: "3월 3일 회의에서 결제를 새 게이트웨이로 옮기기로 결정했다. 담당은 결제팀이고 예산은 1,200만 원이다.",
}
HITS = 3
SOURCE = "rehearsal"


def rehearse(mind: Mind, now: datetime, *, korean: bool) -> None:
    """In English, or in Korean."""
    query = understood(mind, QUESTIONS[korean], now)
    plan = make_plan(query, (), (), PlanLimits())
    native = NativeQuery("web", QUESTIONS[korean])
    found = HitList(Translation(native), tuple(_hits(FOUND[korean], now)))
    outcome = Outcome(SOURCE, SOURCE, Category.WIKI, Status.OK, (found,), sent=(native,))
    answered(mind, GatheredHits((outcome,), plan, now, NOTHING), {})


def _hits(text: str, now: datetime) -> Iterator[Hit]:
    for number in range(HITS):
        when = now - timedelta(days=number + 1)
        title, url = f"{text.split('.', maxsplit=1)[0]} {number}", f"https://{SOURCE}.example/{number}"
        yield Hit(SOURCE, str(number), Kind.PAGE, title=title, url=url, snippet=text, created=when, updated=when)


if __name__ == "__main__":
    main()
