"""What words weigh beside each other, and messages beside messages; reranking by what is known."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.local.judging import Weighed, stretched
from connectors.local.numbers import ConversationWeights
from connectors.local.retrieval import FoundChunk, in_conversation, rarity, side_by_side
from connectors.local.words import MOST_TERMS, question_words
from connectors.models.reranking import JudgedDocument

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOURLY = ConversationWeights(hours=1, share=0.5)


def said(chunk, minutes, score, talk=1):
    happened = None if minutes is None else NOW + timedelta(minutes=minutes)
    return FoundChunk(chunk, chunk, score, happened=happened), talk


def scores(*messages, numbers=HOURLY):
    return {each.chunk: each.score for each in in_conversation(messages, numbers)}


def test_a_message_owes_half_of_the_best_around_it():
    assert scores(said(1, 0, 4.0), said(2, 30, 1.0), said(3, 60, 2.0)) == {1: 5.0, 2: 3.0, 3: 4.0}


def test_what_is_elsewhere_later_undated_or_no_message_is_not_around():
    assert scores(said(1, 0, 4.0), said(2, 61, 1.0)) == {1: 4.0, 2: 1.0}
    assert scores(said(1, 0, 4.0), said(2, 0, 1.0, talk=2)) == {1: 4.0, 2: 1.0}
    assert scores(said(1, 0, 4.0), said(2, None, 1.0)) == {1: 4.0, 2: 1.0}
    assert scores(said(1, 0, 4.0, None), said(2, 0, 1.0, None)) == {1: 4.0, 2: 1.0}


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 9), st.integers(1, 2)), max_size=30))
def test_each_score_is_its_own_and_the_best_of_its_neighbours(messages):
    made = [said(chunk, minutes, float(score), talk) for chunk, (minutes, score, talk) in enumerate(messages)]
    expected = {
        chunk: score + 0.5 * max((other for place, (when, other, where) in enumerate(messages)
                                  if place != chunk and where == talk and abs(when - minutes) <= 60), default=0)
        for chunk, (minutes, score, talk) in enumerate(messages)
    }  # fmt: skip
    assert scores(*made) == expected


def test_neighbours_of_a_question_weigh_what_the_commoner_one_does():
    assert side_by_side(["a", "b", "unknown", "a", "a"], {"a": 2.0, "b": 3.0}) == {("a", "b"): 2.0}


def test_rarity_is_never_negative():
    assert rarity(100, 100) > 0.0
    assert rarity(1, 100) > rarity(50, 100)


@pytest.mark.asyncio
async def test_reranked_by_words_of_the_whole_index_and_by_meaning():
    documents = [JudgedDocument(name, "") for name in "abc"]
    judged = await Weighed("local", [2.0, 4.0, 0.0], []).judge("?", documents, 2)
    assert [(each.id, each.score) for each in judged] == [("b", 1.0), ("a", 0.5)]
    judged = await Weighed("local", [4.0, 4.0, 0.0], [0.80, 0.81, 0.82]).judge("?", documents, 3)
    assert [each.id for each in judged] == ["b", "a", "c"]


def test_a_narrow_band_is_stretched():
    assert stretched([0.80, 0.81, 0.82]) == pytest.approx([0.0, 0.5, 1.0])
    assert stretched([0.8, 0.8]) == [1.0, 1.0]
    assert stretched([0.80, 0.805]) == pytest.approx([0.75, 1.0]), (
        "of two texts nearly as near neither is the nearer by all"
    )
    assert stretched([]) == []


@pytest.mark.parametrize(
    ("typed", "wanted", "shares"),
    [
        (
            "배포를 미룬 담당자",
            "배포 출시 release",
            {"배포": 1.0, "출시": 0.5, "releas": 1.0, "미룬": 0.5, "담당": 0.65, "당자": 0.65},
        ),
        (
            "whose deploy slipped",
            "deploy rollout 배포",
            {"deploy": 1.0, "rollout": 0.5, "배포": 1.0, "slip": 0.5, "담당": 0.15, "당자": 0.15},
        ),
        (  # a Korean name makes no Korean question
            "what does 도하운송 charge for the flight",
            "도하운송 charge fee 요금",
            dict.fromkeys(("도하", "하운", "운송", "charg", "요금"), 1.0)
            | dict.fromkeys(("fee", "doe", "for", "the", "flight"), 0.5)
            | {"담당": 0.15, "당자": 0.15},
        ),
    ],
)
def test_a_word_counts_the_mean_of_what_was_typed_and_what_was_understood(typed, wanted, shares):
    asked = question_words(wanted, typed, {"담당자": 0.3})
    assert asked.shares == pytest.approx(shares)
    assert asked.wanted == {term for term in shares if term in wanted}


def test_what_is_typed_as_it_is_wanted_counts_whole_even_if_it_asks():
    whole = {"배포": 1.0, "plan": 1.0, "when": 1.0}
    assert question_words("배포 plan when").shares == question_words("배포 plan when", "배포 plan when").shares == whole


def test_a_long_question_costs_no_more_than_two_readings_of_so_many_words():
    many = " ".join(f"w{n}" for n in range(3 * MOST_TERMS))
    asked = question_words(many, many.replace("w", "v"), {f"u{n}": 0.3 for n in range(3 * MOST_TERMS)})
    assert len(asked.shares) == 2 * MOST_TERMS
    assert len(asked.typed) == MOST_TERMS == len(asked.wanted)
    assert asked.shares.keys() == {*asked.typed, *asked.wanted}, "what was typed goes before words of less weight"
