"""A server whose question never ends in one of the three stages still answers everybody else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from orchestrator.assembly.searching import build_engine
from orchestrator.thinking import Workers
from tests.clock import HANGING
from tests.e2e import conftest
from tests.e2e.conftest import serving
from tests.security.runaway import STAGES, runaway_mind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 1.0

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def api(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Any]:
    """A server over the pretend workplace, whose mind has a trap in each stage: whatever springs one, it answers the next."""

    def build(settings: Any, **_: object) -> Any:
        engine = build_engine(settings)
        engine._thinking = Workers(runaway_mind, SECONDS, 2)
        return engine

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(str(ROOT))
        monkeypatch.setattr(conftest, "build_engine", build)
        async with serving(tmp_path_factory.mktemp("server")) as server:
            async with asyncio.timeout(HANGING):
                while (await server.http.get(server.url + "/readyz")).status != 200:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            yield server


@pytest.mark.parametrize("stage", STAGES)
async def test_one_question_is_lost_and_no_other_waits_for_it(api: Any, stage: str) -> None:
    done: list[str] = []

    async def ask(name: str, path: str, question: str, **more: float) -> tuple[int, Any]:
        async with api.post(path, {"question": question, **more}) as reply:
            told = reply.status, await reply.json(content_type=None)
        done.append(name)
        return told

    runaway = asyncio.create_task(ask("runaway", "/v1/search", f"회의록 trap{stage}", budget=30))
    await asyncio.sleep(0)
    for number in range(3):
        async with api.http.get(api.url + "/healthz") as reply:
            assert reply.status == 200
        done.append("healthz")
        status, _ = await ask("other", "/v1/understand", f"지난주 회의록 {number}")
        assert status == 200
    status, problem = await runaway
    assert (status, problem["code"]) == (422, "too_costly")
    assert any(words in problem["detail"] for words in ("너무 오래", "too long"))
    assert done == [*["healthz", "other"] * 3, "runaway"]
    status, _ = await ask("after", "/v1/search", "API migration decision")
    assert status == 200


async def test_a_stream_ends_with_the_same_code(api: Any) -> None:
    async with api.post("/v1/search/stream", {"question": "decision trapunderstand"}) as reply:
        text = (await reply.read()).decode()
    assert '"too_costly"' in text
    assert "shorten it" in text
    assert json.dumps("done") not in text
