"""One, two and four servers behind HAProxy, over one PostgreSQL through PgBouncer and one Valkey: what a question costs, and a restart one by one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import aiohttp

from tests.chaos import judge
from tests.chaos.journal import Journal, of, read
from tests.chaos.load import QUESTIONS, Load
from tests.chaos.processes import cpu, figures, waited
from tests.chaos.run import UNWELL, rows_of, starved
from tests.chaos.world import World
from tests.e2e import a_haproxy, a_pgbouncer
from tests.ports import free_port

if TYPE_CHECKING:
    from pathlib import Path

BALANCER = "haproxy"
BUDGET = 10.0
CLIENTS = 2  # for each server
PAUSE = 0.5  # seconds after which a client that got no answer asks again
POOL = 24  # connections of PostgreSQL that PgBouncer lends: a lock that a process holds is one of them for as long
AFTERWARDS = 70.0  # seconds in which the digest of the last minute comes
MISSING = [
    name for name, each in (("haproxy", a_haproxy), ("pgbouncer", a_pgbouncer)) if not each.PROGRAM
]  # programs that are to be installed


async def measured(folder: Path, servers: int, seconds: float) -> dict[str, Any]:
    """One installation with so many servers: asked for a while, then restarted one by one while it is asked on; judged as chaos is."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    journal = Journal(folder / "journal.jsonl")
    names = [f"api-{number + 1}" for number in range(servers)]
    async with World(folder, journal, names, partial(a_pgbouncer.a_pgbouncer, size=POOL)) as world:
        world.ports[BALANCER] = free_port()
        ports = [world.ports[name] for name in names]
        watching = asyncio.create_task(starved(world))
        with a_haproxy.a_haproxy(world.place, world.ports[BALANCER], ports):
            async with Load(world, servers, (BALANCER,)) as load:
                for name in names:
                    while not await world.is_ready(name) or not await _is_whole(load, name):  # noqa: ASYNC110 — nobody tells
                        await asyncio.sleep(0.5)
                going_on = [asyncio.create_task(load.each(what)) for what in ("feedback", "ingest")]
                steady = await _asked(world, load, seconds)
                rolling = None
                if servers > 1:
                    restarting = asyncio.create_task(_restarted(world))
                    rolling = await _asked(world, load, seconds, until=restarting)
                for task in going_on:
                    task.cancel()
                await asyncio.gather(*going_on, return_exceptions=True)
                await load.settled()
        await asyncio.sleep(AFTERWARDS)
        watching.cancel()
        kept = await rows_of(world)
    audit = [line for each in sorted((folder / "kept").glob("audit-*.jsonl")) for line in judge.lines_of(each)]
    entries = read(folder / "journal.jsonl")
    verdicts = [
        judge.accounted(entries, audit),
        *judge.within_limits(entries),
        judge.judgments(entries, judge.lines_of(folder / "data" / "feedback.jsonl")),
        judge.documents(entries, kept["documents"]),
        judge.counts(kept),
        *judge.delivered(entries, kept),
    ]
    return {
        "servers": servers,
        "steady": steady,
        "restarted": rolling,
        "dropped": [
            f"{each['at']:.0f} s: {each['status']} {each['code']}"
            for each in of(entries, "question")
            if each["status"] != 200
        ],
        "laws": {
            each.law: {"counted": each.counted, "broken": list(each.broken), "remark": each.remark} for each in verdicts
        },
    }


def row(found: dict[str, Any]) -> list[str]:
    """A line of the table."""
    steady, restarted = found["steady"], found["restarted"]
    limits = {law: it["remark"] for law, it in found["laws"].items() if "is asked" in law}
    slack = next((said.split()[2] for law, said in limits.items() if law.startswith("slack is")), "0")
    broken = [law for law, it in found["laws"].items() if it["broken"]]
    return [
        str(found["servers"]),
        f"{steady['answered']} of {steady['questions']}",
        f"{steady['cpu_each']:.2f} s",
        f"{steady['waited'] / steady['seconds'] / found['servers']:.0%}",
        f"{steady['memory']} MB",
        f"{restarted['questions'] - restarted['answered']} of {restarted['questions']}" if restarted else "",
        slack,
        "; ".join(broken) or f"all {len(found['laws'])} hold",
    ]


HEADINGS = ("servers", "answered in a minute", "processor a question", "waited for a core", "memory of all", "dropped in a rolling restart",
            "Slack asked in 60 s (20)", "laws")  # fmt: skip


async def _is_whole(load: Load, name: str) -> bool:
    told = await load.ask(QUESTIONS[0], name, 30.0, "probe")
    return told["status"] == 200 and not any(status in UNWELL for status, _ in told["sources"].values())


async def _asked(world: World, load: Load, seconds: float, until: asyncio.Task[None] | None = None) -> dict[str, Any]:
    """So many clients ask one question after the other; what that cost the servers."""
    before = {name: cpu(world.pids(name)) for name in world.apis}
    so_far = sum(waited(world.pids(name)) for name in world.apis)
    ended, answers, began = asyncio.Event(), [], time.monotonic()

    async def client(number: int) -> None:
        rng = random.Random(number)
        while not ended.is_set():
            answers.append(await load.ask(rng.choice(QUESTIONS), BALANCER, BUDGET))
            if answers[-1]["status"] != 200:
                await asyncio.sleep(PAUSE)

    clients = [asyncio.create_task(client(number)) for number in range(CLIENTS * len(world.apis))]
    await (asyncio.sleep(seconds) if until is None else until)
    ended.set()
    await asyncio.gather(*clients)
    good = sorted(each["seconds"] for each in answers if each["status"] == 200)
    told: dict[str, Any] = {
        "seconds": round(time.monotonic() - began, 1),
        "questions": len(answers),
        "answered": len(good),
        "median": good[len(good) // 2],
    }
    if until is None:
        told["cpu_each"] = sum(cpu(world.pids(name)) - before[name] for name in world.apis) / len(answers)
        told["waited"] = sum(waited(world.pids(name)) for name in world.apis) - so_far
        told["memory"] = sum(figures(world.pids(name))["memory"] for name in world.apis)
    return told


async def _restarted(world: World) -> None:
    """Each in turn is told to end, is started again, and is asked by the balancer before the next is told."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True)) as http:
        for name in world.apis:
            ended = world.children[name].pid
            os.kill(ended, signal.SIGTERM)
            while world.children[name].pid in {ended, 0} or not await _are_all_asked(world, http):  # noqa: ASYNC110
                await asyncio.sleep(0.3)


async def _are_all_asked(world: World, http: aiohttp.ClientSession) -> bool:
    with contextlib.suppress(aiohttp.ClientError, OSError):
        async with http.get(f"http://127.0.0.1:{world.ports[BALANCER]}/all") as reply:
            return reply.status == 200
    return False
