"""The MCP source against real servers: one of ours by the SDK, started and reached by HTTP, and the protocol's own."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential
from connectors.errors import Misconfigured, Rejected, Unavailable
from connectors.mcp_client import McpSource
from connectors.mcp_client.settings import McpSettings
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.program import WARM
from translators.strategies import NOON
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

SERVER = Path(__file__).parent / "mcp_search_server.py"
EVERYTHING = (
    Path(__file__).parents[1]
    / "contract/oracles/mcp/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
)
CHILDREN = Path("/proc/self/task")
ROWS = [
    {"id": f"p-{number}", "title": f"배포 계획 {number}", "text": "deploy on friday", "url": f"https://x.example/{number}",
     "updated": f"2026-01-0{number}T00:00:00Z"}
    for number in range(1, 6)
]  # fmt: skip
PATIENT = Call(timeout=HANGING)
SECRET = "planted-secret-91c3"
pytestmark = [
    pytest.mark.skipif(not CHILDREN.is_dir(), reason="the processes that are left are counted in /proc"),
]


def children() -> set[int]:
    """Processes started by this one that are still there."""
    found: set[int] = set()
    for thread in CHILDREN.iterdir():
        try:
            found |= set(map(int, (thread / "children").read_text("ascii").split()))
        except FileNotFoundError:
            continue
    return found


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    return path


@asynccontextmanager
async def source(**settings: Any) -> AsyncIterator[McpSource]:
    """A source, of which nothing is left afterwards: no process, no task."""
    before, tasks = children(), asyncio.all_tasks()
    made = McpSource("mine", McpSettings.model_validate({"kind": "mcp_client", **settings}))
    try:
        yield made
    finally:
        await made.aclose()
        await made.aclose()
    assert children() <= before
    assert asyncio.all_tasks() <= tasks


def started(rows: Path, *, by: Sequence[str] = (sys.executable,)) -> list[str]:
    return [*by, str(SERVER), "stdio", str(rows)]


@asynccontextmanager
async def reached(rows: Path) -> AsyncIterator[str]:
    """The same server at an address of its own choosing."""
    process = await asyncio.create_subprocess_exec(
        *WARM, str(SERVER), "http", str(rows), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        await process.wait()


def asked(text: str, **args: Any) -> NativeQuery:
    return NativeQuery("words", text, args)


PAGED = {
    "arguments": {"query": "{text}", "limit": "{limit}", "offset": "{offset}"},
    "can": {"term": "exact"},
    "reply": {"total": "$.total"},
    "hit": {"updated": "$.updated"},
}


async def test_a_server_that_is_started_is_searched_and_stopped(rows: Path) -> None:
    async with source(command=started(rows)) as mine:
        health = await mine.probe(PATIENT)
        assert (health.ok, health.detail) == (True, "corpus, protocol 2026-07-28")
        page = await mine.search(asked("배포 계획 3"), PATIENT)
        (hit,) = page.hits
        assert (hit.source, hit.id, hit.title, hit.url, hit.rank) == (
            "mine",
            "p-3",
            "배포 계획 3",
            "https://x.example/3",
            1,
        )
        assert len(children()) >= 1
        assert (await mine.search(asked("deploy"), replace(PATIENT, limit=2))).hits[1].rank == 2
        assert (await mine.directory(PATIENT)).people == ()


async def test_a_server_at_an_address_is_searched(rows: Path) -> None:
    async with reached(rows) as address, source(base_url=address, open=True) as mine:
        assert len((await mine.search(asked("배포"), PATIENT)).hits) == 5
        assert (await mine.probe(PATIENT)).ok


async def test_page_by_page(rows: Path) -> None:
    async with source(command=started(rows, by=WARM), **PAGED) as mine:
        first = await mine.search(asked("배포"), replace(PATIENT, limit=3))
        second = await mine.search(asked("배포"), replace(PATIENT, limit=3, cursor=first.cursor))
        assert [hit.id for hit in (*first.hits, *second.hits)] == [f"p-{number}" for number in range(1, 6)]
        assert (first.total, second.cursor) == (5, None)
        assert first.hits[0].updated is not None


async def test_a_markdown_list_is_read(rows: Path) -> None:
    async with source(command=started(rows, by=WARM), tool="search_markdown") as mine:
        (hit,) = (await mine.search(asked("배포 계획 2"), PATIENT)).hits
        assert (hit.id, hit.title, hit.snippet) == ("https://x.example/2", "배포 계획 2", "deploy on friday")
        assert (await mine.search(asked("zebra"), PATIENT)).notes == ("MCP server said: Nothing was found.",)


async def test_what_is_wrong_is_told(rows: Path) -> None:
    async with source(command=started(rows, by=WARM), tool="find") as mine:
        with pytest.raises(
            Misconfigured, match="no tool called find; there are: search, search_written, search_markdown"
        ):
            await mine.probe(PATIENT)
    async with source(command=started(rows, by=WARM), tool="fail") as mine:
        with pytest.raises(Rejected, match=r"MCP server refused: .*fail"):
            await mine.search(asked("x"), PATIENT)
    async with source(command=[str(rows / "nothing")]) as mine:
        with pytest.raises(Misconfigured, match="cannot be started"):
            await mine.search(asked("x"), PATIENT)
    async with source(command=[sys.executable, "-c", "pass"]) as mine:
        with pytest.raises(Unavailable):
            await mine.search(asked("x"), PATIENT)


async def test_a_search_past_its_deadline_ends_alone(rows: Path) -> None:
    """The server still answers, and starting it anew takes longer than many searches have."""
    async with source(command=started(rows), tool="hang") as mine:
        await mine.probe(PATIENT)
        (before,) = {*mine._sessions.values()}
        with pytest.raises(Unavailable, match=r"no answer within 0\.2 s"):
            await mine.search(asked("x"), Call(timeout=0.2))
        await asyncio.gather(*mine._doubts)
        await mine.probe(PATIENT)
        assert {*mine._sessions.values()} == {before}


async def test_a_search_that_is_cancelled_leaves_nothing(rows: Path) -> None:
    """While the server starts, and while it works."""
    async with source(command=started(rows), tool="hang") as mine:
        asking = asyncio.create_task(mine.search(asked("x"), PATIENT))
        while not mine._sessions:  # noqa: ASYNC110 — nobody tells
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await mine.probe(PATIENT)
        asking = asyncio.create_task(mine.search(asked("x"), PATIENT))
        while not any(each.users for each in mine._sessions.values()):  # noqa: ASYNC110 — nobody tells
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_a_cancelled_search_does_not_disturb_another(rows: Path) -> None:
    async with source(command=started(rows)) as mine:
        await mine.probe(PATIENT)
        lost, kept = (asyncio.create_task(mine.search(asked(word), PATIENT)) for word in ("friday", "배포"))
        await asyncio.sleep(0)
        lost.cancel()
        assert len((await kept).hits) == 5


async def test_the_server_gets_the_token_and_nothing_else_of_ours(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment is the bare minimum, what is set, and the token under its name; nothing of ours shows it."""
    monkeypatch.setenv("FEDSEARCH_SOURCES__SLACK__TOKEN", "xoxp-other")
    given = {"command": started(rows), "tool": "environment", "token_env": "CORPUS_TOKEN", "env": {"CORPUS": "herb"}}
    async with source(**given, token=SECRET, page=100) as mine:
        page = await mine.search(asked("x"), replace(PATIENT, limit=100))
        seen = {hit.id: hit.title for hit in page.hits}
        assert (seen["CORPUS_TOKEN"], seen["CORPUS"]) == (SECRET, "herb")
        assert not any(name.startswith("FEDSEARCH") for name in seen)
        sessions = [vars(each) for each in mine._sessions.values()]
        assert SECRET not in f"{mine!r} {vars(mine)!r} {mine.settings!r}"
        assert len(sessions) == 1
        await mine.search(asked("x"), replace(PATIENT, credential=Credential("another-one")))
        assert len(mine._sessions) == 2


