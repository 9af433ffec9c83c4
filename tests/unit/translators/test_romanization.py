"""Names across scripts, as the Revised Romanization spells them."""

from __future__ import annotations

import pytest

from translators.romanization import in_hangul, romanized, sounds_like


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [
        ("해솔", "Haesol"),
        ("온담", "Ondam"),
        ("바람길", "Baramgil"),
        ("누리", "Nuri"),
        ("판교", "Pangyo"),
    ],
)
def test_a_regular_spelling_is_read_both_ways(hangul: str, latin: str) -> None:
    assert romanized(hangul) == latin
    assert in_hangul(latin)[0] == hangul


@pytest.mark.parametrize(
    ("hangul", "latin"), [("설악", "Seorak"), ("백마", "Baengma"), ("신라", "Silla"), ("한라", "Halla")]
)
def test_what_is_said_together_is_spelled_so(hangul: str, latin: str) -> None:
    assert romanized(hangul) == latin


@pytest.mark.parametrize(("latin", "other"), [("Dalpaengi", "달팽이"), ("Dongyang", "동양"), ("Pangyo", "팡요")])
def test_an_ng_before_a_vowel_is_one_sound_or_two(latin: str, other: str) -> None:
    first, second = in_hangul(latin)
    assert romanized(first) == romanized(second) == latin
    assert second == other


@pytest.mark.parametrize("name", ["Stadhaven", "Pieter", "Keycloak", "Al", "", "Grün", "a" * 4000, "Banananana"])
def test_what_is_spelled_otherwise_is_none(name: str) -> None:
    assert in_hangul(name) == ()


@pytest.mark.parametrize("name", ["물", "Moru", "", "가나다라마", "해솔 관", "ㅋㅋㅋ", "가" * 4000])
def test_only_a_short_korean_word_is_a_name(name: str) -> None:
    assert romanized(name) == ""


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("해솔", "Haesol", True),
        ("해솔도서관", "Haesol library", True),
        ("장애", "outage", False),
        ("이월", "carry over", False),
        ("Haesol", "해솔", False),
        ("", "", False),
    ],
)
def test_a_name_in_other_letters_is_no_other_name(name: str, other: str, same: bool) -> None:
    assert sounds_like(name, other) is same
