"""Where lines are counted: while the modules are loaded, and in the tests that reach the floors of `coverage_floor.py`.

To count takes as long again as to run. pytest-cov has a mark for tests that are not counted, `no_cover`, which does nothing in a
worker of pytest-xdist: it begins to count twice there, and who began first goes on whenever the other one pauses.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import is_hypothesis_test

if TYPE_CHECKING:
    from collections.abc import Generator

TESTS = Path(__file__).resolve().parent
COUNTED = ("unit/", "contract/", "property/", "e2e/test_local", "e2e/test_shared", "e2e/test_storage")
FIRST = "gw0"
"""The worker that counts while modules are loaded, which is the same in each."""
FOR_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""The variable that has coverage count what a process of its own runs."""


def is_counted(item: pytest.Item) -> bool:
    """Neither whole journeys through surfaces nor what is tried with a hundred examples of the same."""
    return where(item.path).startswith(COUNTED) and not is_hypothesis_test(getattr(item, "function", None))


def where(path: Path) -> str:
    """The place of a test in this folder; one that stands elsewhere counts as a unit test of its own."""
    return path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else "unit/"


class Counting:
    """Tells pytest-cov (``beside``) when to count in a process that runs tests; ``worker`` is its name where there are several."""

    def __init__(self, beside: Any, worker: str) -> None:
        self._beside, self._worker = beside, worker
        self._counts, self._told = False, ""

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionstart(self) -> Generator[None]:
        """In a worker pytest-cov has begun as if there were no other, and begins anew: here the first ends before that."""
        if self._worker:
            self._beside.cov_controller.cov.stop()
        yield
        self._told = os.environ.pop(FOR_PROCESSES)
        if self._worker not in ("", FIRST):
            self._beside.cov_controller.cov.stop()

    def pytest_collection_finish(self) -> None:
        """From here on it goes by tests."""
        self._beside.cov_controller.cov.stop()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Most tests go on as the one before: threads that it has left go on, too."""
        if self._counts == is_counted(item):
            return
        self._counts = not self._counts
        if self._counts:
            os.environ[FOR_PROCESSES] = self._told
            self._beside.cov_controller.cov.start()
        else:
            del os.environ[FOR_PROCESSES]
            self._beside.cov_controller.cov.stop()


def count(config: pytest.Config) -> None:
    """Of a run that counts: whoever deals tests to workers tells them by pytest-cov alone, and not by their environment."""
    beside, worker = config.pluginmanager.getplugin("_cov"), getattr(config, "workerinput", {}).get("workerid", "")
    if getattr(beside, "cov_controller", None) is None:
        return
    if worker or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Counting(beside, worker))
    else:
        os.environ.pop(FOR_PROCESSES, None)
