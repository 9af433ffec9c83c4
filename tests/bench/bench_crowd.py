"""Twelve clients at once for a minute, at the rates as shipped: what each source was asked, what is said of the rest, and how long it took.

``bench_crowd.py [CLIENTS] [SECONDS]``. Each client asks the golden questions of the invented medical company one after the other, from
another one on, through ``fedsearch serve`` in a process of its own. ``unsaid``: answers without a source whose text names it nowhere.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp

from orchestrator.sandbox import Sandbox, load_corpus

COMPANY = Path(__file__).parents[1] / "data" / "companies" / "medtech"
BUDGET = 3.0
HEARD = {"ok", "empty", "partial", "skipped"}
STARTS = 120.0  # seconds that a server may take


@contextmanager
def server(ends, folder):
    """``fedsearch serve`` over these sources as they ship, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    environment = {
        **os.environ,
        "FEDSEARCH_DATA_DIR": folder,
        "FEDSEARCH_CONFIG": "",
        "FEDSEARCH_SERVER__RATE": "100000",
    }
    for name, end in ends.items():
        prefix = f"FEDSEARCH_SOURCES__{name.upper()}__"
        environment |= {f"{prefix}BASE_URL": end.base_url, f"{prefix}TOKEN": end.token}
    code = "from orchestrator.main import run; run()"
    command = [sys.executable, "-c", code, "serve", "--no-auth", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


async def ready(http, url):
    """Until the server says so."""
    async with asyncio.timeout(STARTS):
        while True:
            try:
                async with http.get(f"{url}/readyz") as reply:
                    if reply.status == 200:
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.2)


async def client(http, url, now, questions, until):
    """Answers to one question after the other, and how long each took from outside."""
    found = []
    for question in questions:
        if time.monotonic() >= until:
            break
        began = time.monotonic()
        body = {"question": question, "now": now, "budget": BUDGET}
        async with http.post(f"{url}/v1/search", json=body) as reply:
            found.append((await reply.json(), time.monotonic() - began))
    return found


async def crowd(clients: int, seconds: float) -> list[tuple[dict, float]]:
    """All that came back."""
    about = json.loads((COMPANY / "about.json").read_text("utf-8"))
    lines = (COMPANY / "golden.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines if line]
    now = datetime.fromisoformat(about["now"])
    with TemporaryDirectory() as folder:
        async with (
            Sandbox(load_corpus(COMPANY / "corpus"), now=now, owner=about["owner"]) as sandbox,
            aiohttp.ClientSession() as http,
        ):
            with server(sandbox.endpoints, folder) as url:
                await ready(http, url)
                until = time.monotonic() + seconds
                step = len(asked) // clients
                begun = (asked[number * step :] + asked[: number * step] for number in range(clients))
                tasks = [client(http, url, about["now"], questions * 10, until) for questions in begun]
                return [each for found in await asyncio.gather(*tasks) for each in found]


def told(found: list[tuple[dict, float]]) -> None:
    """In figures."""
    failed = [answer for answer, _ in found if "sources" not in answer]
    answers = [answer for answer, _ in found if answer not in failed]
    without = Counter()
    unsaid = short = 0
    for answer in answers:
        missing = [each for each in answer["sources"] if each["status"] not in HEARD]
        without.update(each["title"] for each in missing if each["status"] != "not connected")
        short += bool(missing)
        unsaid += any(each["title"] not in answer["summary"] for each in missing)
    over = [answer["took"] for answer in answers if answer["took"] > BUDGET]
    waits = sorted(wall for _, wall in found)
    notes = sum("its turn" in note for answer in answers for each in answer["sources"] for note in each["notes"])
    print(
        f"{len(answers)} answers, {len(failed)} refused; without a source {short} {dict(without)}, of them unsaid {unsaid}; waited for a turn {notes};"
        f" over {BUDGET:g} s {len(over)} (longest {max(over, default=0.0):.2f} s); from outside {waits[len(waits) // 2]:.2f} s in the middle, longest {waits[-1]:.2f} s"
    )
    for answer in failed[:3]:
        print(answer)


if __name__ == "__main__":
    told(asyncio.run(crowd(int((sys.argv[1:2] or ["12"])[0]), float((sys.argv[2:3] or ["60"])[0]))))
