"""Builders for ranking tests: hits, outcomes and contexts with sensible defaults."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from connectors.contract import Hit
from orchestrator.model import HitList, Outcome, Plan, Ranking, Result, Status, Step
from orchestrator.rank import RankContext, RankingConfig, rank
from translators.query import Category, Clause, Kind, Query, QueryType
from translators.translator import NativeQuery, Translation

NOW = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
CATEGORIES = {
    "slack": Category.CHAT,
    "notion": Category.WIKI,
    "linear": Category.TRACKER,
    "gmail": Category.MAIL,
    "drive": Category.DRIVE,
}
CONFIG_FILE = Path(__file__).parents[4] / "config" / "ranking.toml"


@dataclass
class World:
    """One question and what the sources returned for it."""

    config: RankingConfig
    query: Query = field(default_factory=lambda: Query("what", type=QueryType.DECISION))
    now: datetime = NOW
    weights: dict[str, float] = field(default_factory=dict)

    def ask(self, text: str = "what", **facts: Any) -> World:
        """Another question; the configuration and the moment stay."""
        facts.setdefault("type", QueryType.DECISION)
        return replace(self, query=Query(text, **facts))

    @property
    def context(self) -> RankContext:
        steps = [
            Step(name, name.title(), category, (), self.weights.get(name, 1.0)) for name, category in CATEGORIES.items()
        ]
        return RankContext(self.query, self.now, Plan(self.query, tuple(steps)), self.config)

    def hit(self, source: str, name: str, text: str = "", *, age: float | None = 0.0, **facts: Any) -> Hit:
        """A hit of ``age`` days (None: undated)."""
        kind = {"slack": Kind.MESSAGE, "gmail": Kind.MAIL, "linear": Kind.ISSUE}.get(source, Kind.PAGE)
        created = None if age is None else self.now - timedelta(days=age)
        return Hit(**{"source": source, "id": name, "kind": kind, "snippet": text, "created": created} | facts)

    def outcome(self, source: str, *lists: HitList | list[Hit]) -> Outcome:
        """What one source returned; a plain list of hits is a list as asked."""
        made = tuple(each if isinstance(each, HitList) else self.list(*each) for each in lists)
        return Outcome(source, source.title(), CATEGORIES.get(source, Category.WEB), Status.OK, made)

    @staticmethod
    def list(*hits: Hit, residual: Clause | None = None, rung: int = 0, dropped: tuple[str, ...] = ()) -> HitList:
        return HitList(Translation(NativeQuery("test", "x"), residual), hits, rung, dropped)

    def rank(self, *outcomes: Outcome) -> Ranking:
        return rank(outcomes, self.context)


def names(ranking: Ranking) -> list[str]:
    """``source:id`` of each result, in order."""
    return [f"{result.hit.source}:{result.hit.id}" for result in ranking.results]


def by_name(ranking: Ranking) -> dict[str, Result]:
    return {f"{result.hit.source}:{result.hit.id}": result for result in ranking.results}


@pytest.fixture(scope="session")
def config() -> RankingConfig:
    return RankingConfig.load(CONFIG_FILE)


@pytest.fixture
def world(config: RankingConfig) -> World:
    return World(config)


@pytest.fixture(name="names")
def _names() -> Any:
    return names


@pytest.fixture(name="by_name")
def _by_name() -> Any:
    return by_name
