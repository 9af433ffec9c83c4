"""Stands between us and the embedded server: starts it, and stops it when the last of its users is gone, however they went.

Run as a script of its own with the standard library alone: ``guardian.py LOCK ALIVE UID GID POSTGRES ARGUMENT…``. Every
user of the server holds a shared lock on the file LOCK, which the kernel gives back when a process ends, be it by
``kill -9``; whoever gets that lock for himself alone knows that nobody is left. ALIVE is the end of a pipe that is open
for as long as the guardian lives.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import sys
from typing import NoReturn

PR_SET_PDEATHSIG = 1  # https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html
FAST, AT_ONCE = signal.SIGINT, signal.SIGQUIT  # https://www.postgresql.org/docs/current/server-shutdown.html
PATIENCE = 20.0  # seconds for each way of stopping


class _Enough(Exception):
    """The server has ended, or somebody wants the guardian to end."""


def main(lock: str, alive: str, uid: str, gid: str, *command: str) -> None:
    """Leave whoever called, start the server, and wait until nobody needs it."""
    if os.fork():
        os._exit(0)
    os.setsid()
    os.set_inheritable(int(alive), False)  # noqa: FBT003 — the standard library's own signature
    users = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    for signum in (signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    server = _start(command, int(uid), int(gid))

    def ended(*_: object) -> None:
        """Also told of a server that is stopped for a while and goes on later."""
        if server.poll() is not None:
            raise _Enough

    try:
        signal.signal(signal.SIGTERM, _enough)
        signal.signal(signal.SIGCHLD, ended)
        if server.poll() is None:
            fcntl.flock(users, fcntl.LOCK_EX)
    except _Enough:
        pass
    for signum in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(signum, signal.SIG_DFL)
    _stop(server)


def _start(command: tuple[str, ...], uid: int, gid: int) -> subprocess.Popen[bytes]:
    """The server as its own OS user where we are root (PostgreSQL refuses to run as root); it ends if we do."""
    account: dict[str, object] = {"user": uid, "group": gid, "extra_groups": []} if os.geteuid() == 0 else {}
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def end_with_parent() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, int(FAST))

    return subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent, **account)  # type: ignore[call-overload, no-any-return] # noqa: S603, PLW1509


def _stop(server: subprocess.Popen[bytes]) -> None:
    for signum in (FAST, AT_ONCE, signal.SIGKILL):
        if server.poll() is not None:
            return
        server.send_signal(signum)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(PATIENCE)


def _enough(*_: object) -> NoReturn:
    raise _Enough


if __name__ == "__main__":
    main(*sys.argv[1:])
