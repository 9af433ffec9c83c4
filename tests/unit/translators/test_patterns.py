"""Patterns are compiled when they are first used, and are else what :func:`re.compile` makes."""

from __future__ import annotations

import copy
import importlib
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from translators.patterns import _Uncompiled, begun, regex

ROOT = Path(__file__).resolve().parents[3]
BEGINNINGS = [r"\d+", r"[.!?]+[\"')]*", r"[^\]a]+b", r"[]a]+|b+", r"\s+(?=a)", r"\w+\b"]


def modules() -> list[str]:
    """Every module whose patterns are compiled late."""
    paths = (path for room in ("connectors", "orchestrator", "translators") for path in (ROOT / room).rglob("*.py"))
    late = (path for path in paths if "from translators.patterns import" in path.read_text("utf-8"))
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in late)


@each_row("name", modules())
def test_every_pattern_is_a_regular_expression(name: str) -> None:
    """A broken one would otherwise show in the first question that needs it."""
    for found in vars(importlib.import_module(name)).values():
        if isinstance(found, _Uncompiled):
            found.search("")


def test_a_pattern_is_compiled_by_its_first_use_only(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def compiling(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return real(text, flags)

    real = re.compile
    late = regex(r"la+te", re.IGNORECASE)
    monkeypatch.setattr(re, "compile", compiling)
    assert (late.pattern, compiled) == (r"la+te", [])
    assert [bool(late.search(text)) for text in ("LAAATE", "lte", "late")] == [True, False, True]
    assert compiled == [r"la+te"]


def test_a_broken_pattern_raises_where_it_is_used() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.search("")


def test_it_can_be_copied_and_carried_used_or_not() -> None:
    late = regex(r"la+te", re.IGNORECASE)
    for _ in range(2):
        for each in (copy.copy(late), copy.deepcopy(late), pickle.loads(pickle.dumps(late))):
            assert each.search("LAAATE")
        late.search("")


@given(st.text("ab1 .!?]\"'\\\n", max_size=12))
def test_a_first_repetition_is_looked_for_by_its_letters_and_finds_the_same(text: str) -> None:
    for pattern in BEGINNINGS:
        assert begun(pattern) != pattern
        found = [each.span() for each in regex(pattern).finditer(text)]
        assert found == [each.span() for each in re.finditer(pattern, text)]


@each_row("pattern", [r"\d++", r"[a-z]+?x", r"\b[A-Z]+", r"\\d+", "a+", "", r"(?:\d+)"])
def test_every_other_pattern_stays_as_it_is(pattern: str) -> None:
    assert begun(pattern) == pattern
