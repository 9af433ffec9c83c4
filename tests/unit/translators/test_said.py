"""What is said in both languages stays so, whatever is done with it."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from translators.said import UNSAID, Said, joined, quoting, said_in

WAIT = Said("wait for {left:.0f} s: {why}", "{left:.0f}초 기다리세요: {why}")
FULL = Said("it is full", "가득 찼습니다")


def test_as_text_it_is_the_english() -> None:
    assert FULL == "it is full"
    assert {FULL: 1} == {"it is full": 1}
    assert json.loads(json.dumps(FULL)) == "it is full"
    assert (said_in(FULL, "en"), said_in(FULL, "ko"), said_in(FULL, "fr")) == (FULL, "가득 찼습니다", FULL)
    assert type(said_in(FULL, "en")) is str


def test_what_is_put_into_it_is_said_in_the_same_language() -> None:
    found = WAIT.filled(left=2.4, why=FULL)
    assert found == "wait for 2 s: it is full"
    assert found.korean == "2초 기다리세요: 가득 찼습니다"


def test_a_vendors_words_stay_as_they_are() -> None:
    assert WAIT.filled(left=1, why="{quota} exceeded").korean == "1초 기다리세요: {quota} exceeded"
    assert quoting("quota exceeded").korean == said_in("quota exceeded", "ko") == "quota exceeded"
    assert quoting(FULL) is FULL


def test_several_are_one_in_both_languages() -> None:
    found = joined("; ", [FULL, "quota exceeded"])
    assert (found, found.korean) == ("it is full; quota exceeded", "가득 찼습니다; quota exceeded")


def test_both_are_changed_alike() -> None:
    found = Said("full.", "가득.").mapped(lambda text: text.rstrip("."))
    assert (found, found.korean) == ("full", "가득")


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda said: pickle.loads(pickle.dumps(said))])
def test_a_copy_keeps_both(again) -> None:
    assert again(FULL).korean == "가득 찼습니다"


def test_nothing_said_is_empty() -> None:
    assert not UNSAID
    assert not UNSAID.korean
