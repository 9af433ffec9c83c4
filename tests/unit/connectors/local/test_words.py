"""Both sides of a comparison become the same terms, in both languages, whatever the text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.local import words
from translators.strategies import HOSTILE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("결제서비스의", "결제서비스를"),
        ("배포에서는", "배포"),
        ("일정이었다", "일정"),
        ("결정했습니다", "결정"),
        ("deploys", "deploy"),
        ("deployed", "deploying"),
        ("planning", "planned"),
        ("policies", "policy"),
        ("boxes", "box"),
        ("releases", "release"),
        ("ＡＰＩ", "api"),
        ("API는", "api 는"),
    ],
)
def test_forms_of_one_word_have_a_term_in_common(one, other):
    assert words.terms(one) == words.terms(other)


@pytest.mark.parametrize(
    ("one", "other"), [("status", "statu"), ("class", "clas"), ("bus", "bu"), ("sing", "s"), ("red", "r")]
)
def test_what_only_looks_like_an_ending_stays(one, other):
    assert words.terms(one) != words.terms(other)


def test_a_korean_word_is_found_inside_a_compound():
    """Pairs of syllables: 서비스 stands in 결제서비스."""
    assert set(words.terms("서비스")) <= set(words.terms("결제서비스의"))
    assert words.terms("결제서비스의") == ["결제", "제서", "서비", "비스"]


def test_a_single_syllable_is_a_term():
    assert words.terms("집 는") == ["집", "는"]


def test_repeats_are_counted_with_their_places():
    assert words.lexemes(words.terms("배포 plan 배포")) == "배포:1,3 plan:2"


def test_places_beyond_what_postgresql_knows_are_its_last():
    assert words.lexemes(["a"] * 2 + ["b"] * 20_000).endswith(",16383")


@given(st.sampled_from(HOSTILE) | st.text(max_size=200))
def test_terms_are_nothing_but_letters_and_digits(text):
    """They are written into a tsvector without quotes."""
    for term in words.terms(text) + words.whole_words(text):
        assert re.fullmatch(r"\w+", term)
        assert len(term.encode()) <= 2046


def test_an_endless_word_is_cut():
    assert [len(each) for each in words.terms("x" * 5000)] == [words.LONGEST]
