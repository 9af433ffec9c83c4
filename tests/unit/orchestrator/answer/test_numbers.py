"""What a reader has seen as [2] stays [2]."""

from connectors.contract import Hit
from orchestrator.answer.ordering import numbered, numbers_seen
from orchestrator.model import Answer, Plan, Result
from translators.query import Kind, Query


def result(*ids):
    """A result of these hits."""
    first, *others = (Hit("wiki", each, Kind.PAGE) for each in ids)
    return Result(first, (), also=tuple(others))


def after(*results, before=None):
    """The numbers a reader has seen."""
    return numbers_seen(Answer(Plan(Query("?"), ()), results, ()), before or {})


def test_with_nothing_seen_a_number_is_the_place():
    assert [each.number for each in numbered([result("a"), result("b"), result("c")])] == [1, 2, 3]


def test_what_was_seen_keeps_its_number_and_what_is_new_gets_the_next():
    seen = after(*numbered([result("a"), result("b")]))
    assert [each.number for each in numbered([result("c"), result("b"), result("a")], seen)] == [3, 2, 1]


def test_a_number_of_something_gone_is_not_given_again():
    seen = after(*numbered([result("a"), result("b")]))
    seen = after(*numbered([result("a")], seen), before=seen)
    assert [each.number for each in numbered([result("c"), result("b")], seen)] == [3, 2]


def test_two_that_turn_out_to_be_one_keep_the_older_number():
    seen = after(*numbered([result("a"), result("b")]))
    merged = numbered([result("b", "a"), result("c")], seen)
    assert [each.number for each in merged] == [1, 3]


def test_one_that_turns_out_to_be_two_does_not_share_a_number():
    seen = after(*numbered([result("a", "b")]))
    assert [each.number for each in numbered([result("a"), result("b")], seen)] == [1, 2]
