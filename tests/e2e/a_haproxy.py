"""A real HAProxy before several servers: it asks each whether it is ready, and hands on what one did not take."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRAM = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
# What met a closed door is handed on; what was sent is never sent twice.
SETTINGS = """
defaults
    mode http
    timeout connect 5s
    timeout client 90s
    timeout server 90s
    timeout check 60s
    retries 5
    option redispatch 1
    retry-on conn-failure
frontend door
    bind 127.0.0.1:{port}
    monitor-uri /all
    monitor fail if {{ nbsrv(servers) lt {count} }}
    default_backend servers
backend servers
    option httpchk GET /readyz
    default-server check inter 300ms fall 1 rise 1
{servers}
"""


@contextmanager
def a_haproxy(folder: Path, port: int, servers: list[int]) -> Iterator[None]:
    """At ``port``; ``/all`` there is 200 while every server is asked, and 503 while one is not."""
    assert PROGRAM is not None
    lines = "\n".join(f"    server s{at} 127.0.0.1:{at}" for at in servers)
    settings = folder / "haproxy.cfg"
    settings.write_text(SETTINGS.format(port=port, servers=lines, count=len(servers)), "utf-8")
    process = subprocess.Popen([PROGRAM, "-db", "-q", "-f", str(settings)])
    try:
        yield
    finally:
        process.terminate()
        process.wait()
