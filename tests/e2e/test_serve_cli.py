"""``fedsearch serve`` as a process: it says where it listens once it does, and nothing of the kind where it cannot."""

import asyncio
import os
import re
import signal
import socket
import sys

import aiohttp

COMMAND = [sys.executable, "-c", "from orchestrator.main import run; run()", "serve", "--no-auth"]


async def begin(folder, port):
    environment = {"PATH": os.environ["PATH"], "FEDSEARCH_DATA_DIR": str(folder), "FEDSEARCH_CONFIG": ""}
    return await asyncio.create_subprocess_exec(
        *COMMAND, "--port", str(port), env=environment, stderr=asyncio.subprocess.PIPE
    )


async def test_whoever_reads_that_it_listens_can_connect_at_once(tmp_path):
    process = await begin(tmp_path, 0)
    try:
        async with asyncio.timeout(60):
            line = (await process.stderr.readline()).decode()
        address = re.search(r"listening on (http://127\.0\.0\.1:[1-9]\d*) ", line)[1]
        async with aiohttp.ClientSession() as http, http.get(address + "/healthz") as reply:
            assert reply.status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(60):
            await process.communicate()
    assert process.returncode in {0, -signal.SIGTERM}  # uvicorn drains, then lets the signal have its way


async def test_a_port_that_is_taken_is_told_and_nothing_else(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = await begin(tmp_path, taken.getsockname()[1])
        async with asyncio.timeout(60):
            _, told = await process.communicate()
    assert process.returncode == 2
    assert b"cannot be listened on" in told
    assert b"listening on" not in told
