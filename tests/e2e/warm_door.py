"""The door at which ``WARM`` finds its server: one for all processes of a run, started when somebody first comes there."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "FEDSEARCHTEST_WARM"
"""The variable by which the processes of a run know the door."""


def uncounted() -> dict[str, str]:
    """The environment for a process whose lines are not counted."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


@contextmanager
def warm_door() -> Iterator[None]:
    """The server behind it ends with whoever opened the door, however that ends: a pipe from here closes."""
    with TemporaryDirectory(prefix="fedsearch-warm-") as folder, socket.socket(socket.AF_UNIX) as door:
        os.environ[ADDRESS] = f"{folder}/door"
        door.bind(os.environ[ADDRESS])
        door.listen(64)
        leaving, leave = os.pipe()
        keeper = threading.Thread(target=_keep, args=(door, leaving), name="warm door", daemon=True)
        keeper.start()
        try:
            yield
        finally:
            os.close(leave)
            keeper.join()
            os.close(leaving)


def _keep(door: socket.socket, leaving: int) -> None:
    """Until it is closed; whoever comes finds a server that has imported all of it."""
    if leaving in select.select([door, leaving], [], [])[0]:
        return
    with subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.warm_server", str(door.fileno())],
        cwd=ROOT,
        env={**uncounted(), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        pass_fds=[door.fileno()],
    ):
        select.select([leaving], [], [])