async def test_it_answers_questions_beside_other_sources(rows: Path) -> None:
    """Through the engine: declared, planned, asked, ranked."""
    table = {"kind": "mcp_client", "title": "Handbook", "command": started(rows), "hit": {"updated": "$.updated"}}
    settings = load_settings({"sources": {"handbook": table}, "search": {"budget": HANGING}}, {})
    async with build_engine(settings) as engine:
        answer = await engine.search(Ask("배포 계획", NOON, budget=HANGING))
        assert {result.hit.source for result in answer.results} == {"handbook"}
        assert answer.plan.steps[0].title == "Handbook"


@pytest.mark.skipif(
    not (EVERYTHING.is_file() and shutil.which("node")),
    reason="the protocol's own server is not installed; make oracles",
)
async def test_the_servers_of_the_protocol_itself_are_understood() -> None:
    """server-everything, by a generation of the protocol with a handshake: it has no search, but a tool that echoes."""
    node = str(shutil.which("node"))
    echo = {"tool": "echo", "arguments": {"message": "{text}"}}
    async with source(command=[node, str(EVERYTHING)], env={"PATH": os.environ["PATH"]}, **echo) as mine:
        health = await mine.probe(PATIENT)
        assert "protocol 2025-" in health.detail
        assert (await mine.search(asked('배포 "x" {y}'), PATIENT)).notes == ('MCP server said: Echo: 배포 "x" {y}',)
    async with source(command=[node, str(EVERYTHING)], tool="search") as mine:
        with pytest.raises(Misconfigured, match="no tool called search; there are: echo"):
            await mine.probe(PATIENT)
