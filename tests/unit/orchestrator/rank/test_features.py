"""Features: a column of numbers from 0 to 1 each, by what is said and where, and never by whose it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from orchestrator.model import Evidence, Result
from orchestrator.rank.config import FeatureWeights, LearnedOrder
from orchestrator.rank.features import FEATURES
from orchestrator.rank.pool import CandidatePool
from translators.query import Container, Entity, EntityKind, Implied, Term

if TYPE_CHECKING:
    from orchestrator.rank import RankingConfig


def asked(
    world: Any, text: str, *hits: Any, names: tuple[str, ...] = (), matches: tuple[float, ...] = ()
) -> CandidatePool:
    """A pool of hits, each first in its list."""
    entities = tuple(Entity(EntityKind.PROJECT, name) for name in names)
    world = world.ask(text, keywords=tuple(text.split()), entities=entities)
    values = matches or (0.5,) * len(hits)
    results = [
        Result(hit, (Evidence(hit.source, 1),), value, {"match": value, "keywords": value, "freshness": value})
        for hit, value in zip(hits, values, strict=True)
    ]
    return CandidatePool(results, world.context)


def column(name: str, pool: CandidatePool) -> list[float]:
    return [round(value, 3) for value in FEATURES[name](pool)]


def test_each_has_a_weight_that_can_be_set_and_says_what_it_is() -> None:
    assert set(FEATURES) == set(FeatureWeights.model_fields)
    assert all(feature.__doc__ for feature in FEATURES.values())


@pytest.mark.parametrize("name", FEATURES)
def test_each_is_a_share_whatever_is_found_and_knows_nobody_by_name(name: str, world: Any) -> None:
    hits = [
        world.hit("slack", "a", "Phoenix 배포는 금요일?", container=Container("dev-phoenix")),
        world.hit("slack", "b", "", age=None, container=Container("dev-phoenix")),
        world.hit("notion", "c", "Phoenix " * 900, title="Phoenix rollout"),
        world.hit("gmail", "d", "점심", title="Re: lunch"),
    ]
    pool = asked(world, "Phoenix 배포 rollout", *hits, names=("Phoenix",), matches=(1.0, 0.0, 0.7, 0.1))
    found = FEATURES[name](pool)
    assert len(found) == len(hits)
    assert all(0.0 <= value <= 1.0 for value in found)
    renamed = [
        replace(each, hit=replace(each.hit, source="drive" if each.hit.source == "notion" else each.hit.source))
        for each in pool.results
    ]
    assert FEATURES[name](CandidatePool(renamed, pool.context)) == found
    assert FEATURES[name](asked(world, "Phoenix")) == []


def test_words_count_by_how_rare_they_are(world: Any) -> None:
    hits = [
        world.hit("slack", at, text)
        for at, text in (("a", "rollout"), ("b", "rollout date"), ("c", "rollout"), ("d", "x"))
    ]
    pool = asked(world, "rollout date", *hits)
    assert column("coverage", pool) == [0.5, 1.0, 0.5, 0.0]
    rare = column("rare_words", pool)
    assert 0.0 == rare[3] < rare[0] < 0.5 < rare[1] == 1.0
    assert column("rarest", pool) == [0.0, 1.0, 0.0, 0.0]


def test_names_and_titles(world: Any) -> None:
    hits = [
        world.hit("notion", "a", "the rollout", title="Phoenix rollout"),
        world.hit("notion", "b", "the rollout", title="A long title about the rollout"),
        world.hit("notion", "c", "the rollout"),
    ]
    pool = asked(world, "Phoenix rollout", *hits, names=("Phoenix",))
    assert column("names_held", pool) == [1.0, 0.0, 0.0]
    assert column("precise", pool) == [1.0, 0.167, 0.0]
    assert column("names_held", asked(world, "rollout", *hits)) == [1.0, 1.0, 1.0]


def test_what_was_said_within_the_hour_is_one_talk(world: Any) -> None:
    place = Container("random")
    hits = [
        world.hit("slack", "a", "배포 언제?", age=1.0, container=place),
        world.hit("slack", "b", "date is Friday", age=1.0 - 1 / 48, container=place),
        world.hit("slack", "c", "date", age=0.5, container=place),
        world.hit("slack", "d", "date", age=1.0, container=Container("other")),
    ]
    pool = asked(world, "배포 date", *hits, matches=(0.6, 0.4, 0.4, 0.4))
    assert pool.conversations == ([0, 1],)
    together = column("talk", pool)
    assert together[0] == together[1] == 1.0
    assert together[2] == together[3] < 1.0
    assert column("talk_match", pool) == [0.833, 0.833, 1.0, 1.0]
    assert column("asks", pool) == [1.0, 0.0, 0.0, 0.0]


def test_places(world: Any) -> None:
    hits = [
        world.hit("slack", "a", "배포", container=Container("배포_일정")),
        world.hit("slack", "b", "배포", container=Container("random")),
        world.hit("slack", "c", "date"),
    ]
    pool = asked(world, "배포 date", *hits, matches=(1.0, 0.5, 1.0))
    named = column("place_named", pool)
    assert named[0] > named[1] == named[2] == 0.0
    assert column("place_match", pool) == [1.0, 0.5, 0.0]


def test_where_it_was_found(world: Any) -> None:
    hits = [world.hit("slack", "a"), world.hit("slack", "b"), world.hit("notion", "c")]
    pool = asked(world, "x", *hits, matches=(0.8, 0.4, 0.2))
    assert column("best_in_source", pool) == [1.0, 0.5, 1.0]
    assert column("source_best", pool) == [1.0, 1.0, 0.25]
    found = [
        replace(
            pool.results[0],
            evidence=(Evidence("slack", 11, 1), Evidence("notion", 2)),
            unmet=(Implied(Term("x"), "x", 0.5),),
        ),
        replace(pool.results[1], evidence=(Evidence("slack", 11, 1),)),
    ]
    pool = CandidatePool(found, pool.context)
    assert column("native_rank", pool) == [0.909, 0.5]
    assert column("as_asked", pool) == [1.0, 0.7]
    assert column("sources", pool) == [0.5, 0.0]
    assert column("strange", pool) == [1.0, 0.0]


def test_newer_than_its_rivals(world: Any) -> None:
    hits = [world.hit("slack", at) for at in "abc"]
    assert column("newest", asked(world, "x", *hits, matches=(1.0, 0.7, 0.1))) == [0.5, 0.0, 0.0]


def test_how_much_the_learnt_order_counts() -> None:
    order = LearnedOrder(few=10, many=40, most=200, formula=1.0, weights=FeatureWeights(coverage=1.0))
    assert [order.counts(found) for found in (0, 10, 20, 40, 400)] == [0.0, 0.0, pytest.approx(0.5), 1.0, 1.0]
    assert order.model_copy(update={"weights": FeatureWeights()}).counts(400) == 0.0


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"few": 100}, "must be less"),
        ({"weights": {"coverage": -0.1}}, "greater than or equal to 0"),
        ({"weights": {"asks": 0.1}}, "less than or equal to 0"),
        ({"weights": {"velmora": 1.0}}, "Extra inputs"),
    ],
)
def test_no_weight_stands_against_its_sense(change: dict[str, Any], complaint: str, config: RankingConfig) -> None:
    with pytest.raises(ValidationError, match=complaint):
        LearnedOrder.model_validate(config.learned.model_dump() | change)


def test_an_hour_is_the_end_of_a_talk(world: Any) -> None:
    place = Container("random")
    first = world.hit("slack", "a", "x", container=place)
    later = replace(first, id="b", created=first.created + timedelta(minutes=61))
    assert asked(world, "x", first, later).conversations == ()
