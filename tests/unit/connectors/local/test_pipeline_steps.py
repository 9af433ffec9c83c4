"""The pure steps: fusion, boost, order by date; and BM25 from what ts_rank says."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.local.numbers import Bm25, default_numbers
from connectors.local.pipeline import Candidate, RetrievalResult, boosted, by_address, by_date, fused, relative
from connectors.local.retrieval import (
    WHOLE,
    FoundChunk,
    Near,
    _rarest,
    bm25,
    near_address,
    near_enough,
    occurrences,
    usual_site,
)

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
K = 60


def found(*documents):
    return [
        FoundChunk(chunk=document * 10, document=document, score=1.0 - place / 10)
        for place, document in enumerate(documents)
    ]


def test_fusion_is_reciprocal_in_rank():
    candidates = fused(found(1, 2), found(2, 3), K)
    scores = {each.document: each.score for each in candidates}
    assert scores == {1: pytest.approx(1 / 61), 2: pytest.approx(1 / 62 + 1 / 61), 3: pytest.approx(1 / 62)}
    assert [each.document for each in candidates] == [2, 1, 3]


def test_a_document_counts_once_in_each_list_at_its_best_chunk():
    lists = [FoundChunk(7, 1, 0.9), FoundChunk(8, 1, 0.8), FoundChunk(9, 2, 0.7)]
    first, second = fused(lists, [], K)
    assert (first.chunk, first.score, second.score) == (7, pytest.approx(1 / 61), pytest.approx(1 / 62))


@given(st.lists(st.integers(1, 30), unique=True), st.lists(st.integers(1, 30), unique=True))
def test_fusion_keeps_every_document_and_says_how_it_came(meant, lexical):
    candidates = fused(found(*meant), found(*lexical), K)
    assert {each.document for each in candidates} == set(meant) | set(lexical)
    assert all(any(step.startswith(("meaning", "words")) for step in each.steps) for each in candidates)
    assert [each.score for each in candidates] == sorted((each.score for each in candidates), reverse=True)


def boosted_one(kind, relevance, days, *, new):
    happened = None if days is None else NOW - timedelta(days=days)
    searched = RetrievalResult([Candidate(1, 1, relevance, (), "anything", happened, kind=kind)])
    boosted(searched, default_numbers(), NOW, new=new)
    return searched.candidates[0].score


@pytest.mark.parametrize(
    ("kind", "relevance", "days", "mixed", "lifted"),
    [
        ("message", 0.8, 0, 0.92, 0.8),
        ("page", 0.8, 0, 0.84, 0.6),
        ("thread", 0.8, 7, 0.62, 0.65),
        ("message", 0.8, None, 0.62, 0.65),
        ("message", 0.8, -5, 0.92, 0.8),
    ],
)
def test_recency_boost(kind, relevance, days, mixed, lifted):
    """The required checks where what is new is asked for; else what fits is lifted by up to its weight."""
    assert boosted_one(kind, relevance, days, new=True) == pytest.approx(mixed)
    assert boosted_one(kind, relevance, days, new=False) == pytest.approx(lifted)


def test_boost_sorts():
    old = Candidate(1, 1, 0.9, (), "chat", NOW - timedelta(days=60), kind="message")
    new = Candidate(2, 2, 0.8, (), "chat", NOW, kind="message")
    searched = RetrievalResult([old, new])
    boosted(searched, default_numbers(), NOW)
    assert [each.document for each in searched.candidates] == [2, 1]


def test_shares_of_the_best():
    assert [each.score for each in relative([Candidate(1, 1, 0.03), Candidate(2, 2, 0.015)])] == [1.0, 0.5]


def test_by_date_what_has_none_comes_last():
    dated = [Candidate(n, n, 0.0, (), "slack", when) for n, when in ((1, NOW), (2, None), (3, NOW + timedelta(days=1)))]
    assert [each.document for each in by_date(dated, newest=True)] == [3, 1, 2]
    assert [each.document for each in by_date(dated, newest=False)] == [1, 3, 2]


def test_an_address_that_fits_the_question_comes_first():
    listed = [FoundChunk(1, 1, 0.80, 0.1), FoundChunk(2, 2, 0.78, 0.9), FoundChunk(3, 3, 0.79, None)]
    assert [each.chunk for each in near_address(listed, 0.0)] == [1, 3, 2]
    assert [each.chunk for each in near_address(listed, 0.5)] == [2, 3, 1], "none is no worse than the usual one"


def test_an_address_counts_by_how_much_it_stands_out():
    assert usual_site([0.8, None, 0.6, 0.7]) == pytest.approx(0.7)
    assert usual_site([None, None]) == 0.0
    judged = [Candidate(place, place, 0.5) for place in range(3)]
    near = {0: Near(0.5, 0.9), 1: Near(0.5, 0.9), 2: Near(0.5, None)}
    same = {each.score for each in by_address(judged, near, 0.5)}
    assert same == {0.5}, "of one site nothing says that its pages are wanted"


@given(
    st.lists(st.tuples(st.floats(0, 1), st.none() | st.floats(-1, 1)), min_size=1, max_size=30),
    st.floats(0, 100, allow_subnormal=False),
)
def test_relevance_and_address_make_a_share(judged, weight):
    near = {place: Near(0.5, site) for place, (_, site) in enumerate(judged)}
    candidates = [Candidate(place, place, score) for place, (score, _) in enumerate(judged)]
    placed = by_address(candidates, near, weight)
    assert {each.document for each in placed} == set(range(len(judged)))
    assert all(0.0 <= each.score <= 1.0 for each in placed)
    assert [each.score for each in placed] == sorted((each.score for each in placed), reverse=True)
    if not weight or all(site is None for _, site in judged):
        assert {each.document: each.score for each in placed} == {each.document: each.score for each in candidates}


def test_what_is_merely_the_nearest_there_is_is_not_found():
    meant = [
        FoundChunk(1, 1, 0.86),
        FoundChunk(2, 2, 0.84),
        FoundChunk(3, 3, 0.80),
        FoundChunk(4, 4, 0.80, site=0.9),
        FoundChunk(5, 5, 0.80, site=0.1),
    ]
    worded = [FoundChunk(30, 3, 7.0)]
    assert [each.document for each in near_enough(meant, worded, 0.85, 200)] == [1, 3, 4]
    assert near_enough(meant, worded, 0.85, 1) == meant  # of those that words find, not all are listed
    assert near_enough(meant, worded, default_numbers().nearness.floor("openai/unmeasured"), 200) == meant


@pytest.mark.parametrize("count", [1, 2, 3, 10, 100, 255])
def test_occurrences_are_read_from_the_rank(count):
    rank = math.fsum(1 / n**2 for n in range(1, count + 1)) / WHOLE
    assert occurrences(rank) == count


def test_bm25_by_hand():
    score = bm25([1 / WHOLE, 0.0, 1.25 / WHOLE], [2.0, 9.0, 1.0], 1.0, Bm25(saturation=1.2, length=0.75, pairs=0.0))
    assert score == pytest.approx(2.0 * 1 * 2.2 / (1 + 1.2) + 1.0 * 2 * 2.2 / (2 + 1.2))


def test_the_rarest_words_are_looked_up_until_there_is_enough():
    held = {"the": 9000, "plan": 3000, "배포": 2500, "zebra": 3}

    def chosen(enough, weighed):
        return _rarest(held, default_numbers().candidates.model_copy(update={"enough": enough, "weighed": weighed}))

    assert chosen(5000, 200) == ["zebra", "배포", "plan"]
    assert chosen(1, 200) == ["zebra"]
    assert chosen(6000, 200) == ["zebra", "배포", "plan"], "the next would find far more than enough"
    assert chosen(6000, 6000) == ["zebra", "배포", "plan", "the"], "but there is nothing to weigh without it"


def test_by_date_what_hardly_fits_stands_behind_however_new_it_is():
    days = [(1, 0.9, 0), (2, 0.5, 1), (3, 0.4, 2)]
    found = [Candidate(n, n, score, (), "slack", NOW + timedelta(days=day)) for n, score, day in days]
    assert [each.document for each in by_date(found, newest=True)] == [2, 1, 3]
    assert [each.document for each in by_date(found, newest=False)] == [1, 2, 3]
    assert [each.document for each in by_date(found, newest=True, dated_from=0.0)] == [3, 2, 1], "no word was asked for"
