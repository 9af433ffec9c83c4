"""Fusion: weighted reciprocal ranks over sources; agreement adds, repeats do not, weights never multiply."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.model import Evidence, Ranking, Result
from orchestrator.rank import collect, dedupe, explain, fuse, match
from translators.query import QueryType

URL = "https://docs.example.com/spec"
EVEN = {"slack": 1.0, "gmail": 1.0 / 0.975}  # chat counts 1, mail 0.975 for decisions


def fused(world: Any, *outcomes: Any) -> dict[str, Any]:
    ranking = fuse(dedupe(collect(outcomes, world.context), world.context), world.context)
    return {f"{result.hit.source}:{result.hit.id}": result for result in ranking.results}


def test_scores_are_reciprocal_ranks_as_a_share_of_the_best(world: Any) -> None:
    results = fused(world, world.outcome("slack", [world.hit("slack", name) for name in "abc"]))
    assert results["slack:a"].score == 1.0
    assert results["slack:c"].score == pytest.approx(61 / 63)


def test_agreement_between_sources_adds(world: Any) -> None:
    world.weights = EVEN
    slack = world.outcome("slack", [world.hit("slack", "top"), world.hit("slack", "both", url=URL)])
    gmail = world.outcome("gmail", [world.hit("gmail", "first"), world.hit("gmail", "same", url=URL)])
    results = fused(world, slack, gmail)
    (both,) = [result for result in results.values() if result.also]
    assert both.score == 1.0
    assert results["slack:top"].score == pytest.approx((1 / 61) / (2 / 62))
    assert explain(Ranking((both,)), world.context).results[0].why[-1] == "found by 2 sources"


def test_repeats_inside_one_source_do_not_fake_agreement(world: Any) -> None:
    world.weights = EVEN
    repeated = [world.hit("slack", name, url=URL) for name in "abcdefgh"]
    results = fused(world, world.outcome("slack", repeated), world.outcome("gmail", [world.hit("gmail", "x")]))
    assert results["slack:a"].score == pytest.approx(results["gmail:x"].score)


def test_fusion_counts_a_source_once_whatever_evidence_it_is_given(world: Any) -> None:
    """Another tuple of stages may leave several places of one source on a result."""
    places = tuple(Evidence("slack", rank) for rank in (3, 1, 2))
    results = (Result(world.hit("slack", "a"), places), Result(world.hit("slack", "b"), (Evidence("slack", 1),)))
    assert [result.score for result in fuse(Ranking(results), world.context).results] == [1.0, 1.0]


def test_one_low_weight_source_more_never_lowers_an_agreed_result(world: Any) -> None:
    """Weights that multiply let a 0.1 source drag down what others agree on."""
    lists = {name: world.outcome(name, [world.hit(name, "x", url=URL)]) for name in ("slack", "gmail", "notion")}
    rival = world.outcome("linear", [world.hit("linear", "r")])
    world.weights = {"notion": 0.1}
    without = fused(world, lists["slack"], lists["gmail"], rival)
    joined = fused(world, lists["slack"], lists["gmail"], lists["notion"], rival)
    assert joined["linear:r"].score < without["linear:r"].score


def test_each_rung_costs_its_share(world: Any) -> None:
    strict = world.outcome("slack", [world.hit("slack", "a")], world.list(world.hit("slack", "b"), rung=2))
    assert fused(world, strict)["slack:b"].score == pytest.approx(world.config.fusion.broadening**2)


def test_the_plans_weight_and_the_types_source_priority_both_count(world: Any) -> None:
    world = world.ask(type=QueryType.FACTUAL)
    world.weights = {"slack": 0.5}
    results = fused(
        world, world.outcome("slack", [world.hit("slack", "a")]), world.outcome("notion", [world.hit("notion", "b")])
    )
    assert results["slack:a"].score == pytest.approx(0.5 * 0.9)


def test_a_source_outside_the_plan_counts_as_neutral(world: Any) -> None:
    results = fused(
        world, world.outcome("new", [world.hit("new", "a")]), world.outcome("slack", [world.hit("slack", "b")])
    )
    assert results["new:a"].score == results["slack:b"].score


def test_sources_of_no_weight_leave_no_division_by_zero(world: Any) -> None:
    world.weights = {"slack": 0.0}
    assert fused(world, world.outcome("slack", [world.hit("slack", "a")]))["slack:a"].score == 0.0


def weighted(world: Any, *outcomes: Any) -> dict[str, Any]:
    """With the match of every hit known."""
    ranking = fuse(match(dedupe(collect(outcomes, world.context), world.context), world.context), world.context)
    return {f"{result.hit.source}:{result.hit.id}": result for result in ranking.results}


def test_a_list_that_matched_nothing_cannot_outvote_one_that_did(world: Any) -> None:
    world = world.ask(keywords=("결제", "rollback"))
    world.weights = EVEN
    good = world.outcome("gmail", [world.hit("gmail", "x"), world.hit("gmail", "good", "결제 rollback 절차")])
    noise = world.outcome("slack", [world.hit("slack", f"{n}", "lunch") for n in range(20)])
    results = weighted(world, good, noise)
    assert results["gmail:good"].score > results["slack:0"].score
    assert results["slack:0"].score == pytest.approx(world.config.fusion.unproven, abs=0.01)


def test_lists_that_match_alike_keep_their_weights(world: Any) -> None:
    world = world.ask(keywords=("rollback",))
    world.weights = EVEN
    lists = [world.outcome(name, [world.hit(name, "a", "the rollback")]) for name in ("slack", "gmail")]
    assert {round(each.score, 9) for each in weighted(world, *lists).values()} == {1.0}


def test_where_nothing_matches_anywhere_no_list_is_punished(world: Any) -> None:
    world = world.ask(keywords=("rollback",))
    world.weights = EVEN
    lists = [world.outcome(name, [world.hit(name, "a", "lunch")]) for name in ("slack", "gmail")]
    assert {round(each.score, 9) for each in weighted(world, *lists).values()} == {1.0}


def test_a_long_tail_takes_nothing_from_the_list_that_has_it(world: Any) -> None:
    world = world.ask(keywords=("rollback",))
    world.weights = EVEN
    short = world.outcome("slack", [world.hit("slack", "a", "the rollback")])
    tail = [world.hit("gmail", f"{n}", "lunch") for n in range(30)]
    long = world.outcome("gmail", [world.hit("gmail", "good", "the rollback"), *tail])
    results = weighted(world, short, long)
    assert results["gmail:good"].score == pytest.approx(results["slack:a"].score)
