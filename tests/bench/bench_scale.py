"""Eight and thirty-two sources with 20 hits each: what the whole path costs in time and CPU, beside a hand-written floor.

The sources are one process on loopback that answers with Linear's or Jira's replies ready made. Linear has no OR for
words, so that a thing with other names takes it three queries a question; Jira takes all names in one. The floor sends
one request to each Linear with gather and aiohttp, parses the JSON and fuses by reciprocal ranks; it understands,
translates, checks, ranks and explains nothing. Every question and what it finds are different, so that nothing is
remembered.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp

from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask
from orchestrator.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.engine import Engine

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
QUESTIONS = {"en": "API migration schedule decision {}", "ko": "API 마이그레이션 일정 결정 {}"}
ROUNDS = 25
DELAY = 0.2
BUDGET = 2.0
HITS = 20
ENOUGH = 10  # hits with which nothing broader is asked
MANY, FEW = 100_000, 4  # questions, and hits of each, where memory is watched
BLOCKS = 10
IN_FLIGHT, QUESTIONS_AT_ONCE = 64, 256
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


def engine_over(urls: list[str], kind: str = "linear", enough: int = ENOUGH) -> Engine:
    """All sources, with nothing remembered, no model of meaning and no broader question needed."""
    ends = {
        f"{kind}{number}": {"kind": kind, "base_url": url, "token": "lin_api_bench", "rate": 1_000_000}
        for number, url in enumerate(urls)
    }
    plain = {"cache": {"results": 0}, "ranking": {"semantic": "off"}, "search": {"enough": enough}}
    return build_engine(load_settings({"sources": ends, **plain}, {}))


async def floor(session: aiohttp.ClientSession, urls: list[str], text: str) -> list[str]:
    """One request to each, reciprocal ranks summed."""

    async def one(url: str) -> list[dict[str, str]]:
        async with session.post(url, json={**BODY, "variables": {"t": text}}) as response:
            return (await response.json())["data"]["found"]["nodes"]

    scores: defaultdict[str, float] = defaultdict(float)
    for nodes in await asyncio.gather(*map(one, urls)):
        for rank, node in enumerate(nodes, 1):
            scores[node["url"]] += 1 / (60 + rank)
    return sorted(scores, key=scores.__getitem__, reverse=True)


async def warm(engine: Engine, session: aiohttp.ClientSession, urls: list[str], text: str) -> None:
    """Imports, connections, names; as a server does before it says that it is ready."""
    await engine.prepare()
    for number in range(5):
        await engine.search(Ask(text.format(f"w{number}"), NOW, budget=10.0))
        await floor(session, urls, text)
    await asyncio.sleep(0.5)


async def latency(count: int, kind: str) -> None:
    """Total over slowest source, floor and engine in turn, so that noise hits both."""
    with sources(count, DELAY) as urls:
        async with (
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
            engine_over(urls, kind) as engine,
        ):
            for language, text in QUESTIONS.items():
                await warm(engine, session, urls, text)
                base, ratio, cpu, least = [], [], [], []
                for number in range(ROUNDS):
                    started, busy = time.perf_counter(), time.process_time()
                    await floor(session, urls, text)
                    least.append(time.process_time() - busy)
                    base.append((time.perf_counter() - started) / DELAY)
                    started, busy = time.perf_counter(), time.process_time()
                    answer = await engine.search(Ask(text.format(number), NOW, budget=10.0))
                    cpu.append(time.process_time() - busy)
                    ratio.append((time.perf_counter() - started) / max(each.took for each in answer.outcomes))
                    assert len(answer.outcomes) == count
                hits = sum(len(outcome.hits) for outcome in answer.outcomes)
                requests = sum(outcome.requests for outcome in answer.outcomes)
                print(
                    f"N = {count:2} {kind} {language}  {requests} requests  {hits} hits  total/slowest p50 {statistics.median(ratio):.3f}"
                    f" max {max(ratio):.3f}   floor p50 {statistics.median(base):.3f} of {DELAY} s"
                    f"   CPU p50 {statistics.median(cpu) * 1000:.1f} ms"
                    f" = {statistics.median(cpu) / statistics.median(least):.1f} x floor's {statistics.median(least) * 1000:.1f}",
                    flush=True,
                )


async def throughput(kind: str) -> None:
    """Questions a second with instant sources and many in flight; one process, so one core."""
    with sources(8, 0.0) as urls:
        async with (
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
            engine_over(urls, kind) as engine,
        ):
            text = QUESTIONS["en"]
            await warm(engine, session, urls, text)
            gate = asyncio.Semaphore(IN_FLIGHT)

            async def ours(number: int) -> None:
                async with gate:
                    await engine.search(Ask(text.format(number), NOW, budget=60.0))

            async def theirs(_: int) -> None:
                async with gate:
                    await floor(session, urls, text)

            for name, one in (("floor", theirs), (kind, ours)):
                started, busy = time.perf_counter(), time.process_time()
                await asyncio.gather(*map(one, range(QUESTIONS_AT_ONCE)))
                wall, cpu = time.perf_counter() - started, time.process_time() - busy
                print(
                    f"{name:6} {QUESTIONS_AT_ONCE / wall:6.0f} questions/s with {IN_FLIGHT} in flight, 8 instant sources;"
                    f" CPU {cpu / QUESTIONS_AT_ONCE * 1000:.1f} ms a question",
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
    """Latency at 8 and 32 sources, throughput, trouble. ``memory [QUESTIONS]`` takes ten minutes of CPU time and must be asked for."""
    if wanted[:1] == ["memory"]:
        return asyncio.run(memory(int(wanted[1]) if wanted[1:] else MANY))
    for kind in ("linear", "jira"):
        for count in (8, 32):
            asyncio.run(latency(count, kind))
        asyncio.run(throughput(kind))
    return asyncio.run(trouble())


if __name__ == "__main__":
    main(sys.argv[1:])
