"""Merging several lists: in turn, by date, each hit once, and what was used of each."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import Hit
from connectors.github.lanes import by_date, in_turn, merged
from translators.query import Kind


def hits(*names: str) -> list[Hit]:
    return [Hit("", name, Kind.ISSUE) for name in names]


def named(found: list[Hit]) -> list[str]:
    return [hit.id for hit in found]


def test_each_search_gives_its_best_in_turn() -> None:
    lists = [hits("i1", "i2", "i3"), hits("p1"), hits("c1", "c2")]
    found, used = merged(lists, in_turn(lists, ["issues", "pulls", "code"]), 5)
    assert named(found) == ["i1", "p1", "c1", "i2", "c2"]
    assert used == [2, 1, 2]


def test_a_search_that_was_asked_twice_counts_once() -> None:
    """Its lists share its turns: three alternatives do not make discussions three times as important."""
    lists = [hits("i1", "i2", "i3"), hits("a1", "a2"), hits("b1", "b2")]
    found, _ = merged(lists, in_turn(lists, ["issues", "discussions", "discussions"]), 6)
    assert named(found) == ["i1", "a1", "i2", "b1", "i3", "a2"]


def test_a_hit_of_two_lists_stands_once_and_is_used_up_in_both() -> None:
    lists = [hits("x", "a"), hits("x", "b")]
    found, used = merged(lists, in_turn(lists, ["discussions", "discussions"]), 3)
    assert named(found) == ["x", "a", "b"]
    assert used == [2, 2]


def dated(name: str, day: int | None, kind: Kind = Kind.ISSUE) -> Hit:
    moment = None if day is None else datetime(2026, 1, day, tzinfo=UTC)
    return Hit("", name, kind, created=moment, updated=None if kind is Kind.THREAD else moment)


def test_by_date_the_undated_come_last() -> None:
    lists = [[dated("i9", 9), dated("i3", 3)], [dated("d5", 5, Kind.THREAD)], [dated("c", None, Kind.CODE)]]
    found, _ = merged(lists, by_date(lists, newest=True), 9)
    assert named(found) == ["i9", "d5", "i3", "c"]
    lists = [[dated("i3", 3), dated("i9", 9)], [dated("d5", 5, Kind.THREAD)], [dated("c", None, Kind.CODE)]]
    found, _ = merged(lists, by_date(lists, newest=False), 9)
    assert named(found) == ["i3", "d5", "i9", "c"]


@given(st.lists(st.lists(st.integers(0, 30), max_size=8, unique=True), max_size=5), st.integers(1, 12))
def test_nothing_is_lost_or_repeated_from_page_to_page(numbers: list[list[int]], size: int) -> None:
    """Reading on from what was used gives every hit, whatever the lists share."""
    lists = [hits(*map(str, each)) for each in numbers]
    groups = [str(place % 3) for place in range(len(lists))]
    seen: list[str] = []
    while any(lists):
        found, used = merged(lists, in_turn(lists, groups), size)
        assert len(found) <= size
        assert len({hit.id for hit in found}) == len(found)
        assert sum(used) >= len(found) > 0
        seen += named(found)
        lists = [each[count:] for each, count in zip(lists, used, strict=True)]
    assert set(seen) == {str(number) for each in numbers for number in each}
