"""The courtesy that a Korean question ends in is taken off word by word, in linear time."""

from __future__ import annotations

import pytest

from orchestrator.understand import heads
from translators.query import QueryType

NOUNS = {"회의록": QueryType.DOCUMENT, "일정": QueryType.TEMPORAL, "분": QueryType.PERSON}


@pytest.mark.parametrize(
    "question",
    [
        "회의록",
        "회의록 좀 찾아줘",
        "회의록좀 찾아주세요~~",
        "회의록 어디 있나요?",
        "회의록 찾고 있는 분 있을까요 ?!",
        "회의록... 혹시 볼 수 있음?",
        "회의록\t부탁드려요;\n ㅠㅠ",
        "회의록,",
    ],
)
def test_courtesy_behind_the_noun_is_not_read(question: str) -> None:
    found = heads.noun_at_end(question, NOUNS)
    assert found is not None
    assert found[2] == "회의록"


@pytest.mark.parametrize("word", ["분석", "수정", "볼륨", "?줘", "알고리즘"])
def test_what_only_begins_like_courtesy_stays(word: str) -> None:
    found = heads.noun_at_end(f"회의록 {word} 좀요", {word: QueryType.DOCUMENT})
    assert found is not None
    assert found[2] == word


@pytest.mark.parametrize("question", ["", "  ", "?!", "찾아줘", "좀 알려주세요 ㅠㅠ"])
def test_nothing_but_courtesy_asks_for_nothing(question: str) -> None:
    assert heads.noun_at_end(question, NOUNS) is None


@pytest.mark.parametrize(
    "question",
    [" 찾  " * 500 + "회의록x", " 찾...." * 400 + "회의록x", " " * 2000 + "회의록x", "찾?" * 1000 + "회의록x"],
)
def test_repeated_courtesy_costs_no_more_than_its_length(question: str) -> None:
    """Written as one pattern with nested repetition, each of these took longer than anyone waits (the suite's timeout ends such a test)."""
    assert heads.noun_at_end(question, NOUNS) is None
