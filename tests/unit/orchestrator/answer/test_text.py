"""Making source text fit to quote."""

from __future__ import annotations

import sys

import pytest

from orchestrator.answer.text import CONTROL, LINE_ENDS, REORDERING, clean, cut_at_word, quotable_line, shorten


def test_line_ends_of_every_kind_become_one() -> None:
    assert clean("a\r\nb\rc\x0bd\u2028e\x85f") == "a\nb\nc\nd\ne\nf"


def test_what_acts_on_a_terminal_or_reorders_text_is_gone() -> None:
    assert quotable_line("a\x1b]0;x\x07b\u202ec\u2066d\x9b31m") == "a ]0;x bcd 31m"


def test_what_python_calls_printable_is_clean_already() -> None:
    """So that no pattern looks through a text in which it could find nothing."""
    printable = "".join(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    assert not [pattern for pattern in (CONTROL, LINE_ENDS, REORDERING) if pattern.search(printable)]
    assert clean(f"{printable}\n{printable}") == f"{printable}\n{printable}"


def test_right_to_left_and_combining_text_stay() -> None:
    assert quotable_line("שלום e\u0301 각") == "שלום e\u0301 각"


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("short", 10, "short"),
        ("one two three", 8, "one two"),
        ("one two three", 7, "one two"),
        ("결정했습니다", 3, "결정했"),
        ("ae\u0301x", 2, "a"),
        ("a👩\u200d💻b", 3, "a"),
        ("\u0301\u0301\u0301", 2, "\u0301\u0301"),
    ],
)
def test_text_is_cut_between_words_or_else_between_characters(text: str, most: int, expected: str) -> None:
    assert cut_at_word(text, most) == expected


def test_a_shortened_name_says_so() -> None:
    assert shorten("a very\nlong name", 10) == "a very…"
    assert shorten("a\nname", 10) == "a name"
