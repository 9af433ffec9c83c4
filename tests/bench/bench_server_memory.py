"""What a server takes, summed over its processes by share (PSS, so Linux alone): ready, after questions, ready again, and in two processes.

``python -m tests.bench.bench_server_memory``: a server of its own over the sandbox's four usual sources, started three times with one data folder.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING

from tests.chaos.processes import family, figures

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = (sys.executable, "-c", "from orchestrator.main import run; run()")
QUESTIONS = ("status of the Okta rollout", "Okta 도입 어디까지 됐어?", "결제 장애 회고 어디 있나요?", "온콜 누구야?")
ROUNDS = 4
SETTLED = 3.0  # seconds in which what is loaded beside a question is there
STARTING, PATIENCE = 120.0, 20.0  # seconds
STARTS = ((), (), ("--workers", "2"))


@contextmanager
def started(environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of ours, told to end when the context does."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=STARTING)


def megabytes(server: subprocess.Popen[str]) -> int:
    """PSS of a process and all that it began."""
    return int(figures(family(server.pid))["memory"])


def asked(url: str) -> None:
    """Every question, some times over."""
    for question in QUESTIONS * ROUNDS:
        body = json.dumps({"question": question, "budget": PATIENCE}).encode()
        request = urllib.request.Request(f"{url}/v1/search", body, {"Content-Type": "application/json"})
        urllib.request.urlopen(request).read()


def ready(url: str) -> None:
    """Wait until the server says so."""
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{url}/readyz").read()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(url)


def main() -> None:
    """Print a line for each start."""
    with TemporaryDirectory(prefix="fedsearch-memory-") as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
        environment = {**kept, "HOME": home, "XDG_CONFIG_HOME": f"{home}/config", "XDG_DATA_HOME": f"{home}/data"}
        with started(environment, "sandbox") as sandbox:
            assert sandbox.stdout is not None
            for line in sandbox.stdout:
                if said := re.fullmatch(r"export (\w+)=(\S+)\n", line):
                    environment[said[1]] = said[2]
                if "Ctrl-C" in line:
                    break
            for more in STARTS:
                with started(environment, "serve", "--no-auth", "--port", "0", *more) as server:
                    assert server.stdout is not None
                    url = next(
                        found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line))
                    )
                    Thread(target=server.stdout.read, daemon=True).start()
                    ready(url)
                    time.sleep(SETTLED)
                    begun = megabytes(server)
                    asked(url)
                    time.sleep(SETTLED)
                    print(
                        f"{' '.join(more) or 'one process':14} ready {begun:4} MB, after questions {megabytes(server):4} MB"
                    )


if __name__ == "__main__":
    main()
