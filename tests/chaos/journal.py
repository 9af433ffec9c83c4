"""What happened in a run, one JSON object a line: all that the judge and the report go by."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

Entry = dict[str, Any]


class Journal:
    """Every line says what it is (``what``) and when (``at``, seconds since the run began, by a clock that no fault moves)."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", buffering=1)
        self._began = time.monotonic()

    def now(self) -> float:
        return round(time.monotonic() - self._began, 3)

    def note(self, what: str, **more: Any) -> None:
        self._file.write(json.dumps({"at": self.now(), "what": what, **more}, ensure_ascii=False) + "\n")


def read(path: Path) -> list[Entry]:
    """Every line, oldest first."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def of(entries: list[Entry], what: str) -> list[Entry]:
    return [each for each in entries if each["what"] == what]
