"""Workers of an index that a test starts, and waiting for what they do."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from connectors.local.jobs.queue import IndexQueue
from tests.clock import HANGING

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("local_worker.py")


class Quick:
    """A model for tests that are about something else."""

    ready = True

    def __init__(self, name="quick", dimension=4):
        self.name, self.dimension, self.broken, self.asked = name, dimension, None, 0

    async def prepare(self): ...

    async def embed_queries(self, texts):
        return np.ones((len(texts), self.dimension), dtype=np.float32)

    async def embed_passages(self, texts):
        self.asked += 1
        if self.broken:
            raise self.broken
        return await self.embed_queries(texts)

    async def aclose(self): ...


@contextlib.contextmanager
def starting():
    """Starts workers, and kills those that a test leaves."""
    started = []

    def start(where, log, seconds, *more):
        command = [sys.executable, str(WORKER), where, str(log), str(seconds), *more]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        started.append(process)
        process.server = int(process.stdout.readline().split()[1])
        return process

    try:
        yield start
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
            process.stdout.close()


async def until(done):
    deadline = time.monotonic() + HANGING
    while not (found := await done() if asyncio.iscoroutinefunction(done) else done()):
        assert time.monotonic() < deadline, "it does not happen"
        await asyncio.sleep(0.02)
    return found


def store_queue(store):
    return IndexQueue(store.database)


def environment(home, url, model="usem3"):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    told = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    ours = {"INDEX__DATABASE_URL": url, "INDEX__EMBEDDER__MODEL": model, "SOURCES__LOCAL__ENABLED": "true"}
    return {**kept, **told, **{f"FEDSEARCH_{name}": value for name, value in ours.items()}}
