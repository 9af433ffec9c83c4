"""A server that is told to end says so first; behind a real HAProxy a restart one by one drops nothing."""

import asyncio
import os
import signal
from collections import Counter
from contextlib import asynccontextmanager, suppress

import aiohttp
import pytest

from tests.clock import HANGING
from tests.e2e.a_haproxy import PROGRAM, a_haproxy
from tests.e2e.program import COLD, WARM
from tests.ports import free_port

LIGHT = {
    "FEDSEARCH_SERVER__LEAVING": "60",
    "FEDSEARCH_THINKING__PROCESSES": "0",
    "FEDSEARCH_SCHEDULED__WORKER": "false",
    "FEDSEARCH_SERVER__RATE": "1000000",
}
QUESTION = {"question": "release plan from Kim since monday"}


async def begin(folder, port, program=WARM):
    environment = {
        "PATH": os.environ["PATH"],
        "FEDSEARCH_DATA_DIR": str(folder),
        "FEDSEARCH_CONFIG": "",
        **LIGHT,
    }
    return await asyncio.create_subprocess_exec(
        *program, "serve", "--no-auth", "--port", str(port), env=environment, stderr=asyncio.subprocess.DEVNULL
    )


@asynccontextmanager
async def caller():
    """Who makes a connection for each request, and waits as long as it takes."""
    async with (
        asyncio.timeout(HANGING),
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True)) as http,
    ):
        yield http


async def status(http, port, path, body=None):
    """0 where nobody is there."""
    try:
        async with http.request("POST" if body else "GET", f"http://127.0.0.1:{port}{path}", json=body) as reply:
            await reply.read()
            return reply.status
    except aiohttp.ClientConnectionError:
        return 0


async def until(http, port, wanted, path="/readyz"):
    while await status(http, port, path) != wanted:  # noqa: ASYNC110 — nobody tells
        await asyncio.sleep(0.05)


async def test_told_to_end_it_says_so_and_answers_until_it_is_told_again(tmp_path):
    port = free_port()
    process = await begin(tmp_path, port, COLD)
    async with caller() as http:
        await until(http, port, 200)
        process.send_signal(signal.SIGTERM)
        await until(http, port, 503)
        assert await status(http, port, "/v1/understand", QUESTION) == 200
        process.send_signal(signal.SIGTERM)
        await process.wait()
        assert await status(http, port, "/readyz") == 0


@pytest.mark.skipif(PROGRAM is None, reason="HAProxy is not installed (apt-get install haproxy)")
async def test_two_servers_are_restarted_one_by_one_and_no_question_is_dropped(tmp_path):
    ports, door = [free_port(), free_port()], free_port()
    servers = {port: await begin(tmp_path, port) for port in ports}
    told, ended = Counter(), asyncio.Event()

    async def ask(http):
        while not ended.is_set():
            told[await status(http, door, "/v1/understand", QUESTION)] += 1

    try:
        async with caller() as http:
            for port in ports:
                await until(http, port, 200)  # HAProxy takes whom it has not heard yet for one that answers
            with a_haproxy(tmp_path, door, ports):
                await until(http, door, 200, "/all")
                asking = [asyncio.create_task(ask(http)) for _ in range(4)]
                for port in ports:
                    servers[port].send_signal(signal.SIGTERM)
                    await until(http, door, 503, "/all")
                    servers[port].send_signal(signal.SIGTERM)
                    await servers[port].wait()
                    servers[port] = await begin(tmp_path, port)
                    await until(http, door, 200, "/all")
                ended.set()
                await asyncio.gather(*asking)
        assert set(told) == {200}
    finally:
        for process in servers.values():
            with suppress(ProcessLookupError):  # it has ended, and the others have not
                process.kill()
            await process.wait()
