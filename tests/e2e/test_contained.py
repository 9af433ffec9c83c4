"""Dead databases behind the local index: refused, silent, killed. Each costs its own source, and comes back by itself."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call
from connectors.errors import Unavailable
from connectors.local import LocalSource
from connectors.local.settings import LocalSettings
from orchestrator.assembly.searching import build_engine
from orchestrator.gather import source
from orchestrator.model import Ask, Status
from orchestrator.settings import load_settings
from orchestrator.surfaces.http import ApiLimits
from orchestrator.surfaces.http import state as serving
from orchestrator.surfaces.http.state import ServerState
from storage import database
from storage.supervisor import Cluster
from tests.clock import HANGING, leaping
from tests.e2e.asking import over_after
from tests.e2e.patience import ENOUGH
from translators.strategies import NOON
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from orchestrator.engine import Engine
    from orchestrator.model import Answer, Outcome

NO_MODELS = {"kind": "local", "embedder": {"model": "none"}, "reranker": {"model": "none"}}


def engine_over(budget: float = HANGING, **addresses: str) -> Engine:
    """An engine over one index for each address, none of which has a model."""
    sources = {name: {**NO_MODELS, "enabled": True, "database_url": url} for name, url in addresses.items()}
    settings = {"sources": sources, "ranking": {"semantic": "off"}, "search": {"budget": budget}}
    return build_engine(load_settings(settings, {}))


def question(budget: float = HANGING) -> Ask:
    return Ask("release plan 배포 계획", NOON, budget=budget)


async def asked(engine: Engine, budget: float = HANGING) -> Answer:
    return await engine.search(question(budget))


def by_source(answer: Answer) -> dict[str, Outcome]:
    return {each.source: each for each in answer.outcomes}


@pytest.fixture
def closed() -> Iterator[socket.socket]:
    """A port of ours at which nobody listens yet."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held


@pytest.fixture
def closed_port(closed: socket.socket) -> int:
    return int(closed.getsockname()[1])


@asynccontextmanager
async def silent_server() -> AsyncIterator[int]:
    """Lets everybody in and never says a word."""
    there: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: there.append(writer), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for each in there:
            each.close()


async def test_a_database_that_refuses_costs_its_own_source(index_url: str, closed_port: int) -> None:
    async with engine_over(dead=f"postgresql://u:hush@127.0.0.1:{closed_port}/x", well=index_url) as engine:
        for _ in range(2):
            found = by_source(await asked(engine))
            assert found["well"].status is Status.EMPTY
            assert (found["dead"].status, found["dead"].problem and found["dead"].problem.code) == (
                Status.FAILED,
                "unavailable",
            )
            assert "cannot be reached" in str(found["dead"].problem)
            assert "hush" not in str(found)
        health = await engine.health()
        assert (health["well"].ok, health["dead"].ok) == (True, False)
        assert "cannot be reached" in health["dead"].detail


async def test_a_database_that_is_silent_costs_its_own_source(index_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "CONNECTING", HANGING)
    async with (
        silent_server() as port,
        engine_over(dead=f"postgresql://u:p@127.0.0.1:{port}/x", well=index_url) as engine,
    ):
        await asked(engine, budget=0.5)
        leaping()(
            ENOUGH / 2
        )  # whoever asks now does not wait for what was begun so long ago; its client gives up after a minute
        found = by_source(await over_after(engine, question(ENOUGH / 2), "well"))
        assert found["well"].status is Status.EMPTY
        assert found["dead"].status is Status.TIMED_OUT
        assert found["dead"].problem is not None
        assert found["dead"].problem.code == "not_ready"


async def test_it_is_asked_again_once_its_database_is_back(
    index_url: str, closed: socket.socket, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "FIRST_REST", 0.05)
    monkeypatch.setattr(source, "MOST_REST", 0.05)
    login, _, where = index_url.partition("@")
    name, _, folder = where.removeprefix("/").partition("?host=")
    async with engine_over(index=f"{login}@127.0.0.1:{closed_port}/{name}") as engine:
        assert by_source(await asked(engine))["index"].status is Status.FAILED

        async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            theirs = await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.5432")
            await asyncio.gather(_copied(reader, theirs[1]), _copied(theirs[0], writer), return_exceptions=True)

        server = await asyncio.start_server(pass_on, sock=closed)
        try:
            while by_source(await asked(engine))["index"].status is not Status.EMPTY:  # noqa: ASYNC110 — nobody tells
                await asyncio.sleep(0.05)
        finally:
            server.close()


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while said := await reader.read(1 << 16):
        writer.write(said)
    writer.close()


async def test_a_server_is_ready_though_a_database_is_not_there(closed_port: int) -> None:
    state = ServerState.of(ApiLimits())
    async with engine_over(dead=f"postgresql://u:p@127.0.0.1:{closed_port}/x") as engine:
        state.running = engine
        await state.prepare()
        assert state.readiness.here


async def test_a_server_that_could_not_get_ready_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        attempts = 0

        async def prepare(self) -> None:
            self.attempts += 1
            if self.attempts == 1:
                raise RuntimeError("no model")

    monkeypatch.setattr(serving, "AGAIN", 0.0)
    state = ServerState.of(ApiLimits())
    state.running = broken = Broken()  # type: ignore[assignment]
    await state.prepare()
    assert (state.readiness.here, broken.attempts) == (True, 2)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the server's OS user may enter, which pytest's own are not."""
    made = Path(tempfile.mkdtemp(prefix="fedsearch-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


async def test_a_database_of_ours_that_is_killed_is_started_again(folder: Path) -> None:
    """Nobody's deadline cuts the start short: the question that meets the dead server may not live to see it back."""
    settings: dict[str, Any] = {**NO_MODELS, "data_dir": str(folder), "durable": False}
    mine = LocalSource("mine", LocalSettings.model_validate(settings))
    query = NativeQuery("hybrid", "release")
    await mine.prepare()
    await mine.search(query, Call())
    cluster = mine.index.database._where
    assert isinstance(cluster, Cluster)
    killed = cluster.pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    answered = False
    while not answered or cluster.pid in {None, killed}:
        try:
            await mine.search(query, Call(timeout=0.1))
            answered = True
        except Unavailable:
            answered = False
        await asyncio.sleep(0.02)
    await mine.aclose()
    while cluster.pid is not None:  # noqa: ASYNC110 — nobody tells
        await asyncio.sleep(0.01)


async def test_an_answer_that_cannot_be_accounted_for_is_refused(serve: Any, tmp_path: Path) -> None:
    """The audit log takes no line: it is a folder, as good as a full disk."""
    asked = {"question": "배포 계획"}
    async with serve(tmp_path, more={"server": {"audit": str(tmp_path)}}) as api:
        async with api.post("/v1/search", asked) as reply:
            assert (reply.status, (await reply.json())["code"]) == (503, "not_kept")
        async with api.post("/v1/search/stream", asked) as reply:
            told = (await reply.read()).decode()
    assert '"not_kept"' in told
    assert "event: answer" not in told
