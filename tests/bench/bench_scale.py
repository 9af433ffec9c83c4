"""One, eight and thirty-two sources with 20 hits each: what the whole path costs in time and CPU, beside a hand-written floor.

The sources are one process on loopback that answers ready made: declared JSON searches, Linears or Jiras. Neither a plain
search nor Linear has an OR for words, so that a thing with other names takes three queries a question; Jira takes all names
in one. The floor sends one request to each source with gather and aiohttp, parses the JSON and fuses by reciprocal ranks; it
understands, translates, checks, ranks and explains nothing. Every question and what it finds are different, so that nothing
is remembered. On a busy machine the ratios tell more than the milliseconds.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import aiohttp

from orchestrator.assembly.searching import build_engine
from orchestrator.events import Arrived
from orchestrator.model import Ask
from orchestrator.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterator

    from orchestrator.engine import Engine

T = TypeVar("T")

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
QUESTIONS = {"en": "API migration schedule decision {}", "ko": "API 마이그레이션 일정 결정 {}"}
KINDS = {"json_api": {"auth": {"kind": "none"}}, "linear": {"token": "lin_api_bench"}, "jira": {"token": "bench"}}
COUNTS = 1, 8, 32
ROUNDS = 25
DELAY = 0.2
BUDGET = 2.0
HITS = 20
ENOUGH = 10  # hits with which nothing broader is asked
MANY, FEW = 100_000, 4  # questions, and hits of each, where memory is watched
BLOCKS = 10
IN_FLIGHT, QUESTIONS_AT_ONCE = 64, 256
UNEVEN = tuple(0.08 + 0.02 * number for number in range(8))  # seconds that each of eight sources takes
BODY = {"query": "query($t:String!){found:searchIssues(term:$t,first:20){nodes{id title url}}}"}


@contextmanager
def sources(count: int, delay: float, hits: int = HITS) -> Iterator[list[str]]:
    """Addresses of ``count`` sources in another process."""
    script = Path(__file__).with_name("canned_sources.py")
    command = [sys.executable, str(script), str(count), str(delay), str(hits)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            base = process.stdout.readline().strip()
            yield [f"{base}/{number}" for number in range(count)]
        finally:
            process.stdin.close()


def engine_over(
    urls: list[str], kind: str = "linear", enough: int = ENOUGH, *, plain: bool = True, apart: bool = False
) -> Engine:
    """All sources, with nothing remembered; ``plain``: no model of meaning and no broader question needed, else as shipped.

    ``apart``: it thinks in processes, as a server's does.
    """
    ends = {
        f"{kind}{number}": {"kind": kind, "base_url": url, "rate": 1_000_000, **KINDS[kind]}
        for number, url in enumerate(urls)
    }
    least = {"ranking": {"semantic": "off"}, "search": {"enough": enough}} if plain else {}
    return build_engine(load_settings({"sources": ends, "cache": {"results": 0}, **least}, {}), apart=apart)


async def floor(session: aiohttp.ClientSession, urls: list[str], text: str, kind: str = "linear") -> list[str]:
    """One request to each, reciprocal ranks summed. Jiras are asked as if they were Linears."""

    async def linear(url: str) -> list[dict[str, str]]:
        async with session.post(url, json={**BODY, "variables": {"t": text}}) as response:
            return (await response.json())["data"]["found"]["nodes"]

    async def plain(url: str) -> list[dict[str, str]]:
        async with session.get(f"{url}/search", params={"q": text, "limit": HITS}) as response:
            return (await response.json())["items"]

    scores: defaultdict[str, float] = defaultdict(float)
    for nodes in await asyncio.gather(*map(plain if kind == "json_api" else linear, urls)):
        for rank, node in enumerate(nodes, 1):
            scores[node["url"]] += 1 / (60 + rank)
    return sorted(scores, key=scores.__getitem__, reverse=True)


async def warm(
    engine: Engine, session: aiohttp.ClientSession, urls: list[str], text: str, kind: str = "linear"
) -> None:
    """Imports, connections, names; as a server does before it says that it is ready."""
    await engine.prepare()
    for number in range(5):
        await engine.search(Ask(text.format(f"w{number}"), NOW, budget=10.0))
        await floor(session, urls, text, kind)
    await asyncio.sleep(0.5)


@dataclass
class Cost:
    """Seconds that questions took and CPU seconds that they cost, of everything in this process."""

    took: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    async def of(self, question: Awaitable[T]) -> T:
        """What it answers."""
        started, busy = time.perf_counter(), time.process_time()
        answer = await question
        self.cpu.append(time.process_time() - busy)
        self.took.append(time.perf_counter() - started)
        return answer

    @property
    def milliseconds(self) -> float:
        """CPU of the median question."""
        return statistics.median(self.cpu) * 1000

    def said(self, least: float) -> str:
        """As multiples of the ``least`` that anybody could take."""
        p99 = statistics.quantiles(self.took, n=100, method="inclusive")[98]
        return f"p50 {statistics.median(self.took) / least:.3f} p99 {p99 / least:.2f}  CPU {self.milliseconds:5.2f} ms"


@asynccontextmanager
async def both(
    urls: list[str], kind: str, text: str, *, plain: bool = True, apart: bool = False
) -> AsyncIterator[tuple[Engine, aiohttp.ClientSession]]:
    """The engine and the floor's session, warm."""
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
        engine_over(urls, kind, plain=plain, apart=apart) as engine,
    ):
        await warm(engine, session, urls, text, kind)
        yield engine, session


