"""Over a small office behind real sockets: how things stand, and whose they are, asked of every tracker in its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from orchestrator.model import Ask, Status
from tests.clock import HANGING
from tests.e2e.asking_office import NOW, TRACKERS, issues, office
from translators.query import State

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from orchestrator.engine import Engine
    from orchestrator.model import Answer

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Engine]:
    async with office(tmp_path_factory.mktemp("office"), issues("Webhook retries")) as built:
        yield built


async def ask(engine: Engine, question: str) -> Answer:
    return await engine.search(Ask(question, NOW, limit=20, budget=HANGING))


def states(answer: Answer) -> dict[str, list[State | None]]:
    """How what each source gave stands, in the order of the answer."""
    return {each: [result.hit.state for result in answer.results if result.hit.source == each] for each in TRACKERS}


@pytest.mark.parametrize(
    "question", ["status of webhook retries", "webhook retries 상태는?", "my tasks", "내 작업", "내 작업 상태는?"]
)
async def test_what_is_open_comes_first_and_what_is_done_behind_it(engine: Engine, question: str) -> None:
    """The one that is done was changed later, and would come first otherwise."""
    answer = await ask(engine, question)
    assert {each.source: each.status for each in answer.outcomes} == dict.fromkeys(TRACKERS, Status.OK)
    assert states(answer) == {each: [State.OPEN, State.DONE] for each in TRACKERS}


@pytest.mark.parametrize("question", ["webhook retries", "what did we decide about webhook retries"])
async def test_other_questions_do_not_care(engine: Engine, question: str) -> None:
    answer = await ask(engine, question)
    assert not any("state" in reason for result in answer.results for reason in result.why)
