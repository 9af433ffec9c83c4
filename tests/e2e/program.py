"""``fedsearch`` as tests start it: a process of its own each time, and how it comes to be.

``COLD`` is what a person's shell does: a fresh interpreter, which spends seconds on imports and on the Korean model. ``WARM`` is
a process that a server forks which has them already (:mod:`tests.e2e.warm_server`): the same entry point with its own arguments,
environment, folder, streams, signals and exit code. Each family of commands is started cold by some tests; what is
about imports, terminals or how a process begins is started cold throughout. With the path of a Python file as its first
argument it is that file which is run, with the libraries that `fedsearch` uses loaded.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
COLD = (sys.executable, "-c", "from orchestrator.main import run; run()")
_ADDRESS = str(Path(tempfile.gettempdir()) / f"fedsearch-warm-{os.getpid()}")
WARM = (sys.executable, "-I", "-S", str(ROOT / "tests" / "e2e" / "warm_client.py"), _ADDRESS)


def uncounted() -> dict[str, str]:
    """The environment for a process whose lines are not counted."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


@contextmanager
def warm_server() -> Iterator[None]:
    """Where ``WARM`` finds its server. It ends with whoever started it, however that ends: a pipe from here closes."""
    Path(_ADDRESS).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(_ADDRESS)
        door.listen(64)
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.warm_server", str(door.fileno())],
            cwd=ROOT,
            env={**uncounted(), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            pass_fds=[door.fileno()],
        )
    assert server.stdin is not None
    try:
        yield
    finally:
        server.stdin.close()
        server.wait()
        Path(_ADDRESS).unlink()
