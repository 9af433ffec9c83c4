"""Runs digests on schedule, in a process of its own, until it is killed.

A day of its clock takes ``86400 / SPEED`` seconds since ``BEGAN``. Its sources refuse a ``SHARE`` of requests.
"""

import asyncio
import os
import random
import sys
import time
from datetime import UTC, datetime, timedelta

import structlog

from orchestrator.assembly.digests import digest_service
from orchestrator.digests import Clock
from orchestrator.settings import load_settings
from storage.database import Database
from storage.jobs.working import Pace
from tests.unit.orchestrator.digests.world import START, Diary, engine_over, events_of, troubled

PACE = Pace(poll=0.05, heartbeat=0.2, unheard=1.0, again=0.2)
NATURES = (("chat", "second", True), ("mail", "day", True), ("wiki", "nothing", True))


def diaries(seed, share=0.0):
    """Three sources of different kinds, the same in every process."""
    rng = random.Random()
    return [
        Diary(name, events_of(name, seed, days=33, most=90), by, first, 20, troubled(rng, share))
        for name, by, first in NATURES
    ]


def settings_of(folder, webhook="", overlap=3600):
    """One daily digest in a zone whose clock is put forward in that month."""
    deliver = ["file:{name}-{date}.json", *([webhook] if webhook else [])]
    told = {"schedule": "0 9 * * *", "zone": "America/New_York", "deliver": deliver, "secret": "s3cret-s3cret"}
    scheduled = {"settle": 300, "overlap": overlap, "again": 0.2, "attempts": 8, "budget": 5}
    return load_settings({"storage": {"data_dir": str(folder)}, "digests": {"team": told}, "scheduled": scheduled}, {})


def clock_from(began, speed):
    """Quicker than the sun; the database's clock is the sun's."""
    at = datetime.fromtimestamp(began, UTC)
    return Clock(
        lambda: START + timedelta(seconds=(time.time() - began) * speed),
        lambda moment: at + (moment - START) / speed,
    )


async def working(where, folder, webhook, seed, began, speed, share):
    database = Database(where, 6)
    async with engine_over(*diaries(seed, share)) as engine:
        service = digest_service(settings_of(folder, webhook), engine, database, clock_from(began, speed))
        await service.work(PACE)


def work(*arguments):
    """Nobody reads what it logs."""
    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    asyncio.run(working(*arguments))
