"""What a source can do, leaf by leaf, and what two sets of powers have in common."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from translators.capabilities import Capabilities, Fidelity
from translators.query import Compare, Field, Op, Person, Phrase, Prefix, Sort, Term

EXACT, WIDER, APPROXIMATE, NONE = Fidelity
NOW = datetime(2025, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("left", "right", "weaker"),
    [(EXACT, WIDER, WIDER), (APPROXIMATE, WIDER, APPROXIMATE), (NONE, EXACT, NONE), (EXACT, EXACT, EXACT)],
)
def test_the_weaker_of_two_fidelities_counts(left: Fidelity, right: Fidelity, weaker: Fidelity) -> None:
    assert left.weakened(right) is weaker
    assert right.weakened(left) is weaker


def test_each_kind_of_leaf_has_its_own_fidelity() -> None:
    can = Capabilities(term=EXACT, phrase=WIDER, prefix=APPROXIMATE, fields={Field.TIME: WIDER, Field.AUTHOR: EXACT})
    assert can.fidelity(Term("배포")) is EXACT
    assert can.fidelity(Phrase("출시 일정")) is WIDER
    assert can.fidelity(Prefix("mig")) is APPROXIMATE
    assert can.fidelity(Compare(Field.TIME, Op.GE, NOW)) is WIDER
    assert can.fidelity(Compare(Field.CREATED, Op.GE, NOW)) is NONE


def test_comparisons_that_make_no_sense_are_nobodys() -> None:
    """Instants have an order and others do not."""
    can = Capabilities(fields={Field.TIME: EXACT, Field.AUTHOR: EXACT})
    assert can.fidelity(Compare(Field.TIME, Op.EQ, NOW)) is NONE
    assert can.fidelity(Compare(Field.AUTHOR, Op.GE, Person("sarah"))) is NONE


def test_only_exact_checks_may_be_negated() -> None:
    can = Capabilities(term=EXACT, phrase=WIDER, negates=frozenset({Term, Phrase}))
    assert can.can_negate(Term("배포"))
    assert not can.can_negate(Phrase("출시 일정"))
    assert not Capabilities(term=EXACT).can_negate(Term("배포"))


def test_alternatives_may_be_confined_to_fields() -> None:
    by = Compare(Field.AUTHOR, Op.EQ, Person("sarah"))
    assert Capabilities(any_of=True).can_ask_any([Term("배포"), by])
    assert Capabilities(any_of=True, any_of_text=False).can_ask_any([by, by])
    assert not Capabilities(any_of=True, any_of_text=False).can_ask_any([by, Term("배포")])
    assert not Capabilities().can_ask_any([by])


def test_two_sets_of_powers_have_the_weaker_in_common() -> None:
    language = Capabilities(
        term=EXACT,
        phrase=EXACT,
        fields={Field.AUTHOR: EXACT, Field.TIME: WIDER},
        any_of=True,
        negates=frozenset({Term, Field.AUTHOR}),
        sorts=frozenset(Sort),
    )
    source = Capabilities(
        term=APPROXIMATE, phrase=EXACT, fields={Field.AUTHOR: WIDER}, negates=frozenset({Term}), note="!"
    )
    assert language.meet(source) == Capabilities(
        term=APPROXIMATE,
        phrase=EXACT,
        fields={Field.AUTHOR: WIDER, Field.TIME: NONE},
        negates=frozenset({Term}),
        sorts=frozenset({Sort.RELEVANCE}),
        note="!",
    )
