"""No module needs itself by way of others: imports of types, and those that wait until a function runs, count like all others."""

from __future__ import annotations

import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

PROJECT = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8"))
ONE, TWO = "class One: ...\n", "from knot.one import One\n"


def circle(*packages: str) -> list[str]:
    """The modules of one circle, each importing the next, the first of them again at its end; empty where there is none."""
    graph = grimp.build_graph(*packages, cache_dir=None)
    try:
        TopologicalSorter({each: graph.find_modules_directly_imported_by(each) for each in graph.modules}).prepare()
    except CycleError as found:
        modules: list[str] = found.args[1]
        return modules[::-1]
    return []


def test_nothing_imports_itself_by_way_of_others() -> None:
    assert " imports ".join(circle(*PROJECT["tool"]["importlinter"]["root_packages"])) == ""


@pytest.mark.parametrize(
    ("package", "one", "two", "expected"),
    [
        ("", ONE, TWO, set()),
        ("", f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import knot.two\n{ONE}", TWO, {"knot.one", "knot.two"}),
        ("", f"{ONE}def late() -> None:\n    from knot import two\n", TWO, {"knot.one", "knot.two"}),
        (TWO, f"from knot import One\n{ONE}", "", {"knot", "knot.one"}),
    ],
    ids=["none", "by types", "late", "by its own package"],
)  # fmt: skip
def test_every_kind_of_circle_is_seen(
    package: str, one: str, two: str, expected: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "knot").mkdir()
    for name, text in (("__init__", package), ("one", one), ("two", two)):
        (tmp_path / "knot" / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    assert set(circle("knot")) == expected
