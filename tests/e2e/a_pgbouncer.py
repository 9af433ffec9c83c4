"""A real PgBouncer before a real PostgreSQL, lending its connections for a transaction at a time."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.clock import HANGING
from tests.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
SETTINGS = """
[databases]
* = host={host} port={port} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {door}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
"""


@contextmanager
def a_pgbouncer(url: str, size: int = 3) -> Iterator[str]:
    """The address of the same database behind ``size`` connections; there is none where ``PROGRAM`` is ``None``."""
    assert PROGRAM is not None
    parts = urlsplit(url)
    door = free_port()
    folder = Path(tempfile.mkdtemp(prefix="fedsearch-pgbouncer-"))
    host = parts.hostname or parse_qs(parts.query)["host"][0]
    told = SETTINGS.format(
        host=host, port=parts.port or 5432, user=parts.username, password=parts.password, door=door, size=size
    )
    settings = folder / "pgbouncer.ini"
    settings.write_text(told, "utf-8")
    command = [PROGRAM, str(settings)]
    if (
        os.geteuid() == 0
    ):  # which it refuses to be; where the server is ours, its socket is in a folder of its user alone
        owner = Path(host).stat().st_uid if host.startswith("/") else pwd.getpwnam("nobody").pw_uid
        for each in (folder, settings):
            os.chown(each, owner, -1)
        command[1:1] = ["-u", pwd.getpwuid(owner).pw_name]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        began = time.monotonic()
        while True:
            try:
                socket.create_connection(("127.0.0.1", door)).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() - began > HANGING:
                    raise RuntimeError((folder / "log").read_text("utf-8", "replace")) from None
                time.sleep(0.02)
        yield f"postgresql://{parts.username}@127.0.0.1:{door}{parts.path}?pool_mode=transaction"
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)
