"""The ranking configuration holds the numbers that are required and refuses what cannot work."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from connectors.errors import Misconfigured
from orchestrator.rank import RankingConfig
from translators.query import Category, QueryType

FILE = Path(__file__).parents[4] / "config" / "ranking.toml"

MISSION = {
    QueryType.DECISION: (0.3, 0.3, 0.2, 0.2),
    QueryType.STATUS: (0.2, 0.4, 0.1, 0.3),
    QueryType.DOCUMENT: (0.4, 0.2, 0.3, 0.1),
    QueryType.FACTUAL: (0.3, 0.1, 0.4, 0.2),
}


@pytest.mark.parametrize(("kind", "weights"), MISSION.items(), ids=str)
def test_the_given_weights_are_the_missions(config: RankingConfig, kind: QueryType, weights: tuple[float, ...]) -> None:
    given = config.weights[kind]
    assert (given.keywords, given.freshness, given.authority, given.completeness) == weights


def test_the_constant_of_rank_fusion_is_sixty(config: RankingConfig) -> None:
    assert config.fusion.k == 60


@pytest.mark.parametrize(
    ("source", "category", "weight", "half_life"),
    [
        ("slack", Category.CHAT, 0.6, 7),
        ("gmail", Category.MAIL, 0.5, 14),
        ("linear", Category.TRACKER, 0.4, 14),
        ("notion", Category.WIKI, 0.2, 30),
        ("something", None, 0.3, 14),
        ("site", Category.WEB, 0.3, 14),
    ],
)
def test_recency_is_the_missions_table(
    config: RankingConfig, source: str, category: Category | None, weight: float, half_life: float
) -> None:
    decay = config.recency.decay(source, category)
    assert (decay.weight, decay.half_life) == (weight, half_life)


def test_a_source_named_in_the_table_goes_before_its_category(config: RankingConfig) -> None:
    own = config.recency.sources["unknown"].model_copy(update={"half_life": 3.0})
    recency = config.recency.model_copy(update={"sources": {**config.recency.sources, "team-chat": own}})
    assert recency.decay("team-chat", Category.CHAT).half_life == 3.0


@pytest.mark.parametrize(
    ("kind", "ladder"),
    [
        (QueryType.FACTUAL, ["official", "wiki", "drive", "announcement", "mail", "chat"]),
        (QueryType.DECISION, ["meeting_notes", "conclusion", "confirmation", "mail", "chat"]),
        (QueryType.STATUS, ["tracker", "recent_chat", "status_report", "wiki", "chat", "status_mail", "mail"]),
    ],
    ids=str,
)
def test_the_ladders_stand_in_the_missions_order(config: RankingConfig, kind: QueryType, ladder: list[str]) -> None:
    steps = [config.authority.ladders[kind][step] for step in ladder]
    assert steps == sorted(steps, reverse=True)
    assert len(set(steps)) == len(steps)


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        (QueryType.DECISION, (Category.CHAT, Category.MAIL)),
        (QueryType.STATUS, (Category.TRACKER, Category.CHAT)),
        (QueryType.DOCUMENT, (Category.DRIVE, Category.WIKI)),
        (QueryType.FACTUAL, (Category.WIKI, Category.DRIVE)),
    ],
    ids=str,
)
def test_each_type_puts_its_sources_first(
    config: RankingConfig, kind: QueryType, first: tuple[Category, Category]
) -> None:
    worth = config.sources[kind]
    assert set(sorted(worth, key=lambda each: -worth[each])[:2]) == set(first)


def spoil(path: str, value: object) -> dict[str, Any]:
    """The shipped configuration with one value changed, or removed where ``value`` is None."""
    data = tomllib.loads(FILE.read_text("utf-8"))
    *way, last = path.split(".")
    table = data
    for key in way:
        table = table[key]
    if value is None:
        del table[last]
    else:
        table[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("weights.decision.keywords", 0.5, "must sum to 1"),
        ("weights.person", None, "weights says nothing for person"),
        ("recency.stretch.status", None, "recency.stretch says nothing for status"),
        ("authority.ladders.temporal", None, "authority.ladders says nothing for temporal"),
        ("sources.factual", None, "sources says nothing for factual"),
        ("recency.sources.unknown", None, "recency.sources.unknown is missing"),
        ("authority.ladders.status.trakcer", 1.0, "name trakcer: neither a category nor one of authority.roles"),
        ("fusion.kk", 3, "Extra inputs are not permitted"),
        ("fusion.k", 0, "greater than 0"),
        ("authority.roles.{0}", {"categories": ["chat"], "text": ["x"]}, "should match pattern"),
    ],
)
def test_a_bad_configuration_names_the_place(path: str, value: object, says: str) -> None:
    with pytest.raises(ValidationError, match="(?s)" + says.replace("(", r"\(")):
        RankingConfig.model_validate(spoil(path, value))


def test_the_configuration_is_frozen(config: RankingConfig) -> None:
    with pytest.raises(ValidationError):
        config.fusion.k = 1


def test_a_sites_own_numbers_stand_in_place_of_ours_and_the_rest_stays(config: RankingConfig) -> None:
    own = RankingConfig.load(
        FILE, {"fusion": {"share": 0.0}, "weights": {"decision": {"keywords": 0.4, "freshness": 0.2}}}
    )
    assert (own.fusion.share, own.fusion.k) == (0.0, config.fusion.k)
    assert own.weights[QueryType.DECISION].keywords == 0.4
    assert own.weights[QueryType.STATUS] == config.weights[QueryType.STATUS]
    assert RankingConfig.load(FILE) == config


@pytest.mark.parametrize(
    ("own", "place"),
    [
        ({"fusion": {"share": 2}}, "ranking.numbers.fusion.share: "),
        ({"fusio": {"share": 0}}, "ranking.numbers.fusio: "),
        ({"fusion": 3}, "ranking.numbers.fusion: "),
    ],
)
def test_a_sites_own_number_that_is_none_is_told_with_its_place(own: dict[str, Any], place: str) -> None:
    with pytest.raises(Misconfigured, match=place):
        RankingConfig.load(FILE, own)
