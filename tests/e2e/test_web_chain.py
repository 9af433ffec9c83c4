"""The chain of web searches over real sockets, real programs and a real MCP server: each link, and each way to the next."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential
from connectors.errors import Misconfigured, SourceError, Throttled, Unavailable
from connectors.gemini_cli.program import run
from connectors.web import WebSource
from connectors.web.settings import WebSettings
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import source_settings
from orchestrator.gather import Gate
from orchestrator.gather.gate import LONGEST_PAUSE
from orchestrator.sandbox import Fault, Sandbox
from orchestrator.settings import load_settings
from tests.clock import HANGING, leaping
from tests.conformance.marks import requirement
from tests.e2e.web_world import FakeGemini, at, mcp_command, web_corpus
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from connectors.contract import HitPage

REACT = NativeQuery("web", "suspense fallback")
PATIENT = Call(timeout=HANGING)  # starting a program takes long on a busy machine
EVERY = ("brave", "gemini", "searxng", "serpapi")


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[Sandbox]:
    async with Sandbox(web_corpus(tmp_path / "web")) as served:
        yield served


@pytest.fixture
def gemini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGemini:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return FakeGemini(folder)


@asynccontextmanager
async def chain(**settings: Any) -> AsyncIterator[WebSource]:
    made = WebSource("web", WebSettings.model_validate({"kind": "web", **settings}))
    try:
        yield made
    finally:
        await made.aclose()
        await made.aclose()


@requirement("4.9", "Who is asked, in order: Gemini by an MCP server, the Gemini CLI, a direct provider", where="connectors/web")  # fmt: skip
async def test_gemini_by_mcp_goes_first(sandbox: Sandbox, gemini: FakeGemini, tmp_path: Path) -> None:
    links = {"mcp": {"command": mcp_command(tmp_path)}, "gemini_cli": {}, **at(sandbox, *EVERY)}
    async with chain(**links) as web:
        page = await web.search(NativeQuery("web", "쿠버네티스 배포"), PATIENT)
    (hit,) = page.hits
    assert (hit.source, hit.rank, hit.kind.value, hit.url) == (
        "web",
        1,
        "web_page",
        "https://kubernetes.io/ko/docs/home/",
    )
    assert (hit.title, hit.snippet) == ("쿠버네티스 문서", "쿠버네티스는 배포를 자동화한다.")
    assert hit.facts["found_by"] == "Gemini by MCP"
    assert page.remarks == ()
    assert (gemini.starts, len(sandbox.requests)) == ([], 0)


@requirement("4.10", "Each falls back to the next, and says why", where="connectors/web connectors/gemini_cli connectors/mcp_client")  # fmt: skip
@pytest.mark.parametrize(("tool", "why"), [("broken", "refused"), ("no_such_tool", "no tool called no_such_tool")])
async def test_from_mcp_to_the_command_line(gemini: FakeGemini, tmp_path: Path, tool: str, why: str) -> None:
    links = {"mcp": {"command": mcp_command(tmp_path), "tool": tool}, "gemini_cli": {}}
    async with chain(**links) as web:
        page = await web.search(REACT, PATIENT)
    assert page.hits[0].facts["found_by"] == "Gemini CLI"
    assert page.remarks[0].startswith("Gemini by MCP did not answer: ")
    assert why in page.remarks[0]
    assert page.remarks[1] == "Gemini CLI answered"


async def share_lost(web: WebSource, hangs: Callable[[], object]) -> HitPage:
    """What is found where the first link has half of the time, which passes as soon as it ``hangs``."""
    leap = leaping()
    asking = asyncio.create_task(web.search(REACT, Call(timeout=2 * HANGING)))
    while not hangs():  # noqa: ASYNC110 - another process tells
        await asyncio.sleep(0.01)
    leap(HANGING)
    page = await asking
    assert f"no answer within {HANGING} s" in page.remarks[0]
    return page


async def test_from_a_tool_that_hangs_to_the_command_line(gemini: FakeGemini, tmp_path: Path) -> None:
    links = {"mcp": {"command": mcp_command(tmp_path), "tool": "hang"}, "gemini_cli": {}, "share": 0.5}
    async with chain(**links) as web:
        page = await share_lost(web, (tmp_path / "hangs").exists)
    assert page.hits[0].facts["found_by"] == "Gemini CLI"


async def test_from_a_server_that_is_not_there_to_the_next(sandbox: Sandbox) -> None:
    async with chain(mcp={"command": ["/no/such/server"]}, **at(sandbox, "brave")) as web:
        page = await web.search(REACT, PATIENT)
    assert page.hits[0].facts["found_by"] == "Brave Search"
    assert "cannot be started" in page.remarks[0]


@requirement("4.10")
@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("41", "sign in once"),
        ("1", "exit 1"),
        ("42", "exit 42"),
        ("52", "own settings"),
        ("53", "too many turns"),
        ("garbage", "not JSON"),
        ("huge", "larger than 8 MiB"),
    ],
)
async def test_from_the_command_line_to_a_provider(sandbox: Sandbox, gemini: FakeGemini, mode: str, why: str) -> None:
    gemini.mode(mode)
    async with chain(gemini_cli={}, **at(sandbox, "brave")) as web:
        page = await web.search(REACT, PATIENT)
    assert [hit.facts["found_by"] for hit in page.hits] == ["Brave Search"]
    assert page.remarks[0].startswith("Gemini CLI did not answer: ")
    assert why in page.remarks[0]


async def test_from_a_command_line_that_hangs_to_a_provider(sandbox: Sandbox, gemini: FakeGemini) -> None:
    """It ignores being asked to end, and has started another: both have been killed when the answer is there."""
    gemini.mode("hang")
    async with chain(gemini_cli={}, share=0.5, **at(sandbox, "brave")) as web:
        page = await share_lost(web, lambda: gemini.processes)
    assert page.hits[0].facts["found_by"] == "Brave Search"
    await gone(gemini)


async def test_a_command_line_that_is_given_up_while_it_starts_is_ended_with_all_that_it_started(
    gemini: FakeGemini,
) -> None:
    gemini.mode("hang")
    command = [str(gemini.folder / "gemini"), "--prompt", "x", "--output-format", "json"]
    running = asyncio.create_task(run(command, os.environ, gemini.folder, HANGING))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    while not gemini.processes:  # nothing else gets its turn, so that nobody has taken the pipes yet
        time.sleep(0.01)  # noqa: ASYNC251
    running.cancel()
    ended, _ = await asyncio.wait({running}, timeout=HANGING)
    assert ended
    await gone(gemini)


async def test_what_the_command_line_leaves_behind_is_ended(gemini: FakeGemini) -> None:
    """A child that holds its pipes open neither delays the answer nor outlives it."""
    gemini.mode("orphan")
    async with chain(gemini_cli={}) as web:
        page = await web.search(REACT, PATIENT)
    assert page.hits[0].facts["found_by"] == "Gemini CLI"
    await gone(gemini)


async def test_without_the_command_line_it_says_what_to_install(sandbox: Sandbox, tmp_path: Path) -> None:
    absent = {"command": [str(tmp_path / "nothing" / "gemini")]}
    async with chain(gemini_cli=absent, **at(sandbox, "searxng")) as web:
        page = await web.search(REACT, PATIENT)
    assert "npm install -g @google/gemini-cli" in page.remarks[0]
    async with chain(gemini_cli=absent) as web:
        with pytest.raises(Unavailable, match="npm install -g @google/gemini-cli"):
            await web.search(REACT, PATIENT)


@pytest.mark.parametrize("mode", ["json", "stream-json"])
async def test_the_command_line_gets_what_it_needs_and_no_more(
    gemini: FakeGemini, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("FEDSEARCH_SOURCES__SLACK__TOKEN", "xoxp-other")
    key = "AIza-planted-0000"
    text = NativeQuery("web", "$(touch /tmp/x) `id` ; @/etc/passwd -y \"a\" '배포'")
    async with chain(gemini_cli={"format": mode, "token": key, "env": {"GOOGLE_CLOUD_PROJECT": "p"}}) as web:
        page = await web.search(text, replace(PATIENT, credential=Credential("the-askers-own")))
        assert key not in f"{web!r} {vars(web)!r} {web.settings!r} {page!r}"
    (start,) = gemini.starts
    assert (start["key"], start["stdin"], start["folder"]) == (key, "", [".gemini"])
    assert "GOOGLE_CLOUD_PROJECT" in start["names"]
    assert not any(name.startswith("FEDSEARCH") for name in start["names"])
    prompt = start["argv"][start["argv"].index("--prompt") + 1]
    assert "$(touch /tmp/x) `id` ;  /etc/passwd -y \"a\" '배포'" in prompt


@requirement("4.9")
@pytest.mark.parametrize(
    ("order", "down", "expected"),
    [
        (("gemini", "brave", "serpapi", "searxng"), (), "Gemini"),
        (("gemini", "brave", "serpapi", "searxng"), ("gemini",), "Brave Search"),
        (("gemini", "brave", "serpapi", "searxng"), ("gemini", "brave"), "SerpApi"),
        (("gemini", "brave", "serpapi", "searxng"), ("gemini", "brave", "serpapi"), "SearXNG"),
        (("searxng", "gemini"), (), "SearXNG"),
        (("searxng", "gemini"), ("searxng",), "Gemini"),
    ],
)
@pytest.mark.parametrize(
    "fault", [Fault(status=500), Fault(malformed=True), Fault(disconnect=True), Fault(retry_after=5)]
)
async def test_providers_in_order(
    sandbox: Sandbox, order: tuple[str, ...], down: tuple[str, ...], expected: str, fault: Fault
) -> None:
    for name in down:
        sandbox.set_fault(name, fault)
    async with chain(order=list(order), **at(sandbox, *EVERY)) as web:
        page = await web.search(REACT, PATIENT)
    assert {hit.facts["found_by"] for hit in page.hits} == {expected}
    assert len(page.remarks) == (len(down) + 1 if down else 0)


async def test_a_provider_that_hangs_has_its_share_and_no_more(sandbox: Sandbox) -> None:
    sandbox.set_fault("brave", Fault(hang=True))
    async with chain(share=1 / HANGING, **at(sandbox, "brave", "searxng")) as web:
        page = await web.search(REACT, PATIENT)
    assert page.hits[0].facts["found_by"] == "SearXNG"
    assert "no answer within 1.0 s" in page.remarks[0]


async def test_nobody_answers(sandbox: Sandbox) -> None:
    for name in EVERY:
        sandbox.set_fault(name, Fault(status=503))
    async with chain(**at(sandbox, *EVERY)) as web:
        with pytest.raises(
            Unavailable, match=r"no web search answered: Gemini: .*; Brave Search: .*; SerpApi: .*; SearXNG: "
        ):
            await web.search(REACT, PATIENT)
    async with chain() as web:
        with pytest.raises(Misconfigured, match="set up a link"):
            await web.search(REACT, PATIENT)


async def test_who_wants_quiet_rests_alone(sandbox: Sandbox) -> None:
    """By the gate: the next question does not go there, and all others do."""
    sandbox.set_fault("brave", Fault(retry_after=600))
    settings = WebSettings.model_validate({"kind": "web", **at(sandbox, "brave", "searxng")})
    gate = Gate(settings.described(WebSource.manifest).limits)
    call = replace(PATIENT, turn=gate.enter, throttled=gate.heed)
    async with chain(**at(sandbox, "brave", "searxng")) as web:
        for _ in range(3):
            page = await web.search(REACT, call)
            assert page.hits[0].facts["found_by"] == "SearXNG"
    assert [record.source for record in sandbox.requests] == ["brave", "searxng", "searxng", "searxng"]
    assert gate.remaining_pause() == 0
    assert gate.remaining_pause("brave") > LONGEST_PAUSE - 100


async def test_a_link_that_has_a_bug_costs_itself(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    async def bug(*_: object) -> None:
        raise ZeroDivisionError

    async with chain(**at(sandbox, "brave", "searxng")) as web:
        monkeypatch.setattr(web._links["brave"], "search", bug)
        page = await web.search(REACT, PATIENT)
    assert page.hits[0].facts["found_by"] == "SearXNG"
    assert "ZeroDivisionError" in page.remarks[0]


async def test_a_further_page_comes_from_the_same_link(sandbox: Sandbox) -> None:
    sandbox.set_fault("gemini", Fault(status=503))
    async with chain(**at(sandbox, "gemini", "brave")) as web:
        first = await web.search(NativeQuery("web", "suspense"), replace(PATIENT, limit=2))
        second = await web.search(NativeQuery("web", "suspense"), replace(PATIENT, limit=2, cursor=first.cursor))
    assert len({hit.url for hit in (*first.hits, *second.hits)}) == 3
    assert [record.source for record in sandbox.requests] == ["gemini", "brave", "brave"]


async def test_sources_names_what_is_not_set_up(sandbox: Sandbox, gemini: FakeGemini) -> None:
    sandbox.set_fault("searxng", Fault(status=403))
    async with chain(gemini_cli={}, **at(sandbox, "searxng")) as web:
        health = await web.probe(PATIENT)
    assert health.ok
    assert "Gemini CLI: 0.61.2; SearXNG: " in health.detail
    assert health.detail.endswith("not set up: Gemini by MCP, Gemini, Brave Search, SerpApi")
    assert len(gemini.starts) == 1


async def test_each_link_is_counted_at_its_own_rate() -> None:
    links = {"brave": {"token": "t0ken-t0ken", "rate": 20}, "searxng": {"base_url": "http://127.0.0.1:9"}}
    limits = WebSettings.model_validate({"kind": "web", **links}).described(WebSource.manifest).limits
    assert {name: (each.rate, each.period) for name, each in limits.buckets.items()} == {
        "brave": (20, 1.0),
        "searxng": (20, 60.0),
    }


def test_links_are_set_in_the_environment() -> None:
    variables = {
        "FEDSEARCH_SOURCES__WEB__BRAVE__TOKEN": "t0ken-t0ken",
        "FEDSEARCH_SOURCES__WEB__GEMINI_CLI__ENABLED": "true",
        "FEDSEARCH_SOURCES__WEB__ORDER": "brave, gemini_cli",
    }
    raw = load_settings({}, variables).sources["web"]
    _, options = source_settings("web", raw)
    assert isinstance(options, WebSettings)
    assert list(options.links) == ["brave", "gemini_cli"]
    with pytest.raises(Misconfigured, match=r"sources\.web\.brave"):
        source_settings("web", {"brave": {"no_such_setting": 1}})
    engine = build_engine(load_settings({"sources": {"web": {}}}, {}))
    assert "set up a link" in engine.profiles[0].missing


async def gone(gemini: FakeGemini) -> None:
    """Who was killed is no longer there, as soon as the machine has got round to it."""
    assert gemini.processes
    while any(map(is_running, gemini.processes)):  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)


def is_running(process: int) -> bool:
    """Whether a process is there and no mere entry that waits to be collected."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_all_links_throttled_is_throttled(sandbox: Sandbox) -> None:
    for name, wait in (("brave", 9), ("searxng", 40)):
        sandbox.set_fault(name, Fault(retry_after=wait))
    async with chain(**at(sandbox, "brave", "searxng")) as web:
        with pytest.raises(Throttled) as raised:
            await web.search(REACT, PATIENT)
    assert raised.value.retry_after == 9
    assert isinstance(raised.value, SourceError)
