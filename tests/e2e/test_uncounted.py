"""What is left out of the count runs at its own speed: see `tests/counting.py`."""

import os

from coverage.collector import Collector

from tests.counting import FOR_PROCESSES


def test_nothing_is_counted_here():
    assert Collector._collectors == []
    assert FOR_PROCESSES not in os.environ
