"""Here lines are counted, once, in a run that counts; where they are not, `tests/e2e/test_uncounted.py` shows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from coverage.collector import Collector

from tests.counting import FOR_PROCESSES, Counting

if TYPE_CHECKING:
    import pytest


def test_lines_are_counted_once(pytestconfig: pytest.Config) -> None:
    counts = any(isinstance(each, Counting) for each in pytestconfig.pluginmanager.get_plugins())
    assert (len(Collector._collectors), FOR_PROCESSES in os.environ) == (counts, counts)
