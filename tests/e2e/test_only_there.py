"""Over the demo workplace: "Slack에서만" and "only in the wiki" put that place first, and hide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.demo_workplace import ask
from translators.said import said_in

if TYPE_CHECKING:
    from orchestrator.engine import Engine

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("question", "source", "words"),
    [
        ("Slack에서만 결제 장애", "slack", "Slack에서만"),
        ("노션에서만 결제 장애", "notion", "노션에서만"),
        ("only in Slack: payment outage", "slack", "only in Slack"),
        ("payment outage, Notion only", "notion", "Notion only"),
    ],
)
async def test_that_place_comes_first_and_others_behind(engine: Engine, question: str, source: str, words: str) -> None:
    answer = await ask(engine, question, limit=50)
    sources = [result.hit.source for result in answer.results]
    first = sources.count(source)
    assert first
    assert sources[:first] == [source] * first
    others = [result for result in answer.results if result.hit.source != source]
    assert others, "what other places have is listed"
    assert all(result.unmet[-1].words == words for result in others)
    steps = {step.source: step for step in answer.plan.steps}
    assert len(steps[source].rungs) > 1
    assert all(len(step.rungs) == 1 for name, step in steps.items() if name != source)
    told = [loss.why for each in steps[others[0].hit.source].rungs[0].translations for loss in each.losses]
    assert any(words in said_in(why, answer.query.language) and "0.9" in str(why) for why in told)


async def test_a_kind_of_source_stands_for_one_that_is_not_connected(engine: Engine) -> None:
    answer = await ask(engine, "Asana에서만 결제 장애")
    asked = {step.source: step.beside for step in answer.plan.steps}
    assert asked["linear"] is None
    assert asked["slack"] is not None
    assert str(asked["slack"].clause) == "container = Linear"


async def test_where_no_such_source_is_connected_all_are_asked(engine: Engine) -> None:
    answer = await ask(engine, "only in Dropbox: payment outage")
    assert answer.results
    assert "unknown_source" in {doubt.code for doubt in answer.query.doubts}
    assert all(step.beside is None for step in answer.plan.steps)
