"""SECURITY.md names tests for what it says: each of them exists, where it says, and every threat has one, as has what was broken once and what was tried."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOWN = re.compile(r"\[(test_\w+)\]\((tests/[\w/]+\.py)\)")
LINES = (ROOT / "SECURITY.md").read_text("utf-8").splitlines()
ROWS = [line for line in LINES if line.startswith("| ") and not line.endswith(" | Shown by |")]


@cache
def defined_in(path: str) -> frozenset[str]:
    """The tests of a file, as Python reads it."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))


def test_each_test_that_is_named_exists() -> None:
    named = [pair for row in ROWS for pair in SHOWN.findall(row)]
    assert len(named) > 30
    assert [(name, path) for name, path in named if name not in defined_in(path)] == []


def test_every_threat_is_shown_by_a_test_and_nothing_else() -> None:
    for row in ROWS:
        shown = row.rstrip(" |").rsplit(" | ", 1)[1]
        assert SHOWN.search(shown), row
        assert SHOWN.sub("", shown).strip(" ,") == "", row


def test_as_much_was_tried_as_is_said() -> None:
    again = LINES[LINES.index("## Attacked again") : LINES.index("## What nothing stops")]
    rows = [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in again if row in ROWS]
    assert len(rows) > 10
    for what, tried, *_, shown in rows:
        path = SHOWN.findall(shown)[0][1]
        module = import_module(path.removesuffix(".py").replace("/", "."))
        assert len(module.TRIED[what]) == int(tried) >= 25, what
