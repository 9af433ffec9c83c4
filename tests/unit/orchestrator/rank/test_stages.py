"""The later stages: factors, rungs, order, cut; and the whole tuple."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from orchestrator.model import Evidence, Ranking, Result
from orchestrator.rank import STAGES, collect, cut, dedupe, fuse, order, order_rungs, rank, weigh
from orchestrator.rank.factors import completeness_of
from tests.rows import each_row
from translators.query import (
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    QueryType,
    Sort,
    Term,
    all_of,
)


def test_the_score_blends_the_fused_rank_with_the_weighted_factors(world: Any) -> None:
    world = world.ask(keywords=("migration",), type=QueryType.DECISION)
    (result,) = world.rank(world.outcome("slack", [world.hit("slack", "a", "the migration", age=28)])).results
    factors = result.factors
    expected = 0.3 * factors["keywords"] + 0.3 * 0.5 + 0.2 * 0.4 + 0.2 * factors["completeness"]
    assert factors["freshness"] == pytest.approx(0.5)
    assert result.score == pytest.approx(0.35 * 1.0 + 0.65 * expected)


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", ("matches migration", "today", "a conclusion in a conversation", "Slack: number 1 of its list")),
        ("ko", ("일치: migration", "오늘", "대화에서 나온 결론", "Slack: 목록의 1번째")),
    ],
)
def test_every_result_says_why_in_the_askers_language(world: Any, language: str, why: tuple[str, ...]) -> None:
    world = world.ask(keywords=("migration",), language=language)
    hit = world.hit("slack", "a", "we decided on the migration")
    assert world.rank(world.outcome("slack", [hit])).results[0].why == why


def test_a_match_in_the_title_is_said(world: Any) -> None:
    world = world.ask(keywords=("api", "plan"))
    hit = world.hit("notion", "a", "the plan", title="API")
    assert "matches api, plan (title: api)" in world.rank(world.outcome("notion", [hit])).results[0].why


def test_no_match_is_not_praised(world: Any) -> None:
    world = world.ask(keywords=("migration",))
    why = world.rank(world.outcome("slack", [world.hit("slack", "a", "lunch")])).results[0].why
    assert not any("match" in reason for reason in why)


def test_what_matches_less_than_the_best_is_cut_by_its_relevance(world: Any, by_name: Any) -> None:
    """Else a fresh official page about something else beats a message that answers the question."""
    world = world.ask(keywords=("phoenix", "rollback"))
    hits = [world.hit("slack", "both", "phoenix rollback"), world.hit("slack", "none", "lunch")]
    results = by_name(world.rank(world.outcome("slack", hits)))
    assert results["slack:both"].factors["relevance"] == 1.0
    assert results["slack:none"].factors["relevance"] == world.config.relevance.floor
    assert results["slack:none"].score < 0.1


def test_where_nothing_matches_relevance_spares_nobody(world: Any) -> None:
    world = world.ask(keywords=("phoenix",))
    results = world.rank(world.outcome("slack", [world.hit("slack", name, "lunch") for name in "ab"])).results
    assert {result.factors["relevance"] for result in results} == {world.config.relevance.floor}


def test_completeness_grows_with_everything_an_answer_needs(world: Any) -> None:
    worth = world.config.completeness
    parts = {"container": Container("x"), "author": Person("a"), "url": "https://e.example/"}
    told = [world.hit("slack", "a", "x" * length, **parts) for length in (400, 9000)]
    bare, full, longer = completeness_of([world.hit("slack", "a", age=None), *told], worth)
    assert bare == 0.0
    assert full == longer == pytest.approx(1.0)


def window(world: Any) -> Any:
    since = Compare(Field.TIME, Op.GE, world.now - timedelta(days=7))
    return world.ask(
        type=QueryType.STATUS,
        keywords=("login",),
        where=all_of([Term("login"), Term("slow"), since, Not(Term("draft"))]),
    )


def test_a_stale_answer_stands_behind_everything_inside_the_dates_and_says_so(world: Any, names: Any) -> None:
    world = window(world)
    stale = world.hit(
        "linear", "old", "login is done " * 40, age=30, title="login", author=Person("a"), url="https://x.example"
    )
    stale = replace(stale, updated=stale.created)
    fresh = world.hit("linear", "new", "other", age=3)
    strict = world.hit("slack", "ok", "x", age=6)
    ranking = world.rank(
        world.outcome("linear", world.list(stale, fresh, rung=3, dropped=("dates",))),
        world.outcome("slack", [strict]),
    )
    assert set(names(ranking)[:2]) == {"linear:new", "slack:ok"}
    last = ranking.results[-1]
    assert last.hit.id == "old"
    assert last.why[0] == "outside what was asked: since 2025-02-24 09:00"
    assert last.factors["asked"] == 0.0
    assert last.score <= ranking.results[1].score


def test_what_may_lie_outside_a_filter_that_was_given_up_stands_behind_what_does_not_and_is_marked(
    world: Any, names: Any
) -> None:
    where = all_of([Term("login"), Compare(Field.CONTAINER, Op.EQ, Container("ops"))])
    world = world.ask(keywords=("login",), where=where)
    told = world.hit("slack", "told", "x", container=Container("ops"), age=300)
    untold = world.hit("slack", "untold", "login login", title="login")
    outside = world.hit("slack", "outside", "login login", title="login", container=Container("hr"))
    listed = world.list(outside, untold, told, rung=1, dropped=("in:ops",))
    ranking = world.rank(world.outcome("slack", listed))
    assert names(ranking) == ["slack:told", "slack:untold", "slack:outside"]
    assert [each.factors.get("asked", 1.0) for each in ranking.results] == [1.0, 0.5, 0.0]
    assert [bool(each.unverified) for each in ranking.results] == [False, True, False]
    scores = [each.score for each in ranking.results]
    assert scores == sorted(scores, reverse=True)


def test_a_broadened_result_inside_the_conditions_is_judged_by_its_match(world: Any, names: Any) -> None:
    """What lost only words competes: the keyword match shows what it lost."""
    world = window(world)
    good = world.hit("linear", "good", "login login", title="login", age=1)
    poor = world.hit("slack", "poor", "nothing", age=6)
    ranking = world.rank(
        world.outcome("linear", world.list(good, rung=1, dropped=("slow",))), world.outcome("slack", [poor])
    )
    assert names(ranking) == ["linear:good", "slack:poor"]


def test_strict_goes_before_broadened_where_all_else_is_equal(world: Any, names: Any) -> None:
    world = world.ask(keywords=("login",))
    hits = {name: world.hit("slack", name, "login") for name in ("a", "b")}
    ranking = world.rank(world.outcome("slack", world.list(hits["a"], rung=1), world.list(hits["b"])))
    assert names(ranking) == ["slack:b", "slack:a"]


def test_a_strict_result_is_believed_by_its_source(world: Any) -> None:
    """The source was asked for the dates; ours is not the clock to judge by."""
    world = window(world)
    ranking = world.rank(world.outcome("slack", [world.hit("slack", "a", "login slow", age=8)]))
    assert "asked" not in ranking.results[0].factors


def test_what_has_no_date_does_not_lead_where_a_time_was_typed(world: Any, names: Any) -> None:
    """Whoever asked for it was to be believed, and still nobody who reads it can tell."""
    world = window(world)
    undated = world.hit("linear", "undated", "login slow login", title="login slow", age=None)
    dated = world.hit("slack", "dated", "was it slow?", age=2)
    ranking = world.rank(world.outcome("linear", [undated]), world.outcome("slack", [dated]))
    assert names(ranking) == ["slack:dated", "linear:undated"]
    assert ranking.results[1].factors["asked"] == 0.5
    assert ranking.results[1].unverified


def test_only_stale_answers_keep_their_scores(world: Any) -> None:
    world = window(world)
    outcome = world.outcome("gmail", world.list(world.hit("gmail", "old", "login", age=30), rung=1))
    before = weigh(fuse(collect([outcome], world.context), world.context), world.context)
    assert order_rungs(before, world.context).results[0].score == before.results[0].score


def result(world: Any, source: str, name: str, score: float, **facts: Any) -> Result:
    return Result(world.hit(source, name, **facts), (Evidence(source, 1),), score)


def test_ties_break_by_source_priority_then_source_then_id(world: Any, names: Any) -> None:
    ties = [
        result(world, source, name, 0.5)
        for source, name in (("notion", "b"), ("slack", "b"), ("slack", "a"), ("drive", "c"))
    ]
    best = result(world, "notion", "a", 0.5 + 1e-9)
    ranking = order(Ranking((*ties, best)), world.context)
    assert names(ranking) == ["notion:a", "slack:a", "slack:b", "drive:c", "notion:b"]


def test_scores_that_differ_by_rounding_are_equal(world: Any, names: Any) -> None:
    ranking = order(
        Ranking((result(world, "slack", "b", 0.3), result(world, "slack", "a", 0.1 + 0.2 - 1e-15))), world.context
    )
    assert names(ranking) == ["slack:a", "slack:b"]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (Sort.NEWEST, ["slack:new", "slack:old", "slack:undated"]),
        (Sort.OLDEST, ["slack:old", "slack:new", "slack:undated"]),
        (Sort.RELEVANCE, ["slack:undated", "slack:old", "slack:new"]),
    ],
)
def test_an_order_asked_for_goes_before_the_score(world: Any, names: Any, sort: Sort, expected: list[str]) -> None:
    world = world.ask(sort=sort)
    results = (
        result(world, "slack", "new", 0.1, age=1),
        result(world, "slack", "old", 0.5, age=99),
        result(world, "slack", "undated", 0.9, age=None),
    )
    assert names(order(Ranking(results), world.context)) == expected


@pytest.mark.parametrize("words", [("natural", "gas", "import", "Russia"), ("천연가스", "러시아산", "국내", "도입")])
@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
def test_an_order_read_out_of_prose_is_of_what_is_on_the_matter(world: Any, sort: Sort, words: tuple[str, ...]) -> None:
    world = world.ask(" ".join(words), keywords=words, sort=sort)
    hits = [
        world.hit("notion", "all", " ".join(words), age=20),
        world.hit("notion", "most", " ".join(words[:3]), age=10),
        world.hit("notion", "new", words[0], age=1),
        world.hit("notion", "old", words[1], age=90),
    ]
    found = [result.hit.id for result in world.rank(world.outcome("notion", hits)).results]
    expected = ["most", "all", "new", "old"] if sort is Sort.NEWEST else ["all", "most", "old", "new"]
    assert found == expected


@pytest.mark.parametrize(("limit", "kept"), [(30, 30), (3, 10), (0, 10), (-1, 10), (500, 100)])
def test_the_cut_keeps_what_was_asked_for_and_what_the_answer_is_read_from(world: Any, limit: int, kept: int) -> None:
    results = tuple(result(world, "slack", f"{n}", 0.5) for n in range(120))
    assert len(cut(Ranking(results), world.ask(limit=limit).context).results) == kept


def test_a_thousand_equal_hits_have_one_order(world: Any, names: Any) -> None:
    hits = [world.hit("slack", f"{n:04}", "same") for n in range(1000)]
    world = world.ask(limit=100)
    lists = [[hit] for hit in hits]
    forward = world.rank(world.outcome("slack", *lists))
    backward = world.rank(world.outcome("slack", *reversed(lists)))
    assert names(forward) == names(backward) == sorted(names(forward))


def test_the_best_hit_of_a_short_list_is_not_drowned_by_longer_ones(world: Any, names: Any) -> None:
    world = world.ask(keywords=("phoenix", "rollback"), type=QueryType.FACTUAL)
    good = world.hit("slack", "live", "The phoenix rollback takes ten minutes", age=1)
    noise = {
        name: [world.hit(name, f"{n}", f"phoenix page number {n}", title=f"page {n}", age=1) for n in range(50)]
        for name in ("notion", "drive", "gmail")
    }
    ranking = world.rank(world.outcome("slack", [good]), *(world.outcome(name, hits) for name, hits in noise.items()))
    assert "slack:live" in names(ranking)[:3]


def test_results_without_anything_are_ranked_all_the_same(world: Any, names: Any) -> None:
    bare = world.hit("slack", "bare", age=None, kind=Kind.FILE)
    assert names(world.ask(keywords=("x",)).rank(world.outcome("slack", [bare]))) == ["slack:bare"]


def test_anyone_can_pass_another_tuple_of_stages(world: Any) -> None:
    outcome = world.outcome("slack", [world.hit("slack", name) for name in "ab"])

    def backwards(ranking: Ranking, _: Any) -> Ranking:
        return replace(ranking, results=ranking.results[::-1])

    assert [each.hit.id for each in rank([outcome], world.context, (dedupe, backwards)).results] == ["b", "a"]


def test_the_stages_are_in_the_documented_order() -> None:
    assert [stage.__name__ for stage in STAGES] == [
        "dedupe",
        "merge_copies",
        "merge_twins",
        "match",
        "surround",
        "semantic",
        "fuse",
        "rerank",
        "weigh",
        "learned",
        "stand",
        "order_rungs",
        "lift_named",
        "order",
        "cut",
        "group_matters",
        "explain",
        "tell_moved",
    ]


@each_row(
    ("language", "reason"),
    [("en", "holds more of the question's words than most"), ("ko", "질문의 말을 대부분보다 많이 담음")],
)
@pytest.mark.parametrize("ids", [(), (Identifier(IdKind.TICKET, "PAY-151"),)], ids=["words", "a thing that is named"])
def test_what_the_learnt_order_has_to_say_is_shown(
    world: Any, by_name: Any, ids: tuple[Identifier, ...], language: str, reason: str
) -> None:
    """Whatever later stages change: they score what is named anew."""
    counting = world.config.learned.model_copy(update={"few": 1, "many": 2})
    world = replace(world, config=world.config.model_copy(update={"learned": counting}))
    world = world.ask(keywords=("phoenix", "rollback"), ids=ids, language=language)
    hits = [world.hit("slack", "both", "phoenix rollback"), *(world.hit("slack", f"{n}", "phoenix") for n in range(9))]
    named = world.hit("linear", "PAY-151", "the phoenix rollback")
    results = by_name(world.rank(world.outcome("slack", hits), world.outcome("linear", [named])))
    assert {name for name, each in results.items() if reason in each.why} == {"linear:PAY-151", "slack:both"}
    assert all(each.features and "learned" in each.factors for each in results.values())


def test_no_outcomes_rank_to_nothing(world: Any) -> None:
    assert world.rank() == Ranking()


def test_text_in_any_script_is_ranked_and_explained(world: Any, names: Any) -> None:
    """Right-to-left, combining and decomposed text, a score of NaN, a clock ahead of ours."""
    world = world.ask(keywords=("café", "شبكة", "결제"))
    composed = [
        world.hit("slack", "accent", "the cafe\u0301 is open", score=math.nan),
        world.hit("slack", "arabic", "\u202eشبكة الشركة\u202c"),
        world.hit("slack", "jamo", unicodedata.normalize("NFD", "결제 완료"), age=-400),
        world.hit("slack", "other", "\u0301\u0301\u0301"),
    ]
    ranking = world.rank(world.outcome("slack", composed))
    assert names(ranking)[-1] == "slack:other"
    assert all(0.0 < result.score <= 1.0 for result in ranking.results)
