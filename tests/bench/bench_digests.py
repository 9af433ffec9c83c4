"""A thousand digests of five sources, due at the same moment, by one worker: wall time, CPU time, memory, database."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from orchestrator.assembly.digests import digest_service
from orchestrator.digests import Clock
from orchestrator.settings import load_settings
from storage.database import Database
from storage.jobs.working import Pace
from storage.supervisor import Cluster
from tests.unit.orchestrator.digests.world import START, Diary, engine_over, events_of

DIGESTS = int(os.environ.get("DIGESTS", "1000"))
SOURCES = 5
EVENTS = 40  # of each source in a day, about


async def main() -> None:
    """Plan them all, then let the worker begin."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101 - nothing else runs yet; the database's account goes in
        told = {"schedule": "0 9 * * *", "zone": "Asia/Seoul", "deliver": ["file:{name}.html"]}
        settings = load_settings(
            {"storage": {"data_dir": folder}, "digests": {f"team{number}": told for number in range(DIGESTS)}}, {}
        )
        diaries = [
            Diary(f"source{each}", events_of(f"source{each}", 1, 30, EVENTS * 60), page=100) for each in range(SOURCES)
        ]
        moment = [START + timedelta(days=9)]
        database = Database(Cluster(Path(folder) / "postgresql"), 8)
        async with engine_over(*diaries) as engine:
            service = digest_service(settings, engine, database, Clock(lambda: moment[0], lambda due: due))
            await service.runs.plan()
            moment[0] += timedelta(days=1)
            print(f"{DIGESTS} digests of {SOURCES} sources, load {os.getloadavg()[0]:.1f}")
            began, cpu, before = time.perf_counter(), time.process_time(), _peak()
            task = asyncio.create_task(service.work(Pace(poll=0.1)))
            count = "SELECT count(*) FROM outbox WHERE status = 'sent'"
            while await database.run(lambda each: each.fetchval(count)) < DIGESTS:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.2)
            wall, used = time.perf_counter() - began, time.process_time() - cpu
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            events = await database.run(lambda each: each.fetchval("SELECT count(*) FROM digest_events"))
            asked = sum(each.asked for each in diaries)
            print(f"made and delivered in {wall:.1f} s wall, {used:.1f} s CPU: {1000 * used / DIGESTS:.1f} ms CPU each")
            print(f"{events / DIGESTS:.0f} events a digest, {asked / DIGESTS:.1f} requests a digest")
            print(f"peak memory {_peak():.0f} MB, {before:.0f} MB before")
            await database.aclose()


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    asyncio.run(main())
