"""Collecting: every hit once, at its best place; what fails the question is set aside and named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from orchestrator.model import HitList
from orchestrator.rank import collect
from translators.query import Compare, Field, Implied, Not, Op, Person, State, Term, all_of
from translators.translator import NativeQuery, Translation

SARAH = Compare(Field.AUTHOR, Op.EQ, Person("Sarah"))


def test_a_hit_of_several_lists_counts_once_at_its_best_place(world: Any) -> None:
    a, b = world.hit("slack", "a"), world.hit("slack", "b")
    ranking = collect([world.outcome("slack", [b, a], [a, b], world.list(a, rung=1))], world.context)
    assert [(each.hit.id, each.evidence[0].rank, each.evidence[0].rung) for each in ranking.results] == [
        ("a", 1, 0),
        ("b", 1, 0),
    ]
    assert all(len(result.evidence) == 1 for result in ranking.results)


def test_a_strict_sighting_goes_before_a_higher_broadened_one(world: Any) -> None:
    a, b = world.hit("slack", "a"), world.hit("slack", "b")
    ranking = collect([world.outcome("slack", world.list(a, rung=2), [b, a])], world.context)
    assert ranking.results[0].evidence[0].rung == 0
    assert ranking.results[0].evidence[0].rank == 2


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "does not satisfy: from Sarah"),
        ("ko", "조건에 맞지 않음: 작성자 Sarah"),
    ],
)
def test_a_hit_that_fails_its_residual_is_dropped_and_says_which_condition(
    world: Any, language: str, says: str
) -> None:
    world = world.ask(language=language)
    hits = [world.hit("slack", "a", author=Person("Mina")), world.hit("slack", "b", author=Person("Sarah Kim"))]
    ranking = collect([world.outcome("slack", world.list(*hits, residual=SARAH))], world.context)
    assert [result.hit.id for result in ranking.results] == ["b"]
    assert [(each.hit.id, each.reason) for each in ranking.dropped] == [("a", says)]


def test_only_the_failing_conditions_are_named(world: Any) -> None:
    since = Compare(Field.TIME, Op.GE, world.now - timedelta(days=9))
    before = Compare(Field.CREATED, Op.LT, world.now - timedelta(days=1, hours=-1, minutes=-30))
    hit = world.hit("slack", "a", "about migration", age=5, author=Person("Mina"), complete=True)
    residual = all_of([since, before, SARAH, Not(Term("migration")), Compare(Field.STATE, Op.EQ, State.DONE)])
    dropped = collect([world.outcome("slack", world.list(hit, residual=residual))], world.context).dropped
    assert dropped[0].reason == "does not satisfy: from Sarah, not migration"


@pytest.mark.parametrize(
    ("clause", "says"),
    [
        (Compare(Field.TIME, Op.LT, datetime(2025, 3, 3, 9, 30, tzinfo=UTC)), "before 2025-03-03 09:30"),
        (Compare(Field.UPDATED, Op.EQ, datetime(2025, 3, 3, 9, 0, tzinfo=UTC)), "at 2025-03-03 09:00"),
        (Compare(Field.STATE, Op.EQ, State.DONE), "state done"),
        (Not(Term("old")), "not old"),
    ],
    ids=str,
)
def test_conditions_nobody_could_check_are_named(world: Any, clause: Any, says: str) -> None:
    hit = world.hit("notion", "a", "part of a text", age=None)
    result = collect([world.outcome("notion", world.list(hit, residual=clause))], world.context).results[0]
    assert result.unverified == (says,)


def test_midnight_is_shown_as_a_day(world: Any) -> None:
    clause = Compare(Field.TIME, Op.GE, world.now.replace(hour=0))
    hit = world.hit("notion", "a", age=None)
    result = collect([world.outcome("notion", world.list(hit, residual=clause))], world.context).results[0]
    assert result.unverified == ("since 2025-03-03",)


def test_a_variant_that_settles_a_condition_settles_it(world: Any) -> None:
    hit = world.hit("notion", "a", "part of a text")
    unsure = world.list(hit, residual=Not(Term("old")))
    ranking = collect([world.outcome("notion", unsure, [hit])], world.context)
    assert ranking.results[0].unverified == ()


def test_a_hit_that_fails_strictly_and_passes_broadened_counts_as_broadened(world: Any) -> None:
    hit = world.hit("slack", "a", author=Person("Mina"))
    strict, broad = world.list(hit, residual=SARAH), world.list(hit, rung=1, dropped=("from:sarah",))
    ranking = collect([world.outcome("slack", strict, broad)], world.context)
    assert ranking.dropped == ()
    assert ranking.results[0].evidence[0].rung == 1
    assert ranking.results[0].why == ("found after broadening: without from:sarah",)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None])
def test_a_native_score_that_is_no_number_is_none(world: Any, score: float | None) -> None:
    ranking = collect([world.outcome("slack", [world.hit("slack", "a", score=score)])], world.context)
    assert ranking.results[0].evidence[0].score is None


def test_the_place_in_the_list_is_the_rank_whatever_the_hit_says(world: Any) -> None:
    hits = [world.hit("slack", name, rank=rank) for name, rank in (("a", 7), ("b", 7), ("c", 0))]
    ranking = collect([world.outcome("slack", hits)], world.context)
    assert [result.evidence[0].rank for result in ranking.results] == [1, 2, 3]


def test_nothing_collects_to_nothing(world: Any) -> None:
    assert collect([], world.context).results == ()


def test_a_period_is_satisfied_by_a_text_that_names_it(world: Any) -> None:
    """The bill for October may have been written in November; one for May was not."""
    since = Implied(Compare(Field.TIME, Op.GE, world.now - timedelta(days=3)), 0.4, "for October")
    world = world.ask(keywords=("bill",), lesser=(("October", 0.5),), implied=(since,))
    hits = world.hit("slack", "a", "the bill for October", age=9), world.hit("slack", "b", "the bill for May", age=9)
    asked = Translation(NativeQuery("test", "bill"), preferred=(since,))
    ranking = collect([world.outcome("slack", HitList(asked, hits))], world.context)
    assert {result.hit.id: result.unmet for result in ranking.results} == {"a": (), "b": (since,)}


def test_a_period_in_one_language_is_satisfied_by_a_text_that_names_it_in_the_other(world: Any) -> None:
    """What October brought is told in November, and by colleagues who write otherwise."""
    day = world.now.replace(day=1, hour=0, minute=0)
    bounds = (day - timedelta(days=1)).replace(day=1), day
    since, until = (
        Implied(Compare(Field.TIME, op, when), 0.9, "in the month before")
        for op, when in zip((Op.GE, Op.LT), bounds, strict=True)
    )
    world = world.ask(keywords=("members",), implied=(since, until))
    month = bounds[0].month
    texts = f"{month}월 회원 412명 (members)", f"{month + 1}월 회원 430명 (members)"
    hits = [world.hit("slack", name, text, created=day) for name, text in zip("ab", texts, strict=True)]
    asked = Translation(NativeQuery("test", "members"), preferred=(since, until))
    ranking = collect([world.outcome("slack", HitList(asked, tuple(hits)))], world.context)
    assert {result.hit.id: result.unmet for result in ranking.results} == {"a": (), "b": (until,)}


def test_what_one_request_carried_holds_for_what_it_found(world: Any) -> None:
    """A source that was asked for a condition is believed, whatever else found the same."""
    wish = Implied(SARAH, 0.7, "Sarah")
    world = world.ask(implied=(wish,))
    mine, other = world.hit("slack", "a", author=Person("Mina")), world.hit("slack", "b", author=Person("Mina"))
    without = HitList(Translation(NativeQuery("test", "x"), preferred=(wish,)), (mine, other))
    ranking = collect([world.outcome("slack", [mine], without)], world.context)
    assert {result.hit.id: result.unmet for result in ranking.results} == {"a": (), "b": (wish,)}
    assert ranking.dropped == ()
