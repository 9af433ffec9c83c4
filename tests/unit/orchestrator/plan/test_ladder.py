"""The broadening ladder gives things up in the right order and never what must stay."""

from datetime import UTC, datetime

import pytest

from orchestrator.plan.ladder import ladder
from translators.query import (
    Compare,
    Container,
    Field,
    Not,
    Op,
    Person,
    Phrase,
    Query,
    QueryType,
    Term,
    Window,
    all_of,
)

SINCE = Compare(Field.TIME, Op.GE, datetime(2026, 4, 1, tzinfo=UTC))
UNTIL = Compare(Field.TIME, Op.LT, datetime(2026, 7, 1, tzinfo=UTC))
CHANNEL = Compare(Field.CONTAINER, Op.EQ, Container("결제-개발"))
WORDS = ("PostgreSQL", "마이그레이션", "일정", "timeline")


def query(*further, type=QueryType.DECISION, words=WORDS):  # noqa: A002 - the field's own name
    where = all_of([*map(Term, words), *further])
    return Query("q", where, type, keywords=words, essential=words, window=Window(None, None, "지난 2분기"))


def test_dates_then_place_then_lesser_words_then_all_but_the_core():
    rungs = ladder(query(SINCE, UNTIL, CHANNEL))
    assert [rung.dropped for rung in rungs] == [
        (),
        ("지난 2분기",),
        ("지난 2분기", "in:결제-개발"),
        ("지난 2분기", "in:결제-개발", "일정", "timeline"),
        ("지난 2분기", "in:결제-개발", "일정", "timeline", "마이그레이션"),
    ]
    assert rungs[-1].where == Term("PostgreSQL")


def test_a_status_question_gives_up_its_dates_last():
    """Stale news is worse than none."""
    rungs = ladder(query(SINCE, CHANNEL, type=QueryType.STATUS))
    assert [rung.dropped[-1] for rung in rungs[1:]] == ["in:결제-개발", "timeline", "마이그레이션", "지난 2분기"]


@pytest.mark.parametrize(
    "kept",
    [Phrase("정확한 문구"), Not(Term("초안")), Compare(Field.AUTHOR, Op.EQ, Person("이하늘")), Not(Phrase("old plan"))],
    ids=str,
)
def test_phrases_authors_and_negations_are_never_given_up(kept):
    assert all(kept in getattr(rung.where, "parts", ()) for rung in ladder(query(SINCE, kept)))


def test_a_question_of_one_word_has_one_rung():
    assert len(ladder(query(words=("migration",)))) == 1


def test_a_question_of_dates_alone_keeps_them():
    """Dropping them would ask for everything there is."""
    assert [rung.where for rung in ladder(query(SINCE, words=()))] == [SINCE]


def test_keywords_serve_where_nothing_says_which_are_essential():
    asked = Query("q", all_of(map(Term, ("a", "b", "c"))), keywords=("a", "b", "c"))
    assert [rung.dropped for rung in ladder(asked)] == [(), ("c",), ("c", "b")]


def test_dates_without_the_words_they_came_from_are_called_dates():
    asked = Query("q", all_of([Term("a"), SINCE]), keywords=("a",))
    assert ladder(asked)[1].dropped == ("dates",)