async def latency(count: int, kind: str, *, plain: bool = True) -> None:
    """Total over the delay of the sources, floor and engine in turn, so that noise hits both."""
    with sources(count, DELAY) as urls:
        for language, text in QUESTIONS.items():
            async with both(urls, kind, text, plain=plain) as (engine, session):
                least, ours = Cost(), Cost()
                for number in range(ROUNDS):
                    await least.of(floor(session, urls, text, kind))
                    answer = await ours.of(engine.search(Ask(text.format(number), NOW, budget=10.0)))
                    assert len(answer.outcomes) == count
                requests = sum(outcome.requests for outcome in answer.outcomes)
                print(
                    f"N = {count:2} {kind if plain else f'{kind} as shipped'} {language}, {requests} requests:"
                    f" total/slowest {ours.said(DELAY)} = {ours.milliseconds / least.milliseconds:.1f} x floor;"
                    f" floor {least.said(DELAY)}",
                    flush=True,
                )


async def after_the_last(kind: str = "json_api", *, apart: bool = False) -> None:
    """What is left to do when the last of eight sources of uneven speed has answered; ``apart``: by a server, which thinks in processes."""
    how = "in processes" if apart else "here"
    with sources(len(UNEVEN), DELAY) as urls:
        each = [f"{url}/after/{seconds:.2f}" for url, seconds in zip(urls, UNEVEN, strict=True)]
        answered = urls[0].removesuffix("/0") + "/answered"
        text = QUESTIONS["en"]
        async with both(each, kind, text, apart=apart) as (engine, session):
            left: dict[str, list[float]] = {"floor": [], kind: []}
            busy = [
                await _busy_after(engine, Ask(text.format(ROUNDS + number), NOW, budget=10.0))
                for number in range(ROUNDS)
            ]
            print(
                f"{kind:8} {statistics.median(busy) * 1000:5.1f} ms of CPU after the last (best {min(busy) * 1000:.1f}), thinking {how}"
            )
            for number in range(ROUNDS):
                for name, question in (
                    ("floor", floor(session, each, text, kind)),
                    (kind, engine.search(Ask(text.format(number), NOW, budget=10.0))),
                ):
                    await question
                    until = time.monotonic()
                    async with session.get(answered) as response:
                        told = await response.json()
                    left[name].append(until - max(max(moments) for moments in told.values()))
            for name, seconds in left.items():
                print(
                    f"{name:8} {statistics.median(seconds) * 1000:5.1f} ms after the last of {len(UNEVEN)} uneven sources"
                    f" (best {min(seconds) * 1000:.1f})",
                    flush=True,
                )


async def _busy_after(engine: Engine, ask: Ask) -> float:
    """CPU seconds from when the last source's hits were read to the answer: what a busy machine changes least."""
    since = 0.0
    async for event in engine.stream(ask, revisions=False):
        if isinstance(event, Arrived):
            since = _processor_time()
    return _processor_time() - since


