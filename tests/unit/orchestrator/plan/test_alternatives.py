from orchestrator.plan.conditions import known_alternatives
from translators.capabilities import Capabilities, Fidelity
from translators.query import Compare, Field, Kind, Op, Person, Term, all_of, any_of
from translators.registry import load_dialect

WOOJIN = Person("Woojin Jung")
ASSIGNED = Compare(Field.ASSIGNEE, Op.EQ, WOOJIN)
WROTE = Compare(Field.AUTHOR, Op.EQ, WOOJIN)
WORK = all_of((Term("refund"), any_of((ASSIGNED, WROTE))))


def test_a_source_without_assignees_is_asked_for_what_a_person_wrote() -> None:
    assert known_alternatives(WORK, load_dialect("slack").can) == all_of((Term("refund"), WROTE))


def test_a_tracker_that_takes_alternatives_is_asked_for_both() -> None:
    assert known_alternatives(WORK, load_dialect("linear").can) == WORK


def test_a_source_that_takes_no_alternatives_loses_none_of_those_it_knows() -> None:
    """Asked for what is assigned alone, it would hide what the same person wrote, and nobody would be told."""
    assert known_alternatives(WORK, load_dialect("words").can) == WORK


def test_alternatives_of_one_field_stay_as_they_are() -> None:
    kinds = any_of(Compare(Field.KIND, Op.EQ, kind) for kind in (Kind.PAGE, Kind.ISSUE))
    assert known_alternatives(kinds, load_dialect("slack").can) == kinds


def test_a_source_that_may_have_assignees_and_cannot_be_asked_for_them_is_asked_for_more() -> None:
    """A declared search knows authors; whether its things have assignees, nobody said."""
    declared = load_dialect("words").can.meet(Capabilities(term=Fidelity.EXACT, fields={Field.AUTHOR: Fidelity.EXACT}))
    assert known_alternatives(WORK, declared) == WORK


def test_a_condition_that_can_never_hold_is_left_for_the_check() -> None:
    assert known_alternatives(ASSIGNED, load_dialect("slack").can) == ASSIGNED
