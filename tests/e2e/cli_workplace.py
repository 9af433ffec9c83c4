"""A running `fedsearch sandbox`, the environment that points at it, and commands run in it to their end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.clock import HANGING
from tests.e2e import patience
from tests.e2e.warm_door import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


NOW = ("--now", "2026-11-20T10:00:00+09:00")

Done = subprocess.CompletedProcess[str]


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """No settings but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    ours = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }
    return {**kept, **ours, **patience.COLD, **more}


def start(
    environment: Mapping[str, str], *arguments: str, stderr: int = subprocess.PIPE, cold: bool = False
) -> subprocess.Popen[str]:
    """``fedsearch`` with these arguments, its streams in pipes; ``cold`` from nothing."""
    return subprocess.Popen(
        [*_begun(cold=cold), *arguments],
        env=dict(environment),
        cwd=environment["HOME"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
    )


def _begun(*, cold: bool) -> tuple[str, ...]:
    """How it is started. Asked late: where one process runs all tests, the fixtures here are imported before the warm door is open."""
    from tests.e2e.program import COLD, WARM

    return COLD if cold else WARM


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home without settings."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def workplace(home: Path) -> Iterator[dict[str, str]]:
    """The environment that points at a running ``fedsearch sandbox``, as its own output says."""
    process = start(clean_environment(home), "sandbox")
    assert process.stdout is not None
    exports: dict[str, str] = {}
    for text in process.stdout:
        if match := re.fullmatch(r"export (\w+)=(\S+)\n", text):
            exports[match[1]] = match[2]
        if "Ctrl-C" in text:
            break
    yield clean_environment(home, **exports)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=HANGING)
    assert (process.returncode, said) == (0, "stopped\n")


@pytest.fixture
def fedsearch(workplace: dict[str, str]) -> Callable[..., Done]:
    """Run a command in the workplace to its end; ``env`` adds to the environment, ``typed`` goes to standard input, ``cold`` from nothing."""

    def run(*arguments: str, typed: str | bytes = "", env: Mapping[str, str] | None = None, cold: bool = False) -> Done:
        data = typed.encode() if isinstance(typed, str) else typed
        done = subprocess.run(
            [*_begun(cold=cold), *arguments],
            env={**workplace, **(env or {})},
            input=data,
            capture_output=True,
            check=False,
            cwd=workplace["HOME"],
        )
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return run
