"""Builders for answer tests: results as ranking leaves them, plans, outcomes, and the shared scenarios."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from connectors.contract import Hit
from orchestrator.answer import compose
from orchestrator.answer.text import quotable_line
from orchestrator.model import Answer, Evidence, HitList, Outcome, Plan, Problem, Ranking, Result, Skipped, Status, Step
from orchestrator.rank import RankContext, RankingConfig, rank
from translators.query import Category, Kind, Person, Query, QueryType
from translators.translator import NativeQuery, Translation

ROOT = Path(__file__).parents[4]
NOW = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
SOURCES = {
    "slack": Category.CHAT,
    "notion": Category.WIKI,
    "linear": Category.TRACKER,
    "gmail": Category.MAIL,
}
KINDS = {"slack": Kind.MESSAGE, "gmail": Kind.MAIL, "linear": Kind.ISSUE, "notion": Kind.PAGE, "drive": Kind.FILE}
ALL_WELL = tuple(Outcome(name, name.title(), category, Status.OK, took=0.1) for name, category in SOURCES.items())


@dataclass
class Desk:
    """Where answers are composed: a question, what was found for it, and how the sources did."""

    query: Query = field(default_factory=lambda: Query("what", type=QueryType.DECISION))
    outcomes: tuple[Outcome, ...] = ALL_WELL
    skipped: tuple[Skipped, ...] = ()
    now: datetime = NOW

    def ask(self, text: str = "what", **facts: Any) -> Desk:
        facts.setdefault("type", QueryType.DECISION)
        return replace(self, query=Query(text, **facts))

    def but(self, source: str, status: Status, problem: Problem | None = None, **facts: Any) -> Desk:
        """The same with one source doing otherwise."""
        changed = (
            replace(each, status=status, problem=problem, **facts) if each.source == source else each
            for each in self.outcomes
        )
        return replace(self, outcomes=tuple(changed))

    @property
    def plan(self) -> Plan:
        steps = tuple(Step(name, name.title(), category, ()) for name, category in SOURCES.items())
        return Plan(self.query, steps, self.skipped)

    def result(self, name: str, text: str = "", *, age: float | None = 0.0, score: float = 1.0, **facts: Any) -> Result:
        """A result of ``source:id``, found first in its list; facts of Result and of Hit alike."""
        source, _, key = name.partition(":")
        own = {part: facts.pop(part) for part in ("evidence", "unverified", "unmet", "factors") if part in facts}
        created = None if age is None else self.now - timedelta(days=age)
        author = facts.pop("author", None)
        hit = Hit(source, key, KINDS[source], snippet=text, created=created, author=author and Person(author), **facts)
        return Result(hit, own.pop("evidence", (Evidence(source, 1),)), score, **own)

    def answer(self, *results: Result, dropped: tuple[Any, ...] = ()) -> Answer:
        return compose(Ranking(results, dropped), self.outcomes, self.plan, self.now)


@dataclass
class Scenario:
    """One question of ``tests/fixtures/rank`` with what the sources hold and what the answer must be."""

    expected: dict[str, Any]
    answer: Answer

    @property
    def order(self) -> list[str]:
        return [f"{result.hit.source}:{result.hit.id}" for result in self.answer.results]


def load_scenario(path: Path, config: RankingConfig) -> Scenario:
    data = tomllib.loads(path.read_text("utf-8"))
    kind, keywords = QueryType(data["type"]), tuple(data["keywords"])
    query = Query(data["text"], type=kind, language=data["language"], keywords=keywords)
    now = datetime.fromisoformat(data["now"])
    plan = Plan(query, tuple(Step(name, name.title(), category, ()) for name, category in SOURCES.items()))
    outcomes = []
    for name, category in SOURCES.items():
        hits = tuple(_hit(row) for row in data["hits"] if row["source"] == name)
        found = (HitList(Translation(NativeQuery("test", "x")), hits),)
        outcomes.append(Outcome(name, name.title(), category, Status.OK if hits else Status.EMPTY, found))
    ranking = rank(outcomes, RankContext(query, now, plan, config))
    return Scenario(data, compose(ranking, outcomes, plan, now))


def _hit(row: dict[str, str]) -> Hit:
    facts: dict[str, Any] = {name: Person(row[name]) for name in ("author", "assignee") if name in row}
    facts |= {name: datetime.fromisoformat(row[name]) for name in ("created", "updated") if name in row}
    url = f"https://{row['source']}.example/{row['id']}"
    text, title = row["text"].strip(), row.get("title", "")
    return Hit(row["source"], row["id"], KINDS[row["source"]], title, url, text, **facts)


def is_quoted(answer: Answer) -> bool:
    """Every quote stands literally in the result it cites."""
    return all(
        citation.quote in quotable_line(f"{citation.result.hit.title}\n{citation.result.hit.snippet}")
        and citation.result == answer.results[citation.number - 1]
        for citation in answer.citations
    )


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture(params=sorted((ROOT / "tests/fixtures/rank").glob("*.toml")), ids=lambda path: path.stem)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return load_scenario(request.param, RankingConfig.load(ROOT / "config/ranking.toml"))


@pytest.fixture(name="is_quoted")
def _is_quoted() -> Any:
    return is_quoted
