"""What nobody says lowers the confidence, and the answer begins by saying so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.model import Confidence
from translators.query import Container, QueryType


def test_a_role_that_nothing_quoted_names_is_not_answered_by_who_wrote(desk: Any) -> None:
    result = desk.result("slack:1", "Larch Motors signed, I am in charge of the contract.", author="Ana Ruiz")
    answer = desk.ask(
        "who is the treasurer of Larch Motors", keywords=("treasurer", "Larch", "Motors"), type=QueryType.PERSON
    )
    composed = answer.answer(result)
    assert composed.summary.startswith("Nobody says anything of this in so many words (treasurer).")
    assert composed.confidence is Confidence.LOW


def test_a_word_that_is_missing_where_nothing_sounds_like_the_answer_leaves_it_in_doubt(desk: Any) -> None:
    result = desk.result("slack:1", "Our crane in bay four creaks.", author="Ana Ruiz")
    facts = {"keywords": ("crane", "bay", "load", "limit"), "type": QueryType.FACTUAL}
    assert desk.ask("load limit of the crane in the bay", **facts).answer(result).confidence is Confidence.LOW


def test_another_form_of_a_word_is_the_word(desk: Any) -> None:
    told = desk.result("slack:1", "The peas of Larch thawed as the plug was out.")
    composed = desk.ask("larch peas thaw", keywords=("Larch", "peas", "thaw"), type=QueryType.FACTUAL).answer(told)
    assert "Nobody says" not in composed.summary


def test_a_korean_word_is_said_where_what_it_is_made_of_is(desk: Any) -> None:
    told = desk.result("slack:1", "출장 숙박 한도는 110,000원입니다.")
    asked = desk.ask("출장 숙박비 얼마", keywords=("출장", "숙박비"), type=QueryType.FACTUAL, language="ko")
    assert "찾지 못했습니다" not in asked.answer(told).summary


def test_what_a_reply_is_about_is_said_where_its_conversation_begins(desk: Any) -> None:
    begun = desk.result("slack:1", "The pool wall has a crack.", age=2, facts={"thread_ts": "1"})
    reply = desk.result("slack:2", "It must be sealed within a week.", age=1, facts={"thread_ts": "1"})
    asked = desk.ask("rule for a crack in the pool wall", keywords=("crack", "pool"), type=QueryType.FACTUAL)
    assert "Nobody says" not in asked.answer(reply, begun).summary


def test_of_a_text_in_the_other_language_nobody_can_tell_by_words(desk: Any) -> None:
    told = desk.result("slack:1", "The crane lifts 12 tonnes at most.")
    asked = desk.ask("crane 한도", keywords=("crane", "한도"), type=QueryType.FACTUAL, language="ko")
    assert "찾지 못했습니다" not in asked.answer(told).summary


def test_who_asked_the_same_and_got_no_answer_is_told(desk: Any) -> None:
    question = desk.result("slack:1", "Who has the key to the paint shed?", author="Ana Ruiz", facts={"thread_ts": "1"})
    reply = desk.result("slack:2", "not me, sorry", score=0.1, author="Bo Lind", facts={"thread_ts": "1"})
    asked = desk.ask("who has the key to the paint shed", keywords=("key", "paint", "shed"), type=QueryType.PERSON)
    answer = asked.answer(question, reply)
    assert answer.summary.startswith("Ana Ruiz asked this on 2025-03-03, and no answer to it was found.")
    assert answer.confidence is Confidence.LOW


def test_a_reply_that_sounds_like_the_answer_is_one(desk: Any) -> None:
    question = desk.result("slack:1", "When does the paint shed open?", author="Ana Ruiz", facts={"thread_ts": "1"})
    reply = desk.result("slack:2", "The paint shed opens on 12 May.", author="Bo Lind", facts={"thread_ts": "1"})
    asked = desk.ask("when does the paint shed open", keywords=("paint", "shed", "open"), type=QueryType.TEMPORAL)
    assert "asked this" not in asked.answer(question, reply).summary


@pytest.mark.parametrize(
    ("said", "asked", "word", "answered"),
    [
        ("송년회 어디서 할까요??", "송년회 어디서 해?", "송년회", False),
        ("송년회 몇 명 와요?", "송년회 어디서 해?", "송년회", True),
        ("Where shall we hold the potluck?", "where is the potluck", "potluck", False),
        ("How many come to the potluck?", "where is the potluck", "potluck", True),
    ],
)
def test_of_a_question_of_one_word_whoever_asks_the_same_asks_for_the_same_kind(
    desk: Any, said: str, asked: str, word: str, answered: bool
) -> None:
    begun = desk.result("slack:1", said, author="Ana Ruiz", facts={"thread_ts": "1"})
    reply = desk.result("slack:2", "아무데나", score=0.1, author="Bo Lind", facts={"thread_ts": "1"})
    question = desk.ask(asked, keywords=(word,), type=QueryType.STATUS, language="en")
    assert ("asked this" not in question.answer(begun, reply).summary) is answered


@pytest.mark.parametrize("said", ["Hotel or flat. Any thoughts?", "숙소요. 호텔 / 아파트. 의견 주세요"])
def test_what_asks_for_opinions_in_the_place_of_the_matter_settles_nothing(desk: Any, said: str) -> None:
    begun = desk.result("slack:1", said, author="Ana Ruiz", facts={"thread_ts": "1"}, container=Container("bologna"))
    question = desk.ask(
        "which hotel in Bologna did we settle on", keywords=("Bologna", "hotel"), type=QueryType.DECISION
    )
    answer = replace(question, query=replace(question.query, variants=(("hotel", ("숙소",)),))).answer(begun)
    assert answer.confidence is Confidence.LOW
    assert "Ana Ruiz asked this" in answer.summary


@pytest.mark.parametrize(
    ("said", "asked", "words"),
    [
        (
            "김장 행사 사회 보실 분 구합니다. 작년 사회자는 사양하셨어요.",
            "김장 행사 사회는 누가 봐?",
            ("김장", "행사", "사회"),
        ),
        ("Looking for volunteers to run the harvest quiz.", "who runs the harvest quiz", ("harvest", "quiz", "runs")),
    ],
)
def test_whoever_seeks_somebody_has_not_said_who_it_is(
    desk: Any, said: str, asked: str, words: tuple[str, ...]
) -> None:
    sought = desk.result("slack:1", said, author="Ana Ruiz", facts={"thread_ts": "1"})
    language = "en" if asked.isascii() else "ko"
    answer = desk.ask(asked, keywords=words, type=QueryType.PERSON, language=language).answer(sought)
    assert answer.confidence is Confidence.LOW
    assert "Ana Ruiz" in answer.summary
    assert ("asked this" if language == "en" else "물었") in answer.summary
