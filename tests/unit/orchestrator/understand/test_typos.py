"""Slips of the fingers in both scripts, against the words at hand."""

from __future__ import annotations

import pytest

from orchestrator.understand import is_known, known_beginning, load_lexicon, nearest, vocabulary_of

LEXICON = load_lexicon()
TEXTS = (
    "Reimbursement of travel: the committee has approved the layout. Two of ten housings failed the test in time.",
    "소방 훈련이 있습니다. 건강검진은 10월까지 받으세요. 게이트웨이 송장을 보냅니다. 모의 해킹 결과",
)


def meant_by(typed: str, *texts: str) -> str | None:
    return nearest(typed, vocabulary_of(texts, [typed]), LEXICON)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reimbursment", "reimbursement"),
        ("commitee", "committee"),
        ("layuot", "layout"),
        ("tset", "test"),  # two letters change places
        ("tiem", "time"),
        ("훌련", "훈련"),
        ("건강겁진", "건강검진"),
        ("송쟝", "송장"),
        ("게이트웨어", "게이트웨이"),
        ("모의헤킹", "모의해킹"),  # stands apart in the text
    ],
)
def test_the_nearest_word_at_hand_was_meant(typed: str, meant: str) -> None:
    assert not is_known(typed, LEXICON)
    assert meant_by(typed, *TEXTS) == meant


@pytest.mark.parametrize("typed", ["zorblaxx", "qwzx", "mest", "쿄뱌떠", "directlyx"])
def test_what_is_near_nothing_stays(typed: str) -> None:
    assert meant_by(typed, "directly test 훈련") is None


def test_a_form_of_a_word_at_hand_is_no_slip() -> None:
    assert meant_by("Mongolian", "Mongolia") is None


@pytest.mark.parametrize("word", ["committee", "vacation", "훈련", "결제서비스", "배포", "PAY-151", "v2", "QA"])
def test_words_of_the_language_are_known(word: str) -> None:
    assert is_known(word, LEXICON)


def test_our_lists_help_where_nothing_at_hand_does() -> None:
    assert nearest("pasword", {}, LEXICON) == "password"


def test_an_unknown_korean_word_is_known_by_its_beginning() -> None:
    assert known_beginning("건강겁진") == "건강"
    assert known_beginning("쿄뱌떠") is None
