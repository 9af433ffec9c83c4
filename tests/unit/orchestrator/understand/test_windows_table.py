"""Windows of workplace questions in both languages, one a row, worked out from the conventions and not from the grammar."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.understand import understand

TABLE = Path(__file__).resolve().parents[3] / "data" / "queries" / "windows.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in TABLE.read_text("utf-8").splitlines()]


def case(row: dict[str, Any]) -> Any:
    """A row as a parameter; a known gap must go on failing until its mark is taken away."""
    reason = row.get("known_gap")
    return pytest.param(row, id=row["id"], marks=pytest.mark.xfail(strict=True, reason=reason) if reason else ())


def test_rows_are_told_apart() -> None:
    """No id and no question stands twice."""
    assert max(Counter(row["id"] for row in ROWS).values()) == 1
    assert max(Counter((row["text"], row["reference"]) for row in ROWS).values()) == 1


@pytest.mark.parametrize("row", [case(row) for row in ROWS])
def test_window(row: dict[str, Any]) -> None:
    """The question names exactly these days, or none."""
    window = understand(row["text"], datetime.fromisoformat(row["reference"])).window
    found = (window and window.start, window and window.end)
    assert tuple(day and day.isoformat() for day in found) == (row["after"], row["before"])