def _processor_time() -> float:
    """CPU seconds of the threads of this process and of all that are below it, which think for it."""
    below, seconds = [os.getpid()], 0.0
    while below:
        for thread in Path("/proc", str(below.pop()), "task").iterdir():
            seconds += int((thread / "schedstat").read_text("ascii").split()[0]) / 1e9
            below += map(int, (thread / "children").read_text("ascii").split())
    return seconds


async def throughput(kind: str) -> None:
    """Questions a second with instant sources and many in flight; one process, so one core."""
    with sources(8, 0.0) as urls:
        text = QUESTIONS["en"]
        async with both(urls, kind, text) as (engine, session):
            gate = asyncio.Semaphore(IN_FLIGHT)

            async def ours(number: int) -> None:
                async with gate:
                    await engine.search(Ask(text.format(number), NOW, budget=60.0))

            async def theirs(_: int) -> None:
                async with gate:
                    await floor(session, urls, text, kind)

            for name, one in (("floor", theirs), (kind, ours)):
                started, busy = time.perf_counter(), time.process_time()
                await asyncio.gather(*map(one, range(QUESTIONS_AT_ONCE)))
                wall, cpu = time.perf_counter() - started, time.process_time() - busy
                print(
                    f"{name:8} {QUESTIONS_AT_ONCE / wall:6.0f} questions/s with {IN_FLIGHT} in flight, 8 instant sources"
                    f" ({QUESTIONS_AT_ONCE / cpu:.0f} a second of CPU); CPU {cpu / QUESTIONS_AT_ONCE * 1000:.1f} ms a question",
                    flush=True,
                )


async def trouble() -> None:
    """Eight sources of which one hangs, fails, or finds nothing for the question as asked."""
    with sources(8, DELAY) as urls:
        async with aiohttp.ClientSession() as session:
            for manner in ("hang", "500", "strict"):
                async with engine_over([f"{urls[0]}/{manner}", *urls[1:]]) as engine:
                    text = QUESTIONS["en"]
                    await warm(engine, session, urls, text)
                    took, whole = [], 0
                    for number in range(5):
                        started = time.perf_counter()
                        answer = await engine.search(Ask(text.format(number), NOW, budget=BUDGET))
                        took.append(time.perf_counter() - started)
                        whole = sum(len(outcome.hits) > 0 for outcome in answer.outcomes)
                    first = next(each for each in answer.outcomes if each.source == "linear0")
                    print(
                        f"one of 8: {manner:6}  p50 {statistics.median(took):.2f} s of {BUDGET} s, {whole} sources with hits;"
                        f" that one: {first.status}{f', {first.broadened}' if first.broadened else ''}",
                        flush=True,
                    )


async def memory(many: int) -> None:
    """Resident memory over many questions, each different, for one instant source that finds a few things.

    Whatever a question leaves behind shows as well with these as with eight times twenty, in a fraction of the time.
    """
    with sources(1, 0.0, FEW) as urls:
        async with aiohttp.ClientSession() as session, engine_over(urls, "jira", FEW) as engine:
            await warm(engine, session, urls, QUESTIONS["en"])
            for block in range(BLOCKS):
                busy = time.process_time()
                for number in range(block * many // BLOCKS, (block + 1) * many // BLOCKS):
                    await engine.search(Ask(QUESTIONS["en"].format(number), NOW, budget=10.0))
                busy = time.process_time() - busy
                gc.collect()
                print(
                    f"after {(block + 1) * many // BLOCKS:6} questions: {_resident():.1f} MiB, {len(gc.get_objects())} objects,"
                    f" CPU {busy / (many // BLOCKS) * 1000:.1f} ms a question",
                    flush=True,
                )


def _resident() -> float:
    """MiB that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def main(wanted: list[str]) -> None:
    """Latency at 1, 8 and 32 sources, throughput, trouble. ``memory [QUESTIONS]`` takes ten minutes of CPU time and must be asked for."""
    if wanted[:1] == ["memory"]:
        return asyncio.run(memory(int(wanted[1]) if wanted[1:] else MANY))
    for kind in wanted or KINDS:
        for count in COUNTS:
            asyncio.run(latency(count, kind))
        asyncio.run(throughput(kind))
    for count in COUNTS:
        asyncio.run(latency(count, "json_api", plain=False))
    for apart in (False, True):
        asyncio.run(after_the_last(apart=apart))
    return asyncio.run(trouble())


if __name__ == "__main__":
    main(sys.argv[1:])
