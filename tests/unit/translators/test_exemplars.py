"""The notation of exemplars, and what it says to those who get it wrong."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from translators.exemplars import BadExemplar, Table, clause_from, exemplars_from, loss_line
from translators.query import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Sort,
    State,
    Term,
)
from translators.translator import Loss, LossKind

SINCE = datetime(2025, 1, 1, tzinfo=timezone(timedelta(hours=9)))


@pytest.mark.parametrize(
    ("table", "clause"),
    [
        ({"term": "배포"}, Term("배포")),
        ({"phrase": "출시 일정"}, Phrase("출시 일정")),
        ({"prefix": "mig"}, Prefix("mig")),
        ({"not": {"term": "초안"}}, Not(Term("초안"))),
        ({"all": [{"term": "a"}, {"term": "b"}]}, AllOf((Term("a"), Term("b")))),
        ({"any": [{"term": "a"}, {"not": {"term": "b"}}]}, AnyOf((Term("a"), Not(Term("b"))))),
        ({"author": {"name": "김민수"}}, Compare(Field.AUTHOR, Op.EQ, Person("김민수"))),
        ({"assignee": {"me": True}}, Compare(Field.ASSIGNEE, Op.EQ, Person("", me=True))),
        ({"container": {"name": "공지", "native_id": "C1"}}, Compare(Field.CONTAINER, Op.EQ, Container("공지", "C1"))),
        ({"kind": "page"}, Compare(Field.KIND, Op.EQ, Kind.PAGE)),
        ({"state": "open"}, Compare(Field.STATE, Op.EQ, State.OPEN)),
        ({"time": {">=": SINCE}}, Compare(Field.TIME, Op.GE, SINCE)),
        ({"updated": {"<": SINCE}}, Compare(Field.UPDATED, Op.LT, SINCE)),
    ],
    ids=str,
)
def test_every_clause_can_be_written(table: Table, clause: Clause) -> None:
    assert clause_from(table) == clause


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"term": "a", "phrase": "b"},
        {"word": "a"},
        {"kind": "폴더"},
        {"author": {"nick": "x"}},
        {"author": "sarah"},
        {"container": {}},
        {"time": "2025-01-01"},
        {"time": {">=": "2025-01-01"}},
        {"time": {">=": SINCE.replace(tzinfo=None)}},
        {"time": {">": SINCE}},
    ],
    ids=str,
)
def test_what_is_no_clause_is_quoted_back(table: Table) -> None:
    with pytest.raises(BadExemplar, match=r"a clause is a table with one key|cannot read|wants a date"):
        clause_from(table)


def test_an_exemplar_holds_a_whole_translation() -> None:
    document = {
        "exemplar": [
            {
                "says": "빼고 찾기",
                "language": "ko",
                "hostile": True,
                "where": [{"term": "배포"}, {"not": {"term": "초안"}}],
                "sort": "newest",
                "text": "배포",
                "args": {"sort": "timestamp"},
                "residual": [{"not": {"term": "초안"}}],
                "losses": ["checked here: NOT 초안 (why)"],
            },
            {"says": "everything", "where": []},
        ]
    }
    first, second = exemplars_from(document)
    assert first.query.where == AllOf((Term("배포"), Not(Term("초안"))))
    assert (first.query.sort, first.query.language, first.hostile) == (Sort.NEWEST, "ko", True)
    assert first.residual == Not(Term("초안"))
    assert first.losses == (loss_line(Loss(LossKind.CHECKED, "NOT 초안", "why")),)
    assert (second.query.where, second.text, second.residual, second.losses) == (EVERYTHING, "", None, ())


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"says": "x", "where": [], "txt": "y"}, "exemplar 'x' has keys that mean nothing: txt"),
        ({"says": "x"}, "exemplar 'x' lacks: where"),
        ({"where": []}, "exemplar None lacks: says"),
    ],
)
def test_a_mistyped_exemplar_says_what_is_wrong(table: Table, message: str) -> None:
    with pytest.raises(BadExemplar, match=message):
        exemplars_from({"exemplar": [table]})
