"""An answer speaks from what lies inside the question, as long as anything does."""

from __future__ import annotations

from typing import Any

from orchestrator.answer.cover import wanted
from orchestrator.answer.scope import within
from translators.query import Compare, Container, Field, Implied, Op, Person, QueryType


def test_only_what_was_asked_for_is_claimed(desk: Any) -> None:
    desk = desk.ask(type=QueryType.EXPLORATORY, keywords=("pricing",))
    inside = desk.result("slack:1", "pricing starts in January", container=Container("leadership"))
    unchecked = desk.result("notion:2", "pricing page", unverified=("in leadership",))
    outside = desk.result("slack:3", "pricing rumour", container=Container("sales"), factors={"asked": 0.0})
    words = wanted(desk.query)
    assert list(within((outside, unchecked, inside), words)) == [inside]
    assert list(within((outside, unchecked), words)) == [unchecked]
    assert list(within((outside,), words)) == [outside]
    answer = desk.answer(outside, unchecked, inside)
    assert len(answer.results) == 3
    assert {each.result.hit.id for each in answer.citations} == {"1"}


def test_what_lies_inside_but_is_about_something_else_is_no_reason_to_leave_the_rest_out(desk: Any) -> None:
    desk = desk.ask(type=QueryType.FACTUAL, keywords=("cloud", "bill"))
    inside = desk.result("slack:1", "the new office is at most five floors high")
    outside = desk.result("slack:2", "the cloud bill was $31k", factors={"asked": 0.0})
    assert list(within((inside, outside), wanted(desk.query))) == [outside]
    answer = desk.answer(inside, outside)
    assert answer.statements[0].text.startswith("Nothing satisfies all that was asked")
    assert "$31k" in answer.statements[1].text


def test_a_condition_that_is_only_hinted_at_silences_nothing(desk: Any) -> None:
    by = Compare(Field.AUTHOR, Op.EQ, Person("Kim"))
    weak, sure = Implied(by, 0.5), Implied(by, 0.9)
    desk = desk.ask(type=QueryType.FACTUAL, keywords=("report",))
    words = wanted(desk.query)
    kept = desk.result("slack:1", "the report of Kim")
    other = desk.result("slack:2", "the report comes on 29 May", unmet=(weak,))
    assert list(within((kept, other), words)) == [kept, other]
    broken = desk.result("slack:2", "the report comes on 29 May", unmet=(sure,))
    assert list(within((kept, broken), words)) == [kept]
