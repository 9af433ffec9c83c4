"""Works for an index until it is killed: ``local_worker.py WHERE LOG SECONDS [--ingest FIRST] [--settings JSON]``.

``WHERE``: a database's address, or a folder. Every batch of texts takes ``SECONDS``; ``LOG`` gets a line for each text as
it is begun and ended, with the number of the process. ``--ingest``: puts documents in besides, and says of each batch
when it is safe.
"""

import argparse
import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import structlog

from connectors.local.documents import PUBLIC, Document
from connectors.local.jobs.working import index_worker, work_for_index
from connectors.local.store import IndexStore
from connectors.passages import Passage
from storage.database import Database
from storage.jobs.working import Pace
from storage.supervisor import Cluster

PACE = Pace(poll=0.05, heartbeat=0.2, unheard=1.5, again=0.2)


class Slow:
    """A model that takes its time, and writes down what it reads."""

    name, dimension, ready = "slow", 8, True

    def __init__(self, log, seconds):
        self._log, self._seconds = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), seconds

    async def prepare(self): ...

    async def embed_queries(self, texts):
        return np.ones((len(texts), 8), dtype=np.float32)

    async def embed_passages(self, texts):
        self._write("begin", texts)
        await asyncio.sleep(self._seconds)
        self._write("end", texts)
        return await self.embed_queries(texts)

    def _write(self, what, texts):
        lines = [json.dumps([what, os.getpid(), text]) + "\n" for text in texts]
        os.write(self._log, "".join(lines).encode())

    async def aclose(self):
        os.close(self._log)


def events(log):
    """What was begun and ended, by whom, in order."""
    return [tuple(json.loads(line)) for line in Path(log).read_text().splitlines()] if Path(log).exists() else []


def at_once(log, killed=()):
    """Texts that two processes read at the same time; what a killed one had begun is nobody's any more."""
    held, double = {}, []
    for what, pid, text in events(log):
        if what == "begin":
            if held.get(text, pid) != pid and held[text] not in killed:
                double.append(text)
            held[text] = pid
        elif held.get(text) == pid:
            del held[text]
    return double


@asynccontextmanager
async def opened(where, log, seconds):
    database = Database(where if "://" in where else Cluster(Path(where)), 6)
    index = IndexStore(database, Slow(log, seconds))
    try:
        await index.open()
        yield index
    finally:
        await index.aclose()


def documents(names):
    return [Document("files", name, name, (Passage(f"배포 {name}"),), (PUBLIC,)) for name in names]


async def ingest(index, first):
    for number in range(first, first + 100_000, 10):
        names = [f"{each}" for each in range(number, number + 10)]
        await index.upsert(documents(names), cursor=names[-1])
        print(names[-1], flush=True)


async def main():
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    parser = argparse.ArgumentParser()
    parser.add_argument("where")
    parser.add_argument("log")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--ingest", type=int)
    parser.add_argument("--settings")
    told = parser.parse_args()
    async with opened(told.where, told.log, told.seconds) as index:
        print("ready", getattr(index.database._where, "pid", 0), flush=True)
        pull = None
        if told.settings:
            from orchestrator.assembly.indexing import pull_of
            from orchestrator.settings import load_settings

            pull = pull_of(load_settings(json.loads(told.settings), {}), index)
        if told.ingest is None:
            await work_for_index(index, pull, PACE)
        async with index_worker(index, pull, PACE):
            await ingest(index, told.ingest)


if __name__ == "__main__":
    asyncio.run(main())
