"""MCP servers as people write and run them: any return type, several at once, slow to start, hung, not there."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call
from connectors.errors import BadReply, Unavailable
from connectors.mcp_client import McpSource, Starting
from connectors.mcp_client import session as sessions
from connectors.mcp_client.settings import McpSettings
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Status
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.program import WARM
from translators.strategies import NOON
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SERVER = Path(__file__).parent / "mcp_ordinary_server.py"
AT_ONCE = """
import asyncio
from connectors.mcp_client import McpSource
from connectors.mcp_client.settings import McpSettings

async def prepare(number):
    settings = {"kind": "mcp_client", "base_url": "http://127.0.0.1:1/mcp", "open": True}
    await McpSource(f"m{number}", McpSettings.model_validate(settings)).prepare()

async def all_of_them():
    await asyncio.gather(*(prepare(number) for number in range(5)))

asyncio.run(all_of_them())
"""
WORD = NativeQuery("words", "배포")
PATIENT = Call(timeout=HANGING)


def command(folder: Path) -> list[str]:
    return [sys.executable, str(SERVER), str(folder)]


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text("utf-8").splitlines()) if (folder / "starts").exists() else 0


def source(folder: Path, **settings: Any) -> McpSource:
    """Over a server with the SDK loaded."""
    told = {"kind": "mcp_client", "command": [*WARM, str(SERVER), str(folder)], "tool": "as_text", **settings}
    return McpSource("mine", McpSettings.model_validate(told))


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[McpSource]:
    """A source that was prepared, over a server that is started cold."""
    mine = source(tmp_path, command=command(tmp_path))
    await mine.prepare()
    yield mine
    await mine.aclose()


def test_several_load_the_sdk_at_once() -> None:
    """In a process that has not: two threads that import one package meet each other's half-done modules."""
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("tool", "ids"),
    [
        ("as_text", ["p-1", "p-2"]),
        ("as_object_in_text", ["p-1", "p-2"]),
        ("as_typed_list", ["p-1", "p-2"]),
        ("as_list", ["p-1", "p-2"]),
        ("as_one", ["p-1"]),
        ("as_any", ["p-1", "p-2"]),
        ("as_markdown", ["https://x.example/p-1", "https://x.example/p-2"]),
        ("as_content", ["https://x.example/p-1", "https://x.example/p-2"]),
        ("as_lines", ["배포 계획", "Release plan"]),
        ("as_nothing", []),
        ("as_none", []),
    ],
)
async def test_whatever_a_tool_returns_is_read(tmp_path: Path, tool: str, ids: list[str]) -> None:
    mine = source(tmp_path, tool=tool)
    try:
        page = await mine.search(WORD, PATIENT)
    finally:
        await mine.aclose()
    assert [hit.id for hit in page.hits] == ids
    assert page.notes == ()
    if ids:
        assert (page.hits[0].title, page.hits[0].snippet) == ("배포 계획", "금요일에 배포합니다")


async def test_prose_is_no_result_and_no_failure(tmp_path: Path) -> None:
    mine = source(tmp_path, tool="as_prose")
    try:
        page = await mine.search(WORD, PATIENT)
    finally:
        await mine.aclose()
    assert (page.hits, page.notes) == ((), ("MCP server said: No results found.",))


async def test_what_is_neither_is_a_failure_and_the_server_stays(tmp_path: Path) -> None:
    mine = source(tmp_path, tool="as_number")
    try:
        for _ in range(2):
            with pytest.raises(BadReply, match="no list at"):
                await mine.search(WORD, PATIENT)
    finally:
        await mine.aclose()
    assert starts(tmp_path) == 1


async def test_a_server_is_started_before_the_first_question(running: McpSource, tmp_path: Path) -> None:
    assert starts(tmp_path) == 1
    assert len((await running.search(WORD, PATIENT)).hits) == 2
    assert starts(tmp_path) == 1


async def test_a_server_that_starts_slower_than_a_question_may_take_is_kept(tmp_path: Path) -> None:
    (tmp_path / "wait").touch()
    mine = source(tmp_path)
    try:
        for _ in range(3):
            with pytest.raises(Starting, match="still starting"):
                await mine.search(WORD, Call(timeout=0.2))
        (tmp_path / "wait").unlink()
        assert len((await mine.search(WORD, PATIENT)).hits) == 2
    finally:
        await mine.aclose()
    assert starts(tmp_path) == 1


async def test_a_server_that_says_nothing_is_given_up_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "STARTING", 0.3)
    (tmp_path / "wait").touch()
    mine = source(tmp_path)
    try:
        with pytest.raises(Unavailable, match="did not say what it can"):
            await mine.prepare()
    finally:
        await mine.aclose()


async def test_a_server_that_hangs_is_replaced(
    running: McpSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "ALIVE", 0.2)
    stopped = _children_of_ours()
    assert stopped
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    with pytest.raises(Unavailable, match=r"no answer within 0\.2 s"):
        await running.search(WORD, Call(timeout=0.2))
    while starts(tmp_path) < 2:  # noqa: ASYNC110 — nobody tells
        await asyncio.sleep(0.01)
    assert len((await running.search(WORD, PATIENT)).hits) == 2


def _children_of_ours() -> set[int]:
    """The servers that this process started."""
    found: set[int] = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "stat").read_text("utf-8").rpartition(")")[2].split()
            if int(told[1]) == os.getpid() and SERVER.name in (process / "cmdline").read_text("utf-8"):
                found.add(int(process.name))
        except OSError:
            continue
    return found


async def test_one_that_cannot_be_started_costs_itself_alone(tmp_path: Path) -> None:
    table = {"kind": "mcp_client", "command": command(tmp_path), "tool": "as_typed_list"}
    broken = {"kind": "mcp_client", "command": [str(tmp_path / "nothing")]}
    settings = {"sources": {"well": table, "gone": broken, "also": table}, "ranking": {"semantic": "off"}}
    async with build_engine(load_settings(settings, {})) as engine:
        await engine.prepare()
        answer = await engine.search(Ask("배포 계획", NOON, budget=HANGING))
        found = {each.source: each for each in answer.outcomes}
    assert found["well"].hits
    assert found["also"].hits
    assert found["gone"].status is Status.NOT_CONNECTED
    assert found["gone"].problem is not None
    assert "cannot be started" in found["gone"].problem.message
