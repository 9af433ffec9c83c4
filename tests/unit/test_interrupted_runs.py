"""A run of these tests that is interrupted leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STARTS_TWO = """
import subprocess, sys, time
def test_that_is_interrupted():
    own = subprocess.Popen(["sleep", "1000"])
    other = subprocess.Popen([sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '1000'])"])
    open({path!r}, "w").write(f"{{own.pid}} {{other.pid}}\\n")
    time.sleep(1000)
"""


UNDER_LOAD = ("tests.under_load", "--busy", "0", "--times", "1", "--")
"""Told to end by its guard, once whoever started it is gone."""


@pytest.mark.parametrize(
    ("begun", "how"), [(("pytest",), signal.SIGINT), (("pytest",), signal.SIGKILL), (UNDER_LOAD, signal.SIGKILL)]
)
def test_what_a_test_has_started_ends_with_the_run(tmp_path: Path, begun: tuple[str, ...], how: signal.Signals) -> None:
    told, case, plain = tmp_path / "told", tmp_path / "test_starting.py", tmp_path / "pytest.ini"
    case.write_text(STARTS_TWO.format(path=str(told)), "utf-8")
    plain.write_text("[pytest]\n", "utf-8")
    command = [sys.executable, "-m", *begun, "-n", "1", "-p", "xdist", "-p", "tests.conftest", "-c", plain, case]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not (told.exists() and told.read_text("utf-8").endswith("\n")):
            assert run.poll() is None, "the run has ended by itself"
            time.sleep(0.02)
    finally:
        run.send_signal(how)
        run.wait()
    for process in map(int, told.read_text("utf-8").split()):
        while is_running(process):
            time.sleep(0.02)


def is_running(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text("utf-8")
    except FileNotFoundError:
        return False
