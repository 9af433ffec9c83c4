"""The algebra of Linear's filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.linear.filters import LinearCondition, all_filters, any_filter

if TYPE_CHECKING:
    from translators.linear.filters import Filter

STATE: Filter = {"state": {"type": {"in": ["started"]}}}
SINCE: Filter = {"updatedAt": {"gte": "2025-01-01T00:00:00.000Z"}}
UNTIL: Filter = {"updatedAt": {"lt": "2025-02-01T00:00:00.000Z"}}
LATER: Filter = {"updatedAt": {"gte": "2025-01-15T00:00:00.000Z"}}
WINDOW = {"gte": "2025-01-01T00:00:00.000Z", "lt": "2025-02-01T00:00:00.000Z"}


def test_what_fits_into_one_object_goes_into_one() -> None:
    assert all_filters([STATE, SINCE, UNTIL]) == {**STATE, "updatedAt": WINDOW}
    assert all_filters([STATE, STATE, {}]) == STATE
    assert all_filters([]) == {}


def test_what_says_two_things_of_one_key_is_joined_by_and() -> None:
    assert all_filters([SINCE, STATE, LATER]) == {"and": [SINCE, STATE, LATER]}
    either: Filter = {"or": [STATE, SINCE]}
    assert all_filters([either, {"or": [STATE, UNTIL]}]) == {"and": [either, {"or": [STATE, UNTIL]}]}


def test_alternatives_with_an_empty_one_let_everything_through() -> None:
    assert any_filter([STATE, SINCE]) == {"or": [STATE, SINCE]}
    assert any_filter([STATE]) == STATE
    assert any_filter([STATE, {}]) == {}
    assert any_filter([]) == {}


def test_the_opposite_of_a_condition_includes_what_has_nothing_to_compare() -> None:
    assert LinearCondition(("state", "type"), "in", ["started"]).fails() == {"state": {"type": {"nin": ["started"]}}}
    assert LinearCondition(("assignee", "id"), "eq", "u1").fails() == {
        "or": [{"assignee": {"null": True}}, {"assignee": {"id": {"neq": "u1"}}}]
    }
