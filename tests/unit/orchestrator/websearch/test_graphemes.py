"""A cut falls between words, and never inside what looks like one character."""

from __future__ import annotations

import unicodedata

import pytest

from orchestrator.websearch.excerpts import boundary_after, boundary_before, clipped

WHOLE = {
    "e with an accent": "e\u0301",
    "Hangul letter by letter": unicodedata.normalize("NFD", "한"),
    "family": "👨‍👩‍👧",
    "skin tone": "👍🏽",
    "flag": "🇰🇷",
    "heart of a presentation": "❤️",
    "Scotland": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "line end": "\r\n",
}


@pytest.mark.parametrize("case", WHOLE)
def test_one_visible_character_is_never_parted(case: str) -> None:
    text = f"a{WHOLE[case]}b"
    for at in range(2, len(text) - 1):
        assert boundary_before(text, at) == 1
        assert boundary_after(text, at) == len(text) - 1


def test_two_flags_are_parted_between_them() -> None:
    text = "🇰🇷🇯🇵"
    assert [boundary_before(text, at) for at in range(5)] == [0, 0, 2, 2, 4]
    assert [boundary_after(text, at) for at in range(5)] == [0, 2, 2, 4, 4]


def test_short_text_stays() -> None:
    assert clipped("하나 둘", 5) == "하나 둘"
    assert clipped("", 5) == ""


@pytest.mark.parametrize(
    ("text", "most", "cut"),
    [
        ("one two three", 8, "one two…"),
        ("one two three", 9, "one two…"),
        ("결제 서비스 장애 회고", 8, "결제 서비스…"),
        ("쿠버네티스마이그레이션계획서전체본문", 6, "쿠버네티스…"),
        ("a" + "e\u0301" * 10, 6, "a" + "e\u0301" * 2 + "…"),
        ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 12, "👨‍👩‍👧👨‍👩‍👧…"),
    ],
)
def test_a_cut_at_a_word_or_between_characters(text: str, most: int, cut: str) -> None:
    assert clipped(text, most) == cut
    assert len(cut) <= most
