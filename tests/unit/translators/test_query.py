"""The constructors of the query language keep their promises."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from translators.query import (
    EVERYTHING,
    NOTHING,
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Entity,
    EntityKind,
    Field,
    Kind,
    Leaf,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Term,
    all_of,
    any_of,
    conjuncts,
    leaves,
    map_leaves,
    only_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable

A, B, C = Term("배포"), Phrase("출시 일정"), Prefix("mig")


@pytest.mark.parametrize(("join", "node", "neutral"), [(all_of, AllOf, EVERYTHING), (any_of, AnyOf, NOTHING)])
def test_joining_flattens_drops_repeats_and_returns_one_part_bare(
    join: Callable[[list[Clause]], Clause], node: type[AllOf | AnyOf], neutral: Clause
) -> None:
    assert join([]) == neutral
    assert join([A]) == A
    assert join([A, A]) == A
    assert join([A, neutral, B]) == node((A, B))
    assert join([node((A, B)), C, B]) == node((A, B, C))


def test_joining_keeps_the_other_kind_of_node_whole() -> None:
    assert all_of([A, any_of([B, C])]) == AllOf((A, AnyOf((B, C))))
    assert any_of([A, all_of([B, C])]) == AnyOf((A, AllOf((B, C))))


def test_conjuncts_of_a_clause_that_is_no_and_is_the_clause_itself() -> None:
    assert conjuncts(A) == (A,)
    assert conjuncts(NOTHING) == (NOTHING,)
    assert conjuncts(EVERYTHING) == ()
    assert conjuncts(all_of([A, B])) == (A, B)


def test_leaves_come_from_left_to_right_from_under_nots_too() -> None:
    tree = all_of([A, Not(any_of([B, C])), Term("검색")])
    assert list(leaves(tree)) == [A, B, C, Term("검색")]


def test_only_words_are_words_and_their_alternatives() -> None:
    other = Term("release")
    assert only_words(A)
    assert only_words(any_of([A, all_of([other, Term("plan")])]))
    assert not any(map(only_words, (B, C, Not(A), any_of([A, Not(other)]), EVERYTHING, NOTHING)))


def test_mapping_leaves_keeps_the_shape_and_simplifies_what_vanishes() -> None:
    def louder(leaf: Leaf) -> Clause:
        return EVERYTHING if leaf == B else Term("!") if isinstance(leaf, Term) else leaf

    assert map_leaves(all_of([A, B, Not(C)]), louder) == AllOf((Term("!"), Not(C)))
    assert map_leaves(any_of([A, C]), louder) == AnyOf((Term("!"), C))


SINCE = datetime(2025, 1, 10, tzinfo=timezone(timedelta(hours=9)))


@pytest.mark.parametrize(
    ("clause", "shown"),
    [
        (A, "배포"),
        (B, '"출시 일정"'),
        (C, "mig*"),
        (Not(A), "NOT 배포"),
        (Not(all_of([A, B])), 'NOT (배포 AND "출시 일정")'),
        (all_of([A, any_of([B, C])]), '배포 AND ("출시 일정" OR mig*)'),
        (EVERYTHING, "everything"),
        (NOTHING, "nothing"),
        (Not(EVERYTHING), "NOT everything"),
        (Compare(Field.TIME, Op.GE, SINCE), "time >= 2025-01-10T00:00:00+09:00"),
        (Compare(Field.AUTHOR, Op.EQ, Person("김민수")), "author = 김민수"),
        (Compare(Field.AUTHOR, Op.EQ, Person("김민수", me=True)), "author = me"),
        (Compare(Field.AUTHOR, Op.EQ, Person("", email="s@x.example")), "author = s@x.example"),
        (Compare(Field.AUTHOR, Op.EQ, Person("", native_id="U1")), "author = U1"),
        (Compare(Field.AUTHOR, Op.EQ, Person("")), "author = ?"),
        (Compare(Field.CONTAINER, Op.EQ, Container("공지", "C1")), "container = 공지"),
        (Compare(Field.KIND, Op.EQ, Kind.PULL_REQUEST), "kind = pull_request"),
    ],
)
def test_clauses_read_as_people_would_say_them(clause: Clause, shown: str) -> None:
    assert str(clause) == shown


def test_clauses_are_values() -> None:
    """Equal clauses are one key, so that plans and caches can hold them."""
    assert {Term("배포"): 1}[Term("배포")] == 1
    assert hash(all_of([A, Not(B)])) == hash(all_of([A, Not(B)]))


def test_narrowed_query_differs_in_its_meaning_only() -> None:
    query = Query("배포 일정", where=A, limit=7, keywords=("배포",))
    assert query.narrowed(B) == Query("배포 일정", where=B, limit=7, keywords=("배포",))


def test_people_of_a_query_are_its_person_entities_in_order() -> None:
    entities = (
        Entity(EntityKind.PERSON, "김민수"),
        Entity(EntityKind.PROJECT, "Phoenix"),
        Entity(EntityKind.PERSON, "Sarah"),
    )
    assert Query("?", entities=entities).people() == ("김민수", "Sarah")
