"""What the HTTP API costs over the engine, how many questions it answers a second, and how many streams it holds open.

The server is a process of its own (``fedsearch serve``); four sources answer instantly in another, 20 hits each.
``first``: how long after a source's own answer its outcome has come out of the stream.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

import aiohttp
from bench_scale import DELAY, QUESTIONS, floor, sources

QUESTION = "payment gateway timeout"
COUNT = 4
RUNS = 200
ASKED = 300
AT_ONCE = 32
STREAMS = 5000
READ_ALONG = 100  # questions in each language


@contextmanager
def server(urls, folder):
    """``fedsearch serve`` over these sources, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    environment = {**os.environ, "FEDSEARCH_DATA_DIR": folder, "FEDSEARCH_CACHE__RESULTS": "0", "FEDSEARCH_CONFIG": ""}
    for number, url in enumerate(urls):
        name = f"FEDSEARCH_SOURCES__LINEAR{number}__"
        environment |= {name + "KIND": "linear", name + "BASE_URL": url, name + "TOKEN": "t", name + "RATE": "1000000"}
    command = [
        sys.executable,
        "-c",
        "from orchestrator.main import run; run()",
        "serve",
        "--no-auth",
        "--port",
        str(port),
    ]
    environment["FEDSEARCH_SERVER__RATE"] = "1000000"
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait(20)


async def ready(http, url):
    """Until the server says so."""
    for _ in range(600):
        try:
            async with http.get(url + "/readyz") as reply:
                if reply.status == 200:
                    return
        except aiohttp.ClientConnectionError:
            pass
        await asyncio.sleep(0.1)
    raise TimeoutError("the server does not start")


async def ask(http, url):
    """Seconds of one question, and what of them was the engine's own."""
    started = time.perf_counter()
    async with http.post(url + "/v1/search", json={"question": QUESTION}) as reply:
        answer = json.loads(await reply.read())
    return time.perf_counter() - started, answer["took"]


async def overhead(http, url):
    """One question after the other."""
    for _ in range(20):
        await ask(http, url)
    over = sorted((whole - engine) * 1000 for whole, engine in [await ask(http, url) for _ in range(RUNS)])
    print(
        f"over the engine   p50 {statistics.median(over):.2f} ms   p99 {over[int(RUNS * 0.99)]:.2f} ms   ({RUNS} questions, {COUNT} sources)"
    )


async def throughput(http, url, urls):
    """Many at once, beside bare requests to the same sources."""
    for name, one in (("floor", lambda: floor(http, urls, QUESTION)), ("api", lambda: ask(http, url))):
        gate = asyncio.Semaphore(AT_ONCE)

        async def bounded(one=one, gate=gate):
            async with gate:
                await one()

        started = time.perf_counter()
        await asyncio.gather(*(bounded() for _ in range(ASKED)))
        print(f"{name:8s} {ASKED / (time.perf_counter() - started):7.0f} questions/s with {AT_ONCE} in flight")


async def streams(url, count):
    """So many readers at once of questions whose source hangs until the budget ends."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=300)) as http:
        body = {"question": QUESTION, "budget": 60}
        answered = 0

        async def read():
            nonlocal answered
            async with http.post(url + "/v1/search/stream", json=body) as reply:
                text = await reply.read()
                answered += reply.status == 200 and b"event: done" in text

        started = time.perf_counter()
        await asyncio.gather(*(read() for _ in range(count)))
        print(f"{count} open streams: {answered} ended whole, {time.perf_counter() - started:.1f} s")


async def outcomes(http, url, question):
    """When each outcome of a question had come out of the stream, whole, and which source's it is."""
    came, rest = [], b""
    async with http.post(url + "/v1/search/stream", json={"question": question}) as reply:
        async for chunk in reply.content.iter_any():
            now = time.monotonic()
            *frames, rest = (rest + chunk).split(b"\n\n")
            told = (frame.partition(b"\ndata: ") for frame in frames)
            came += [(now, json.loads(data)) for name, _, data in told if name.endswith(b"event: outcome")]
    return came


async def answered(http, base):
    """When each source has answered searches since this was asked last, by its number."""
    async with http.get(base + "/answered") as reply:
        return await reply.json()


async def first(http, url, base, case):
    """From the last answer that a source gave before its outcome came, to that outcome; the first of each question."""
    for language, text in QUESTIONS.items():
        for number in range(10):
            await outcomes(http, url, text.format(f"w{number}"))
        taken, most = [], 0
        for number in range(READ_ALONG):
            await answered(http, base)
            came = await outcomes(http, url, text.format(number))
            given = await answered(http, base)
            assert [outcome["status"] for _, outcome in came] == ["ok"] * COUNT
            moment, outcome = came[0]
            own = given[outcome["source"].removeprefix("linear")]
            taken.append((moment - max(each for each in own if each <= moment)) * 1000)
            most = max(most, len(own))
        taken.sort()
        print(
            f"first outcome {language}  p50 {statistics.median(taken):.1f} ms   p99 {taken[(99 * READ_ALONG - 1) // 100]:.1f} ms"
            f"   max {taken[-1]:.1f} ms after its source's answer   ({READ_ALONG} questions, {COUNT} sources, {case},"
            f" at most {most} searches each)",
            flush=True,
        )


async def main(wanted):
    """What was asked for, or overhead and throughput."""
    with tempfile.TemporaryDirectory() as folder:
        if "streams" in wanted:
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * STREAMS + 1000), hard))
            print(f"open files allowed: {resource.getrlimit(resource.RLIMIT_NOFILE)[0]} (was {soft})")
            with sources(1, 30.0) as urls, server(urls, folder) as (url, _):
                async with aiohttp.ClientSession() as http:
                    await ready(http, url)
                await streams(url, STREAMS)
            return
        if "first" in wanted:
            for case, manner in (("one before the others", "/late"), ("all at once", "")):
                with sources(COUNT, DELAY) as urls:
                    ends = [urls[0], *(each + manner for each in urls[1:])]
                    with server(ends, folder) as (url, _):
                        async with aiohttp.ClientSession() as http:
                            await ready(http, url)
                            await first(http, url, urls[0].rpartition("/")[0], case)
            return
        with sources(COUNT, 0.0) as urls, server(urls, folder) as (url, _):
            async with aiohttp.ClientSession() as http:
                await ready(http, url)
                await overhead(http, url)
                await throughput(http, url, urls)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
