"""``fedsearch serve --workers``: several processes that are one server, whichever of them answers, ends or is told to stop."""

import asyncio
import os
import re
import signal
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from tests.clock import HANGING
from tests.e2e.program import COLD

RATE = 20
ASKED, MORE = 8, 20
PLAIN = {
    "FEDSEARCH_CONFIG": "",
    "FEDSEARCH_RANKING__SEMANTIC": "off",
    "FEDSEARCH_THINKING__PROCESSES": "1",
    "FEDSEARCH_SERVER__RATE": str(RATE),
    "FEDSEARCH_SERVER__PERIOD": "3600",
}


async def begin(folder, workers="2", **settings):
    environment = {"PATH": os.environ["PATH"], "FEDSEARCH_DATA_DIR": str(folder), **PLAIN, **settings}
    command = (*COLD, "serve", "--no-auth", "--port", "0", "--workers", workers)
    return await asyncio.create_subprocess_exec(*command, env=environment, stderr=asyncio.subprocess.PIPE)


@asynccontextmanager
async def serving(folder):
    """The process that splits the others off, and its address, ready."""
    process = await begin(folder)
    try:
        async with asyncio.timeout(HANGING):
            address = re.search(r"listening on (\S+) ", (await process.stderr.readline()).decode())[1]
        await until_ready(address)
        yield process, address
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def asked(address, path):
    """Over a connection of its own, which any of the processes may take."""
    async with aiohttp.ClientSession() as http, http.get(address + path) as reply:
        return reply.status, await reply.text()


async def until_ready(address):
    async with asyncio.timeout(HANGING):
        while (await asked(address, "/readyz"))[0] != 200:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.1)


def split_off_from(process):
    """Process ids, with the command that each shows: servers and their store show that of the first."""
    found = {}
    for each in running():
        with suppress(OSError):
            parent = int(Path(f"/proc/{each}/stat").read_text("utf-8").rpartition(")")[2].split()[1])
            if parent == process:
                found[each] = Path(f"/proc/{each}/cmdline").read_bytes()
    return found


def running():
    """The ids of all processes."""
    return {int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()}


async def until_gone(processes):
    async with asyncio.timeout(HANGING):
        while not set(processes).isdisjoint(running()):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.05)


async def test_the_processes_are_one_server(tmp_path):
    async with serving(tmp_path) as (process, address):
        assert [(await asked(address, "/v1/sources"))[0] for _ in range(ASKED)] == [200] * ASKED
        status, figures = await asked(address, "/metrics")
        counted = re.search(r'requests_total\{method="GET",route="/v1/sources",status="200"\} (\S+)', figures)
        assert (status, float(counted[1])) == (200, ASKED)
        more = [(await asked(address, "/v1/sources"))[0] for _ in range(MORE)]
        assert (more.count(200), more.count(429)) == (RATE - ASKED - 1, MORE - (RATE - ASKED - 1))

        ours = [each for each, shown in split_off_from(process.pid).items() if b"serve" in shown]
        assert len(ours) == 3
        for each in ours:
            os.kill(each, signal.SIGKILL)
            await until_gone([each])
            await until_ready(address)
            assert (await asked(address, "/healthz"))[0] == 200
        everybody = split_off_from(process.pid)
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(HANGING):
            _, told = await process.communicate()
        assert process.returncode == 0
        assert told.count(b"is replaced") == len(ours)
        await until_gone(everybody)


async def test_nobody_is_left_behind(tmp_path):
    async with serving(tmp_path) as (process, _):
        everybody = split_off_from(process.pid)
        process.kill()
        await until_gone(everybody)


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_server_whose_settings_cannot_be_used_ends_with_the_code_that_is_not_restarted(tmp_path, workers):
    absent = str(tmp_path / "absent.toml")
    process = await begin(tmp_path, workers, FEDSEARCH_SEARCH__THESAURUS=absent)
    async with asyncio.timeout(HANGING):
        _, told = await process.communicate()
    assert process.returncode == 2
    assert f"{absent} cannot be read".encode() in told


ENDS_AT_ONCE = """
import os, time
from contextlib import contextmanager
from orchestrator.surfaces.http.prefork import ServerProcesses
from orchestrator.surfaces.http.prefork import Readiness

@contextmanager
def ends():
    yield lambda: os._exit(9)

@contextmanager
def stays():
    yield lambda: time.sleep(3600)

print(ServerProcesses([ends], Readiness.of(1), stays).run([]))
"""


async def test_a_process_that_ends_before_it_is_ready_for_another_reason_is_no_fault_of_the_settings():
    """``serve`` then ends with the code that is restarted."""
    told = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", ENDS_AT_ONCE, stdout=told, stderr=told)
    async with asyncio.timeout(HANGING):
        out, err = await process.communicate()
    assert process.returncode == 0, err
    assert out.splitlines()[-1] == b"False"
    assert b"ended before it was ready" in out + err
