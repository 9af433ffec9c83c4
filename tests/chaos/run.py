"""One run: the world, what goes on in it, what befalls it, and what is kept of it for the judge."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg

from tests.chaos import judge
from tests.chaos.faults import Strike, drawn, strike
from tests.chaos.journal import Journal, read
from tests.chaos.load import Load
from tests.chaos.processes import waited
from tests.chaos.world import APIS, WORKERS, World

if TYPE_CHECKING:
    from collections.abc import Iterable

PROBE = "API 마이그레이션은 언제 시작하나요?"
ENOUGH = 20.0  # seconds of a probe
GIVEN_UP = 180.0  # seconds after which the world counts as lost
BREATH = 8.0  # seconds between two rounds in which nothing is wrong
AFTERWARDS = 80.0  # seconds in which the last digest comes and nothing else goes on
LEAST = 0.05  # seconds of waiting for a core that are noted
UNWELL = {"failed", "timed out", "denied"}


@dataclass
class Run:
    """``strikes``: instead of what the seed draws, for a short run that shows one thing."""

    folder: Path
    seed: int
    seconds: float
    strikes: Iterable[tuple[Strike, ...]] | None = None
    remarks: list[str] = field(default_factory=list)

    async def played(self) -> list[judge.Verdict]:
        self.folder.mkdir(parents=True, exist_ok=True)
        journal = Journal(self.folder / "journal.jsonl")
        async with World(self.folder, journal) as world:
            self._say_what_is_missing(world)
            watching = asyncio.create_task(starved(world))
            sampling = asyncio.create_task(_sampled(world))
            try:
                await self._lived(world, journal)
                kept = await rows_of(world)
            finally:
                for task in (watching, sampling):
                    task.cancel()
                await asyncio.gather(watching, sampling, return_exceptions=True)
        audit = [line for each in sorted((self.folder / "kept").glob("audit-*.jsonl")) for line in judge.lines_of(each)]
        kept |= {"audit": audit, "feedback": judge.lines_of(self.folder / "data" / "feedback.jsonl")}
        (self.folder / "kept.json").write_text(json.dumps(kept, ensure_ascii=False, default=str), "utf-8")
        return judge.judged(read(self.folder / "journal.jsonl"), kept)

    async def _lived(self, world: World, journal: Journal) -> None:
        async with Load(world, self.seed) as load:
            journal.note("round", number=0)
            await _well(world, load, judge.START)
            going_on = asyncio.create_task(load.run())
            try:
                began = time.monotonic()
                for number in itertools.count(1):
                    await asyncio.sleep(BREATH)
                    strikes = next(self._rounds, None)
                    if strikes is None or time.monotonic() - began > self.seconds:
                        break
                    journal.note("round", number=number)
                    await strike(world, strikes)
                    await _well(world, load, " and ".join(f"{each.target} {each.kind}" for each in strikes))
            finally:
                going_on.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await going_on
            await load.settled()
        await asyncio.sleep(AFTERWARDS)

    def _say_what_is_missing(self, world: World) -> None:
        self._rounds = (
            iter(self.strikes) if self.strikes is not None else drawn(self.seed, frozenset(self._cannot(world)))
        )

    def _cannot(self, world: World) -> list[str]:
        missing = []
        if not all(disk.is_small for disk in world.disks.values()):
            missing.append("full")
            self.remarks.append("no disk was filled: this machine does not let us mount a small one")
        if not world.moves_clocks:
            missing.append("clock")
            self.remarks.append("no clock was moved: libfaketime is not installed (apt-get install faketime)")
        return missing


async def starved(world: World) -> None:
    """For how long the product's processes, and this one with its doors, were ready to run and had no core, second by second."""
    before: dict[str, float] = {}
    then = time.monotonic()
    while True:
        now = time.monotonic()
        for part in (*world.apis, *WORKERS, judge.DOORS):
            seconds = waited([os.getpid()] if part == judge.DOORS else world.pids(part))
            if (more := seconds - before.get(part, seconds)) > LEAST:
                world.journal.note("waited", part=part, seconds=round(more, 2), over=round(now - then, 2))
            before[part] = seconds
        then = now
        await asyncio.sleep(1.0)


async def _sampled(world: World) -> None:
    while True:
        await asyncio.to_thread(world.sample)
        await asyncio.sleep(3.0)


async def _well(world: World, load: Load, after: str) -> None:
    """Wait until each server answers a question from every source again, as far as the sources' rates allow."""
    began, why = time.monotonic(), ""
    while (seconds := time.monotonic() - began) < GIVEN_UP or after == judge.START:
        why = ""
        for api in APIS:
            if not await world.is_ready(api):
                why = f"{api} is not ready"
                break
            told = await load.ask(PROBE, api, ENOUGH, "probe")
            if told["status"] != 200:
                why = f"{api} says {told['status']} {told['code']}"
            elif unwell := {name: said for name, said in told["sources"].items() if said[0] in UNWELL}:
                why = f"{api}: {unwell}"
            if why:
                break
        if not why:
            world.journal.note("recovered", seconds=round(time.monotonic() - began, 1), after=after, why="")
            return
        last = why
        await asyncio.sleep(0.5)
    world.journal.note("not recovered", seconds=round(seconds, 1), after=after, why=last)


async def rows_of(world: World) -> dict[str, Any]:
    """What the database holds at the end, by SQL of our own and past every door."""
    address = await asyncio.to_thread(world.cluster.ensure)
    connection = await asyncpg.connect(
        host=address.host, user=address.user, password=address.password, database=address.database
    )
    try:

        async def column(statement: str) -> list[Any]:
            return [row[0] for row in await connection.fetch(statement)]

        outbox = await connection.fetch("SELECT key, place, status FROM outbox")
        return {
            "definitions": await column("SELECT name FROM digest_definitions"),
            "documents": [Path(each).stem for each in await column("SELECT native_id FROM documents WHERE source = 'chaos'")],
            "counted": int((await column("SELECT coalesce(sum(chunks), 0) FROM reader_sets"))[0]),
            "chunks": (await column("SELECT count(*) FROM chunks"))[0],
            "runs": (await column("SELECT count(*) FROM digest_runs"))[0],
            "outbox": {row["key"]: row["status"] for row in outbox if not row["place"].startswith("file")},
            "files": {row["key"]: row["status"] for row in outbox if row["place"].startswith("file")},
            "jobs": [dict(row) for row in await connection.fetch(
                "SELECT task_name, status::text, count(*) AS n FROM procrastinate_jobs GROUP BY 1, 2"
            )],
        }  # fmt: skip
    finally:
        await connection.close()
