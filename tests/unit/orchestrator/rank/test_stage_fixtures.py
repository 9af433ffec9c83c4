"""Each stage by itself: a ranking before it and after it, from ``stages/<stage>.toml``. A stage without a fixture fails.

A case gives the question, results (``hit`` with an ``age`` in days and a ``container`` by name, ``evidence`` as "source rank" or "source rank rung"),
what the context holds besides, and ``numbers`` of the configuration that it depends on. ``after`` lists every result that
is left, in order, and of each what the case is about.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from connectors.contract import Hit
from orchestrator.model import Evidence, Plan, Ranking, Result, Step
from orchestrator.rank import PROFILES, RankContext, RankingConfig
from translators.match import HANGUL
from translators.query import Category, Compare, Container, Field, Kind, Op, Query, QueryType, Sort

FOLDER = Path(__file__).parent / "stages"
STAGES = {stage.__name__: stage for stages in PROFILES.values() for stage in stages}
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}: {case['name']}")
    for path in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(path.read_text("utf-8"))["case"]
]
CATEGORIES = {
    "slack": "chat",
    "notion": "wiki",
    "linear": "tracker",
    "gmail": "mail",
    "drive": "drive",
    "local": "index",
    "else": "web",
}


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_has_a_fixture(name: str) -> None:
    assert (FOLDER / f"{name}.toml").is_file(), f"write stages/{name}.toml: a ranking before the stage and after it"


def test_every_fixture_has_its_stage() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} <= STAGES.keys()


@pytest.mark.parametrize(("stage", "case"), CASES)
def test_before_and_after(stage: str, case: dict[str, Any], world: Any) -> None:
    context, before = _context(case, world), _before(case, world)
    after = STAGES[stage](before, context)
    assert [_name(result.hit) for result in after.results] == [each["hit"] for each in case["after"]]
    for result, expected in zip(after.results, case["after"], strict=True):
        assert _shown(result, expected) == {key: _approx(value) for key, value in expected.items()}
    assert before == _before(case, world), "a stage changes nothing that it was given"
    assert STAGES[stage](before, context) == after, "a stage gives the same for the same"


# ---- from TOML to a ranking


def _context(case: dict[str, Any], world: Any) -> RankContext:
    query = _query(case.get("question", {}), world)
    weights = case.get("weights", {})
    asked = {name: CATEGORIES[name] for name in case.get("sources", CATEGORIES)}
    steps = tuple(Step(n, n.title(), Category(kind), (), weights.get(n, 1.0)) for n, kind in asked.items())
    config: RankingConfig = world.config
    for section, numbers in case.get("numbers", {}).items():
        config = config.model_copy(update={section: _changed(getattr(config, section), numbers)})
    return RankContext(query, world.now, Plan(query, steps), config, _pairs(case, "semantic"), _pairs(case, "reranked"))


def _changed(section: Any, numbers: dict[str, Any]) -> Any:
    if isinstance(section, dict):
        return section | {
            type(next(iter(section)))(key): _changed(section[key], value) for key, value in numbers.items()
        }
    return type(section).model_validate({**section.model_dump(), **numbers})


def _pairs(case: dict[str, Any], name: str) -> dict[tuple[str, str], float] | None:
    table = case.get(name)
    return None if table is None else {tuple(key.split(":", 1)): value for key, value in table.items()}  # type: ignore[misc]


def _query(facts: dict[str, Any], world: Any) -> Query:
    text = facts.get("text", "what")
    since = facts.get("since")
    where = Compare(Field.TIME, Op.GE, world.now - timedelta(days=since)) if since else None
    query = Query(
        text,
        type=QueryType(facts.get("type", "decision")),
        keywords=tuple(facts.get("keywords", ())),
        essential=tuple(facts.get("essential", ())),
        language="ko" if HANGUL.search(text) else "en",
        limit=facts.get("limit", 10),
        sort=Sort(facts["sort"]) if "sort" in facts else Sort.RELEVANCE,
    )
    return query if where is None else replace(query, where=where)


def _before(case: dict[str, Any], world: Any) -> Ranking:
    return Ranking(tuple(_result(each, world) for each in case["before"]))


def _result(row: dict[str, Any], world: Any) -> Result:
    facts = dict(row["hit"])
    age = facts.pop("age", None)
    created = None if age is None else world.now - timedelta(days=age)
    if "container" in facts:
        facts["container"] = Container(facts["container"])
    hit = Hit(**{"kind": Kind.MESSAGE if facts["source"] == "slack" else Kind.PAGE, "created": created} | facts)
    said = row.get("evidence", [f"{hit.source} 1"])
    evidence = (Evidence(source, *map(int, places)) for source, *places in map(str.split, said))
    return Result(hit, tuple(evidence), row.get("score", 0.0), row.get("factors", {}), tuple(row.get("why", ())))


# ---- from a result to what a case is about


def _name(hit: Hit) -> str:
    return f"{hit.source}:{hit.id}"


def _shown(result: Result, expected: dict[str, Any]) -> dict[str, Any]:
    every = {
        "hit": _name(result.hit),
        "score": result.score,
        "factors": {name: result.factors.get(name) for name in expected.get("factors", ())},
        "also": [_name(hit) for hit in result.also],
        "related": [f"{source}:{name}" for source, name in result.related],
        "sources": [each.source for each in result.evidence],
        "why": list(result.why),
    }
    return {key: every[key] for key in expected}


def _approx(value: Any) -> Any:
    return pytest.approx(value, abs=5e-4) if isinstance(value, float | dict) else value
