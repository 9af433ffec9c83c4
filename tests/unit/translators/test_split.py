"""Splits that people can read; the laws are in tests/property/test_split_law.py."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.query import (
    EVERYTHING,
    NOTHING,
    AnyOf,
    Clause,
    Compare,
    Field,
    Kind,
    Leaf,
    Not,
    Op,
    Phrase,
    Term,
    all_of,
    any_of,
)
from translators.split import Split, split

A, B, C = Term("배포"), Term("일정"), Phrase("출시 일정")
SINCE = Compare(Field.TIME, Op.GE, datetime(2025, 1, 10, tzinfo=UTC))
PAGE = Compare(Field.KIND, Op.EQ, Kind.PAGE)
CAN = Capabilities(
    term=Fidelity.EXACT,
    phrase=Fidelity.APPROXIMATE,
    fields={Field.TIME: Fidelity.WIDER},
    any_of=True,
    negates=frozenset({Term}),
)
NO_OR = Capabilities(term=Fidelity.EXACT)


@pytest.mark.parametrize(
    ("where", "can", "expected"),
    [
        (EVERYTHING, CAN, Split(EVERYTHING, None)),
        (A, CAN, Split(A, None)),
        (SINCE, CAN, Split(SINCE, SINCE)),
        (PAGE, CAN, Split(EVERYTHING, PAGE)),
        (C, CAN, Split(C, None, (C,))),
        (all_of([A, SINCE, PAGE, C]), CAN, Split(all_of([A, SINCE, C]), all_of([SINCE, PAGE]), (C,))),
        (any_of([A, B]), CAN, Split(any_of([A, B]), None)),
        (any_of([A, SINCE]), CAN, Split(any_of([A, SINCE]), any_of([A, SINCE]))),
        (any_of([A, PAGE]), CAN, Split(EVERYTHING, any_of([A, PAGE]))),
        (any_of([A, all_of([B, PAGE])]), CAN, Split(any_of([A, B]), any_of([A, all_of([B, PAGE])]))),
        (any_of([A, B]), NO_OR, Split(EVERYTHING, any_of([A, B]))),
        (NOTHING, CAN, Split(EVERYTHING, NOTHING)),
        (Not(A), CAN, Split(Not(A), None)),
        (Not(C), CAN, Split(EVERYTHING, Not(C))),
        (Not(SINCE), CAN, Split(EVERYTHING, Not(SINCE))),
        (Not(Not(A)), CAN, Split(A, None)),
        (Not(any_of([A, B])), CAN, Split(all_of([Not(A), Not(B)]), None)),
        (Not(all_of([A, B])), CAN, Split(any_of([Not(A), Not(B)]), None)),
        (Not(all_of([A, B])), NO_OR, Split(EVERYTHING, Not(all_of([A, B])))),
        (Not(NOTHING), CAN, Split(EVERYTHING, None)),
        (Not(EVERYTHING), CAN, Split(EVERYTHING, Not(EVERYTHING))),
    ],
    ids=str,
)
def test_each_part_goes_where_it_can_be_checked(where: Clause, can: Capabilities, expected: Split) -> None:
    assert split(where, can) == expected


def test_a_single_alternative_is_no_alternative() -> None:
    assert split(AnyOf((A,)), NO_OR) == Split(A, None)


def test_a_judge_may_think_less_of_one_leaf() -> None:
    def judge(leaf: Leaf) -> Verdict:
        return Verdict(Fidelity.NONE, "cannot be spelled") if leaf == B else Verdict()

    assert split(all_of([A, B]), CAN, judge) == Split(A, B)


def test_a_judge_cannot_make_more_of_a_leaf_than_the_source_can_do() -> None:
    assert split(PAGE, CAN, lambda _: Verdict(Fidelity.EXACT)) == Split(EVERYTHING, PAGE)


def test_a_judge_may_forbid_one_negation() -> None:
    def judge(leaf: Leaf) -> Verdict:
        return Verdict(negates=leaf != B)

    assert split(all_of([Not(A), Not(B), B]), CAN, judge) == Split(all_of([Not(A), B]), Not(B))
