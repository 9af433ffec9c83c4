"""Sentences are cut where they end, and those are chosen that the prompt asks for; a cut falls between words, and never inside what looks like one character."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.websearch.excerpts import boundary_after, boundary_before, choose, clipped, sentences

PAGE = """요금 안내
기본 요금은 월 9,900원입니다. 부가세는 별도입니다.
환불은 결제일로부터 7일 이내에 가능합니다. 이후에는 불가합니다.

Refund policy
Refunds are possible within seven days of payment. After that, none.
Shipping takes two days. Shipping is free of charge."""


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Kim wrote this. See e.g. the docs.", ["Dr. Kim wrote this.", "See e.g. the docs."]),
        ("2026. 11. 22. 에 시행됩니다. 끝.", ["2026. 11. 22. 에 시행됩니다.", "끝."]),
        ("Released in 2024. It works.", ["Released in 2024.", "It works."]),
        ("1. First item.", ["1. First item."]),
        ("버전 3.12가 나왔습니다.이제 씁니다.", ["버전 3.12가 나왔습니다.", "이제 씁니다."]),
        ("これはペンです。それは本です。", ["これはペンです。", "それは本です。"]),
        ("no full stop\nnext line", ["no full stop", "next line"]),
        ("", []),
        ("…", ["…"]),
    ],
)
def test_sentences(text: str, cut: list[str]) -> None:
    assert list(sentences(text)) == cut


@pytest.mark.parametrize(
    ("prompt", "most", "chosen"),
    [
        ("환불은 언제까지 가능한가요?", 1, "환불은 결제일로부터 7일 이내에 가능합니다."),
        ("기본요금이 얼마인지 알려줘", 1, "기본 요금은 월 9,900원입니다."),
        ("How long does shipping take?", 2, "Shipping takes two days.\nShipping is free of charge."),
        ("what is the refund policy", 2, "Refund policy\nRefunds are possible within seven days of payment."),
    ],
)
def test_the_prompt_chooses(prompt: str, most: int, chosen: str) -> None:
    found = choose(PAGE, prompt, most)
    assert found.matched
    assert "\n".join(found.sentences) == chosen


def test_a_prompt_about_something_else_gets_the_beginning_and_is_told() -> None:
    found = choose(PAGE, "양자역학 quantum", 2)
    assert (found.sentences, found.matched) == (("요금 안내", "기본 요금은 월 9,900원입니다."), False)
    assert not choose(PAGE, "what is it?", 2).matched


def test_repeats_are_chosen_once() -> None:
    assert choose("Refunds here.\nRefunds here.\nOther.", "refunds", 5).sentences == ("Refunds here.",)


def test_very_long_sentences_are_cut() -> None:
    pieces = sentences("word " * 1000)
    assert all(len(piece) <= 600 for piece in pieces)
    assert " ".join(pieces).split() == ["word"] * 1000
    assert len(sentences("가" * 2000)) == 4


@given(st.text(max_size=400), st.text(max_size=60), st.integers(1, 5))
def test_what_is_chosen_stands_in_the_text_in_order(text: str, prompt: str, most: int) -> None:
    found = choose(text, prompt, most)
    assert len(found.sentences) <= most
    flat = " ".join(text.split())
    at = 0
    for sentence in found.sentences:
        assert sentence in flat
        at = flat.index(sentence[:1], 0 if found.matched else at)
    assert bool(found.sentences) == bool(text.strip())


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
