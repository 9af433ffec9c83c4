from dataclasses import replace

from orchestrator.plan.conditions import known_alternatives
from orchestrator.plan.ladder import SourceReach, ladder
from orchestrator.plan.variants import variants
from orchestrator.understand import understand
from tests.quality.parts import NOW
from translators.capabilities import Capabilities, Fidelity
from translators.query import Compare, Field, Kind, Op, Person, Query, Term, all_of, any_of
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


ONE_OF = any_of((Term("okta"), Term("saml")))


def test_words_with_or_between_them_are_asked_for_together_or_one_by_one() -> None:
    query = Query("", all_of((Term("ledger"), ONE_OF)))
    assert [str(each.where) for each in variants(query, load_dialect("gmail").can, 1)] == [
        "(ledger OR ledgers) AND (okta OR oktas OR saml OR samls)"
    ]
    one_by_one = [str(each.where) for each in variants(query, load_dialect("slack").can, 1)]
    assert one_by_one == ["ledger AND okta", "ledger AND saml"]


def test_other_names_follow_what_was_typed() -> None:
    query = replace(Query("", ONE_OF), variants=(("okta", ("옥타",)),))
    asked = [str(each.where) for each in variants(query, load_dialect("slack").can, 1)]
    assert asked == ["okta", "saml", "옥타"]


def test_who_may_have_written_it_is_asked_for_as_the_source_can() -> None:
    """Typed, they limit what is asked for; a source that has no field for it is asked for more, once."""
    query = Query("", all_of((Term("refund"), any_of((WROTE, Compare(Field.AUTHOR, Op.EQ, Person("Lee")))))))
    declared = Capabilities(term=Fidelity.EXACT, fields={Field.AUTHOR: Fidelity.EXACT})
    assert len(variants(query, declared, 1)) == 2
    assert variants(query, Capabilities(term=Fidelity.EXACT), 1) == (query,)


def test_a_choice_is_kept_until_any_one_word_will_do() -> None:
    query = understand("ledger audit okta OR saml", NOW)
    rungs = [str(each.where) for each in ladder(query, SourceReach(load_dialect("gmail").can))]
    assert rungs[0] == "ledger AND audit AND (okta OR saml)"
    assert all("(okta OR saml)" in rung for rung in rungs[:-1])
    assert set(rungs[-1].split(" OR ")) == {"ledger", "audit", "okta", "saml"}
    alone = [
        str(each.where) for each in ladder(understand("okta OR saml", NOW), SourceReach(load_dialect("gmail").can))
    ]
    assert alone == ["okta OR saml"]
