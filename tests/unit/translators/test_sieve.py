"""Sieves: they find what their patterns find and nothing else, and look through most texts without them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator import commanding
from orchestrator.answer import signals
from translators.patterns import Sieve

IN_USE = {
    "orders": commanding.ORDERED,
    **{name: value for name, value in vars(signals).items() if isinstance(value, Sieve)},
}
PARTS = (
    "ab",
    "a",
    "(?:a|bc)",
    "(?:ab|b)?",
    "[ab]c",
    "[^a]",
    "x+",
    "(b)*",
    r"\bab\b",
    "(?=c)",
    "가나",
    "(?:가|ab)",
    "c{2}",
    ".",
    "(?>a|b)",
    "I",
)
PATTERNS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("".join)
ALTERNATIVES = st.lists(PATTERNS, min_size=1, max_size=4).map("|".join)
TEXTS = st.text("abcxIıiİſ 가나\u0307", max_size=12)


@given(ALTERNATIVES, TEXTS, st.sampled_from([re.NOFLAG, re.IGNORECASE]))
def test_a_sieve_finds_what_its_pattern_finds(pattern: str, text: str, flags: re.RegexFlag) -> None:
    made = re.compile(pattern, flags)
    assert Sieve(made).finds(text) is (made.search(text) is not None)


@pytest.mark.parametrize("name", IN_USE)
@given(data=st.data())
def test_no_text_that_matches_falls_through(name: str, data: st.DataObject) -> None:
    sieve = IN_USE[name]
    text = data.draw(st.from_regex(re.compile(sieve.pattern.pattern, sieve.pattern.flags)))
    assert sieve.finds(text) is (sieve.pattern.search(text) is not None)


@pytest.mark.parametrize("name", IN_USE)
def test_a_sentence_that_says_nothing_of_the_kind_meets_no_pattern(name: str) -> None:
    """Else the sieve is none: the pattern has an alternative that may match without any piece of it."""
    plain, others = IN_USE[name]._pieces
    assert "" not in plain
    assert len(plain) + len(others) > 1


@pytest.mark.parametrize("letter", ["i", "I", "ı", "İ", "ſ", "K"])
def test_letters_that_count_as_others_where_case_does_not_count(letter: str) -> None:
    made = re.compile("decided|skip", re.IGNORECASE)
    for text in (f"dec{letter}ded", f"{letter}kip", f"s{letter}ip", f"sk{letter}p"):
        assert Sieve(made).finds(text) is (made.search(text) is not None)
