"""When the search page is first painted, what of it is transferred, and what an answer costs to render.

The server is a process of its own (``fedsearch serve``); four sources answer instantly in another, 20 hits each. Times
of the browser hold its own work, on a machine that may be busy: the load is printed.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
from bench_http import COUNT, QUESTION, ready, server
from bench_scale import sources
from starlette.datastructures import QueryParams

from orchestrator.surfaces.page.answer_view import AnswerView, Teller
from orchestrator.surfaces.page.asked import asked_of
from orchestrator.surfaces.page.rendering import prepare
from orchestrator.surfaces.page.words import words

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.e2e.chromium import chromium, reading, why_not

VISITS = 20
RENDERED = 200
PAINT = """new Promise((done) => new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (each.name === 'first-contentful-paint') done(each.startTime);
}).observe({ type: 'paint', buffered: true }))"""
BYTES = "performance.getEntries().reduce((sum, it) => sum + (it.transferSize || 0), 0)"


async def painted(browser, url, address):
    """Milliseconds until the paint of a visitor's first visit, in a process of its own, and of the next; bytes of the first."""
    first, again, size = [], [], 0
    for _ in range(VISITS):
        async with reading(browser, url) as (page, _):
            await page.goto(address)
            first.append(await page.evaluate(PAINT))
            size = await page.evaluate(BYTES)
            await page.goto(address)
            again.append(await page.evaluate(PAINT))
    paints = (
        f"first paint p50 {statistics.median(first):5.0f} ms   on the next visit {statistics.median(again):5.0f} ms"
    )
    return f"{paints}   ({VISITS} visitors)   {size / 1000:5.1f} kB"


async def begun(http, url):
    """Milliseconds until the first bytes of an answer's page, before any source has answered."""
    times = []
    for number in range(VISITS):
        started = time.perf_counter()
        async with http.get(f"{url}/?question={QUESTION}+{number}") as reply:
            await reply.content.readany()
            times.append((time.perf_counter() - started) * 1000)
            await reply.read()
    return statistics.median(times)


async def rendering(http, url):
    """CPU milliseconds of an answer as HTML, and its size."""
    async with http.post(url + "/v1/search", json={"question": QUESTION, "limit": 20}) as reply:
        answer = await reply.json()
    prepare()
    teller = Teller(
        AnswerView(asked_of(QueryParams({"question": QUESTION})), words("en"), "en", datetime.now(UTC)), "t", "/", "r"
    )
    html = teller.html("answer", answer)
    started = time.process_time()
    for _ in range(RENDERED):
        teller.html("answer", answer)
    took = (time.process_time() - started) / RENDERED * 1000
    return f"rendering {len(answer['results'])} results   {took:.2f} ms CPU   {len(html.encode()) / 1000:.1f} kB"


async def main():
    """All of it."""
    with tempfile.TemporaryDirectory() as folder, sources(COUNT, 0.0) as urls, server(urls, folder) as (url, _):
        async with aiohttp.ClientSession() as http:
            await ready(http, url)
            print(await rendering(http, url))
            print(f"an answer's page begins after p50 {await begun(http, url):.1f} ms")
        if reason := why_not():
            print(f"no paint is measured: {reason}")
            return
        async with chromium() as browser:
            for name, address in (
                ("floor", "/healthz"),
                ("start", "/"),
                ("answer", f"/?question={QUESTION}"),
                ("sources", "/sources"),
            ):
                print(f"{name:8s} {await painted(browser, url, address)}")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    asyncio.run(main())
