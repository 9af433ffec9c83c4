"""Atlassian's own JQL parser, asked through a process that lives as long as the tests need it."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

FOLDER = Path(__file__).parent
HOW = "make oracles installs Atlassian's JQL parser (it takes Node.js 20 or newer)"


def why_not() -> str:
    """Why the parser cannot be asked here, with what to do about it; empty if it can."""
    if shutil.which("node") is None:
        return f"Node.js is not installed; {HOW}"
    if not (FOLDER / "node_modules" / "@atlaskit" / "jql-ast").is_dir():
        return f"the parser is not installed; {HOW}"
    return ""


@dataclass(frozen=True)
class Reading:
    """What Atlassian's parser understood of a query. ``where`` is nested lists: joined clauses, or field, operator, operand."""

    errors: list[str]
    where: Any
    order: list[list[str | None]]


class Atlassian:
    """The parser, to be used with ``with``."""

    def __enter__(self) -> Self:
        command = ["node", str(FOLDER / "check.mjs")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def read(self, jql: str) -> Reading:
        """One query."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(jql) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "Atlassian's parser has died"
        return Reading(**json.loads(line))
