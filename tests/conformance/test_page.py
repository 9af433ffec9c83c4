"""The list of requirements is what the tests say, and each of its claims leads somewhere."""

from __future__ import annotations

import ast

import pytest

from tests.conformance.page import PAGE, ROOT, SYSTEMS, collected, markdown


def test_the_page_is_what_the_tests_say() -> None:
    assert PAGE.read_text("utf-8") == markdown(), "make conformance"


def test_each_requirement_says_what_it_is_and_where() -> None:
    for each in collected().values():
        assert each.what, each.number
        assert each.where, each.number
        for path in each.where.split():
            assert (ROOT / path).exists(), f"{each.number}: {path}"
        assert bool(each.differs) == bool(each.setting), each.number


def test_numbers_have_no_gaps() -> None:
    """So that one that is taken out is missed."""
    by_system: dict[str, list[int]] = {}
    for number in collected():
        system, _, place = number.partition(".")
        by_system.setdefault(system, []).append(int(place))
    for places in by_system.values():
        assert places == list(range(1, len(places) + 1))


@pytest.mark.parametrize("module", sorted(SYSTEMS.glob("test_[0-9]_*.py")), ids=lambda path: path.stem)
def test_every_test_here_shows_a_requirement(module) -> None:
    shown = {test for each in collected().values() for test in each.shown_by}
    for node in ast.parse(module.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            assert f"{module.relative_to(ROOT).as_posix()}::{node.name}" in shown
