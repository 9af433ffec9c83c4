"""A worker of the index in a process of its own, until it is killed: ``a_worker.py URL LOG PAGE BATCH``.

It pulls sources of which each page takes ``PAGE`` seconds to come, and embeds by a model that takes ``BATCH`` seconds for 64 texts: seconds
in which another machine would compute. ``LOG`` gets a line for each page and text that is safe in the index.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from connectors.local.documents import PUBLIC, Document
from connectors.local.ingest.report import IngestReport
from connectors.local.jobs.working import work_for_index
from connectors.local.store import BATCH, IndexStore
from connectors.passages import Passage
from storage.database import Database
from storage.jobs.working import Pace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from connectors.models.embedding import Vectors

PACE = Pace(poll=0.1, heartbeat=0.5, unheard=3.0, again=0.3)
PAGES, EACH = 10, 16  # of a source, and documents of a page
DIMENSION = 64


class Log:
    """Lines of several processes in one file, each whole."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(self, what: str, names: Sequence[str]) -> None:
        os.write(self._file, (json.dumps([what, os.getpid(), time.monotonic(), list(names)]) + "\n").encode())


def noted(path: Path, what: str) -> Iterator[tuple[int, float, list[str]]]:
    """By which process, when, and what, of lines of one kind."""
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        kind, pid, at, names = json.loads(line)
        if kind == what:
            yield pid, at, names


class Elsewhere:
    """A model that another machine computes: this one waits for it."""

    name, dimension, ready = "elsewhere", DIMENSION, True

    def __init__(self, seconds: float, log: Log | None = None) -> None:
        self._seconds, self._log = seconds, log

    async def prepare(self) -> None: ...

    async def aclose(self) -> None: ...

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.random.default_rng(len(texts[0])).standard_normal((len(texts), DIMENSION)).astype(np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self._log is not None:
            self._log.note("read", texts)
        await asyncio.sleep(self._seconds * len(texts) / BATCH)
        return await self.embed_queries(texts)


class Pulled:
    """A source that is read page by page, from where it was left."""

    def __init__(self, index: IndexStore, seconds: float, log: Log) -> None:
        self._index, self._seconds, self._log = index, seconds, log

    async def __call__(self, source: str, visible_to: tuple[str, ...], *, whole: bool) -> IngestReport:
        del visible_to, whole
        report, begin = IngestReport(source), int(await self._index.cursor(source) or 0)
        for page in range(begin, PAGES):
            await asyncio.sleep(self._seconds)
            written = await self._index.upsert(page_of(source, page), str(page + 1), source)
            self._log.note("page", [f"{source}/{page}"])
            report.added += written.added
        return report


def page_of(source: str, page: int) -> list[Document]:
    numbers = range(page * EACH, (page + 1) * EACH)
    return [Document(source, str(each), f"Plan {each}", (Passage(f"the plan of {source} {each}"),), (PUBLIC,)) for each in numbers]  # fmt: skip


async def main() -> Any:
    url, path, page, batch = sys.argv[1:]
    log = Log(path)
    index = IndexStore(Database(url, 4), Elsewhere(float(batch), log) if float(batch) else None)
    await index.open()
    print("ready", flush=True)
    await work_for_index(index, Pulled(index, float(page), log) if float(page) else None, PACE)


if __name__ == "__main__":
    asyncio.run(main())
