"""``fedsearch serve`` as a process: it says where it listens once it does, and nothing of the kind where it cannot."""

import asyncio
import os
import re
import signal
import socket

import aiohttp
import pytest

from tests.clock import HANGING
from tests.e2e.program import COLD


async def begin(folder, port, *options, **settings):
    environment = {"PATH": os.environ["PATH"], "FEDSEARCH_DATA_DIR": str(folder), "FEDSEARCH_CONFIG": "", **settings}
    return await asyncio.create_subprocess_exec(
        *COLD,
        "serve",
        *(options or ["--no-auth"]),
        "--port",
        str(port),
        env=environment,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.mark.parametrize(("level", "worker", "where"), [("INFO", "true", "here"), ("WARNING", "false", "elsewhere")])
async def test_whoever_reads_that_it_listens_can_connect_at_once_and_is_told_the_rest(tmp_path, level, worker, where):
    """Whether it runs the schedules of digests; and each request, where the level says so."""
    process = await begin(tmp_path, 0, FEDSEARCH_LOG__LEVEL=level, FEDSEARCH_SCHEDULED__WORKER=worker)
    try:
        async with asyncio.timeout(HANGING):
            line = (await process.stderr.readline()).decode()
        address = re.search(r"listening on (http://127\.0\.0\.1:[1-9]\d*) ", line)[1]
        async with aiohttp.ClientSession() as http:
            async with http.get(address + "/healthz") as reply:
                assert reply.status == 200
                assert await reply.json() == {"status": "ok", "schedules": where}
            async with asyncio.timeout(HANGING):
                line = (await process.stderr.readline()).decode()
            assert ("run here" in line, "digest schedule" in line) == (where == "here", where == "elsewhere")
            async with http.get(address + "/v1/sources", headers={"X-Request-Id": "asked-by-a-test"}) as reply:
                assert reply.status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(HANGING):
            _, told = await process.communicate()
    assert process.returncode in {0, -signal.SIGTERM}  # uvicorn drains, then lets the signal have its way
    assert (b"asked-by-a-test" in told) == (level == "INFO")
    assert not (tmp_path / "postgresql").exists(), "a database that nobody needs is not started"


async def test_a_port_that_is_taken_is_told_and_nothing_else(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = await begin(tmp_path, taken.getsockname()[1])
        async with asyncio.timeout(HANGING):
            _, told = await process.communicate()
    assert process.returncode == 4
    assert b"cannot be listened on" in told
    assert b"with --port" in told, "and what to do"
    assert b"listening on" not in told


async def test_who_starts_a_server_that_nobody_can_sign_in_to_is_told_a_code_that_opens_it(tmp_path):
    """In two processes, whichever of them is asked."""
    process = await begin(tmp_path, 0, "--workers", "2")
    try:
        async with asyncio.timeout(HANGING):
            told = "".join([(await process.stderr.readline()).decode() for _ in range(3)])
        address, code = re.search(r"open (\S+)/setup in", told)[1], re.search(r"once: ([A-Z0-9-]{19})\n", told)[1]
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar, headers={"Sec-Fetch-Site": "same-origin"}) as http:
            async with asyncio.timeout(HANGING), http.get(address + "/setup") as reply:
                token = re.search(r'name="token" value="([^"]+)"', await reply.text())[1]
            async with http.post(address + "/setup/code", data={"token": token, "code": code}) as reply:
                key = re.search(r"fsk_[\w-]+", await reply.text())[0]
        bearer = {"Authorization": f"Bearer {key}"}
        async with aiohttp.ClientSession(headers=bearer) as http, http.get(address + "/v1/sources") as reply:
            assert reply.status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(HANGING):
            await process.communicate()
