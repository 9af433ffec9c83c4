"""What is counted of processes."""

from __future__ import annotations

import subprocess
import sys

from tests.chaos.processes import figures

WITH_A_THREAD = """
import sys, threading
if sys.argv[1:]:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_thread_is_one_beside_the_first_of_its_process() -> None:
    """Or every connection to PostgreSQL would count as a process and as a thread."""
    with started() as alone, started("another") as both:
        counted = [figures([each.pid])["threads"] for each in (alone, both)]
        assert counted == [0, 1]
        assert figures([alone.pid, both.pid])["processes"] == 2


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """A process that is ready, and ends with its input."""
    process = subprocess.Popen(
        [sys.executable, "-c", WITH_A_THREAD, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process
