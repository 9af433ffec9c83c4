"""What the whole path costs over its slowest source, beside a hand-written asyncio.gather + aiohttp + RRF floor.

The sources are the sandbox's real sockets in another process, each answering after 200 ms. The floor sends one plain
request to each (no understanding, translation, paging, details, rights, deduplication or explanations) and fuses.
"""

from __future__ import annotations

import asyncio
import json
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

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
QUESTIONS = {"en": "API migration schedule decision", "ko": "API 마이그레이션 일정 결정"}
DELAY = 0.2
ROUNDS = 15


@contextmanager
def workplace(delay: float) -> Iterator[dict[str, dict[str, str]]]:
    """The sandbox in its own process, so that its work is not counted as ours."""
    script = Path(__file__).with_name("slow_workplace.py")
    command = [sys.executable, str(script), str(delay)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.stdin.close()


# ---- the floor


async def floor(session: aiohttp.ClientSession, ends: dict[str, dict[str, str]], text: str) -> list[str]:
    """Four requests at once, reciprocal ranks summed."""
    bearer = {name: {"Authorization": f"Bearer {end['token']}"} for name, end in ends.items()}
    query = {
        "query": "query($t:String!){searchIssues(term:$t,first:20){nodes{id title url}}}",
        "variables": {"t": text},
    }
    requests = [
        session.get(f"{ends['slack']['base_url']}search.messages", params={"query": text}, headers=bearer["slack"]),
        session.post(
            f"{ends['notion']['base_url']}/v1/search",
            json={"query": text, "page_size": 20},
            headers={**bearer["notion"], "Notion-Version": "2025-09-03"},
        ),
        session.post(ends["linear"]["base_url"], json=query, headers={"Authorization": ends["linear"]["token"]}),
        session.get(
            f"{ends['gmail']['base_url']}/gmail/v1/users/me/messages", params={"q": text}, headers=bearer["gmail"]
        ),
    ]

    async def one(request: object) -> dict[str, object]:
        async with request as response:  # type: ignore[attr-defined]
            return await response.json()

    replies = await asyncio.gather(*map(one, requests))
    scores: defaultdict[str, float] = defaultdict(float)
    for reply in replies:
        for rank, item in enumerate(items(reply), 1):
            scores[str(item.get("permalink") or item.get("url") or item.get("id"))] += 1 / (60 + rank)
    return sorted(scores, key=scores.__getitem__, reverse=True)


def items(reply: dict) -> list[dict]:
    """The list in any of the four replies."""
    if "data" in reply:
        return reply["data"]["searchIssues"]["nodes"]
    found = reply.get("results") or reply.get("messages") or []
    return found["matches"] if isinstance(found, dict) else found


# ---- measuring


def line(name: str, took: list[float], base: float | None = None) -> None:
    """Median and worst in milliseconds, CPU excluded."""
    median = statistics.median(took)
    ratio = f"   {median / base:5.3f} x" if base else ""
    print(f"{name:44} p50 {median * 1000:7.1f} ms   max {max(took) * 1000:7.1f} ms{ratio}", flush=True)


async def measure(ends: dict[str, dict[str, str]], delay: float) -> None:
    """Floor and engine in turn, so that noise hits both."""
    settings = load_settings(
        {"sources": {name: {"kind": name, "rate": 100_000, **end} for name, end in ends.items()}}, {}
    )
    async with aiohttp.ClientSession() as session, build_engine(settings) as engine:
        for language, text in QUESTIONS.items():
            ask = Ask(text, NOW, budget=10.0)
            await engine.search(ask)
            await floor(session, ends, text)
            took = {"floor": [], "engine": [], "over": [], "cpu": []}
            for _ in range(ROUNDS):
                started = time.perf_counter()
                await floor(session, ends, text)
                took["floor"].append(time.perf_counter() - started)
                engine._reaching.sources["notion"].connector._reads.clear()
                started, cpu = time.perf_counter(), time.process_time()
                answer = await engine.search(ask)
                took["engine"].append(time.perf_counter() - started)
                took["cpu"].append(time.process_time() - cpu)
                took["over"].append(took["engine"][-1] - max(outcome.took for outcome in answer.outcomes))
            base = statistics.median(took["floor"])
            shown = f"{len(answer.results)} results from {sum(len(o.hits) for o in answer.outcomes)} hits"
            print(f"-- {language}, sources answer in {delay * 1000:.0f} ms, {shown}")
            for outcome in answer.outcomes:
                print(
                    f"   {outcome.source:8} {outcome.status:8} {outcome.requests} requests, {outcome.took * 1000:6.1f} ms"
                )
            line("floor: gather + aiohttp + RRF", took["floor"], delay or None)
            line("engine: whole path", took["engine"], base)
            line("engine over its slowest source", took["over"])
            line("engine CPU, all threads", took["cpu"])


def main() -> None:
    """With slow sources (what a person waits) and with instant ones (what we cost)."""
    for delay in (DELAY, 0.0):
        with workplace(delay) as ends:
            asyncio.run(measure(ends, delay))


if __name__ == "__main__":
    main()
