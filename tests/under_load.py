"""The tests that hang on time, again and again on a busy machine: `make test-under-load`, which no verdict may notice.

python -m tests.under_load --busy 12 --times 3 --minutes 60 -- -n 3 tests/e2e
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMED = (
    "tests/e2e", "tests/conformance", "tests/security/test_runaway_server.py", "tests/security/test_thinking.py", "tests/unit/storage",
    "tests/unit/orchestrator/gather", "tests/unit/orchestrator/surfaces",
)  # fmt: skip
"""Sockets, processes, deadlines, databases: everything else runs in virtual time or in none."""
BUSY = "import os, select\nwhile not select.select([0], [], [], 0)[0]: sum(range(200_000))"
GUARD = "import os, signal, sys\nif not sys.stdin.read(): os.kill(int(sys.argv[1]), signal.SIGTERM)"
"""Ends a run whose starter is gone without a word."""


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that want all of a processor. They end with this one, however it ends: a pipe from here closes."""
    started = [
        subprocess.Popen([sys.executable, "-I", "-S", "-c", BUSY], stdin=subprocess.PIPE) for _ in range(processes)
    ]
    try:
        yield
    finally:
        for each in started:
            each.communicate()


def main() -> int:
    """How many of the runs failed."""
    told = argparse.ArgumentParser(prog="python -m tests.under_load", description=__doc__)
    told.add_argument("--busy", type=int, default=12, help="processes that keep the machine busy")
    told.add_argument("--times", type=int, default=3, help="runs of the tests")
    told.add_argument("--minutes", type=float, default=120, help="after which a run is stopped, which is a failure")
    told.add_argument(
        "pytest", nargs="*", default=["-n", "auto", "--dist", "worksteal", *TIMED], help="arguments of pytest"
    )
    given = told.parse_args()
    failed = 0
    with busy(given.busy):
        for number in range(given.times):
            began = time.monotonic()
            ended = once(given.pytest, given.minutes * 60)
            failed += ended != 0
            load = os.getloadavg()[0]
            print(
                f"run {number + 1} of {given.times}: {time.monotonic() - began:.0f} s at load {load:.0f}, exit code {ended}"
            )
    return failed


def once(arguments: list[str], seconds: float) -> int:
    """The exit code of a run; one that takes too long is interrupted, as by Ctrl-C, and so is one whose starter ends, however it ends."""
    run = subprocess.Popen([sys.executable, "-m", "pytest", *arguments])
    guard = subprocess.Popen([sys.executable, "-I", "-S", "-c", GUARD, str(run.pid)], stdin=subprocess.PIPE)
    try:
        return run.wait(seconds)
    except subprocess.TimeoutExpired:
        return -1
    finally:
        if run.poll() is None:
            run.terminate()
            run.wait()
        guard.communicate(b"ended")


if __name__ == "__main__":
    sys.exit(main())
