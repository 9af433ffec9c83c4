"""Windows of workplace questions in both languages, one a row, worked out from the conventions and not from the grammar."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.understand import understand
from tests.rows import each_row

TABLE = Path(__file__).resolve().parents[3] / "data" / "queries" / "windows.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in TABLE.read_text("utf-8").splitlines()]


GAPS = [row for row in ROWS if "known_gap" in row]


def test_rows_are_told_apart() -> None:
    """No id and no question stands twice."""
    assert max(Counter(row["id"] for row in ROWS).values()) == 1
    assert max(Counter((row["text"], row["reference"]) for row in ROWS).values()) == 1


@each_row("row", [row for row in ROWS if row not in GAPS], ids=[row["id"] for row in ROWS if row not in GAPS])
def test_window(row: dict[str, Any]) -> None:
    """The question names exactly these days, or none."""
    holds(row)


@pytest.mark.parametrize("row", GAPS, ids=[row["id"] for row in GAPS])
def test_a_known_gap_goes_on_failing_until_its_mark_is_taken_away(row: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        holds(row)


def holds(row: dict[str, Any]) -> None:
    window = understand(row["text"], datetime.fromisoformat(row["reference"])).window
    window = window and window.exact
    found = (window and window.start, window and window.end)
    assert tuple(day and day.isoformat() for day in found) == (row["after"], row["before"])
