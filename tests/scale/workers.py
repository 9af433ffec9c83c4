"""Sources that are pulled and texts that are embedded by several workers: how much sooner, who does how much, and what one costs that is killed.

What a vendor's page and a model take is waited for and not computed, as if it were another machine's; the queue and the index are real.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import asyncpg

from connectors.local.jobs.queue import SYNC, IndexQueue, queue_of
from connectors.local.store import BATCH, IndexStore
from storage.database import Database
from tests.chaos.processes import family, kill
from tests.scale.a_worker import EACH, PAGES, Elsewhere, noted
from tests.scale.postgres import Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
SOURCES = 8
PAGE = 0.4  # seconds until a page of a source is there
MODEL = 2.0  # seconds for 64 texts, as one core takes for the default model
DOCUMENTS = SOURCES * PAGES * EACH
HALF = 0.5
COUNTED = "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks), (SELECT count(*) FROM embeddings), (SELECT sum(chunks)::bigint FROM reader_sets)"  # fmt: skip
HEADINGS = ("workers", "documents in", "of one worker's", "vectors in", "of one worker's", "most of the work by one", "longest that a source waited",
            "twice or lost")  # fmt: skip


def row(found: dict[str, Any], one: dict[str, Any]) -> list[str]:
    """A line of the table."""
    return [
        str(found["workers"]), f"{found['pulled']:.1f} s", f"{one['pulled'] / found['pulled']:.2f}", f"{found['embedded']:.1f} s",
        f"{one['embedded'] / found['embedded']:.2f}", f"{found['most']:.0%}", f"{found['waited']:.1f} s", str(found["wrong"]),
    ]  # fmt: skip


async def measured(folder: Path, counts: Sequence[int]) -> dict[str, Any]:
    told = []
    for count in counts:
        with Server(folder / f"of-{count}") as server:
            told.append({"workers": count, **await _worked(server.url, folder / f"log-{count}", count)})
    with Server(folder / "killed") as server:
        killed = await _killed(server.url, folder / "log-killed")
    return {"workers": told, "killed": killed}


async def _worked(url: str, log: Path, count: int) -> dict[str, Any]:
    """First all sources, then all vectors."""
    async with _index(url) as (index, queue):
        await _queued(queue)
        with Workers() as workers:
            pulled = await workers.until(queue, [SYNC], url, log, count, PAGE, 0.0)
        with Workers() as workers:
            await queue.embed(Elsewhere.name)
            embedded = await workers.until(queue, [queue_of(Elsewhere.name)], url, log, count, 0.0, MODEL)
        pages = list(noted(log, "page"))
        begun: dict[str, float] = {}
        for _, at, (name,) in pages:
            begun.setdefault(name.partition("/")[0], at)
        by_source = Counter(pid for pid, _, _ in pages)
        by_text = Counter(pid for pid, _, names in noted(log, "read") for _ in names)
        most = max(max(each.values()) / each.total() for each in (by_source, by_text))
        return {
            "pulled": pulled, "embedded": embedded, "most": most, "wrong": await _wrong(index),
            "waited": max(begun.values()) - min(begun.values()),
        }  # fmt: skip


async def _killed(url: str, log: Path) -> dict[str, Any]:
    """Two workers do both, and one of them is killed half-way and not replaced."""
    async with _index(url) as (index, queue):
        await _queued(queue)
        with Workers() as workers:
            for _ in range(2):
                await asyncio.to_thread(workers.start, url, log, PAGE, MODEL)
            while len(list(noted(log, "page"))) < SOURCES * PAGES * HALF:  # noqa: ASYNC110 — nobody tells
                await asyncio.sleep(0.05)
            first = workers.processes[0].pid
            kill(family(first))
            began = time.monotonic()
            while await queue.left([SYNC, queue_of(Elsewhere.name)]):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            took = time.monotonic() - began
        pages = Counter(name for _, _, names in noted(log, "page") for name in names)
        texts = Counter(name for _, _, names in noted(log, "read") for name in names)
        return {
            "documents, vectors": f"{DOCUMENTS}, {DOCUMENTS}", "twice or lost": await _wrong(index), "done by the other after": took,
            "pages written twice": sum(count - 1 for count in pages.values()), "texts read twice": sum(count - 1 for count in texts.values()),
            "of a batch of": BATCH,
        }  # fmt: skip


async def _queued(queue: IndexQueue) -> None:
    for number in range(SOURCES):
        await queue.sync(f"source-{number}", ["everybody"])


async def _wrong(index: IndexStore) -> int:
    """By how much what is there differs from what was given: in documents, chunks, vectors, and what ranking counts."""
    there = await index.database.run(lambda each: each.fetchrow(COUNTED))
    return sum(abs(count - DOCUMENTS) for count in there)


@asynccontextmanager
async def _index(url: str) -> AsyncIterator[tuple[IndexStore, IndexQueue]]:
    index = IndexStore(Database(url, 4), Elsewhere(0.0))
    try:
        await index.open()
        await index.pipeline.model()
        yield index, IndexQueue(index.database)
    finally:
        await index.aclose()


class Workers:
    """Processes that end with this."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            kill(family(process.pid))
            process.wait()

    def start(self, url: str, log: Path, page: float, batch: float) -> None:
        """One more, and wait until it is ready."""
        command = [sys.executable, "-m", "tests.scale.a_worker", url, str(log), str(page), str(batch)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True, cwd=ROOT)
        self.processes.append(process)
        assert process.stdout is not None
        process.stdout.readline()

    async def until(self, queue: IndexQueue, queues: Sequence[str], *wishes: Any) -> float:
        """Seconds from when all of them work until nothing waits in ``queues``."""
        url, log, count, page, batch = wishes
        async with _held_back(url):
            for _ in range(count):
                await asyncio.to_thread(self.start, url, log, page, batch)
        began = time.monotonic()
        while await queue.left(queues):  # noqa: ASYNC110 — nobody tells
            await asyncio.sleep(0.05)
        return time.monotonic() - began


@asynccontextmanager
async def _held_back(url: str) -> AsyncIterator[None]:
    """No job is taken until all workers are there."""
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE procrastinate_jobs IN EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()
