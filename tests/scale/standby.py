"""A standby that is promoted while questions go on: what they see of that, and for how long."""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from connectors.local.documents import PUBLIC, Document
from connectors.local.store import IndexStore
from connectors.passages import Passage
from fedsearch import Ask, open_engine
from storage.database import Database
from storage.errors import SourceError
from storage.supervisor import USER
from tests.scale.postgres import Server

if TYPE_CHECKING:
    from pathlib import Path

    from fedsearch import Engine

PRIMARY = {"wal_level": "replica", "max_wal_senders": "4", "wal_keep_size": "64MB", "fsync": "on"}
DOCUMENTS = 300
UNNOTICED = 3.0  # seconds until whoever runs it has found out that the primary is gone
BUDGET = 3.0
PACE = 0.1  # seconds between two questions


async def measured(folder: Path) -> dict[str, Any]:
    """The primary is killed; after a moment the standby is promoted; the address names both, and asks for the one that can be written to."""
    with Server(folder / "primary", None, **PRIMARY) as primary:
        store = IndexStore(Database(primary.url, 4))
        await store.open()
        await _written(store, "before", DOCUMENTS)
        await store.aclose()
        standby = await asyncio.to_thread(primary.copied, folder / "standby")
        with standby:
            both = f"postgresql://{USER}@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/postgres?target_session_attrs=read-write"
            return await _promoted(primary, standby, both)


async def _promoted(primary: Server, standby: Server, url: str) -> dict[str, Any]:
    store = IndexStore(Database(url, 4))
    told: list[tuple[float, float, str, bool]] = []
    async with _engine(url, primary.folder.parent) as engine:
        asking = asyncio.create_task(_asked(engine, told))
        try:
            await asyncio.sleep(4.0)
            last = await _written(store, "last", 1)
            killed = time.monotonic()
            await asyncio.to_thread(primary.kill)
            await asyncio.sleep(UNNOTICED)
            promoted = time.monotonic()
            await asyncio.to_thread(standby.promote)
            is_promoted = time.monotonic()
            while not await _is_written(store, "after"):  # noqa: ASYNC110 — nobody tells
                await asyncio.sleep(PACE)
            writable = time.monotonic()
            while told[-1][2] != "ok" or told[-1][0] < writable:  # noqa: ASYNC110
                await asyncio.sleep(PACE)
            await asyncio.sleep(2.0)
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await store.aclose()
    without = [each for each in told if each[0] >= killed and each[2] != "ok"]
    return {
        "questions": len(told),
        "answered whole before": all(said == "ok" for at, _, said, _ in told if at < killed),
        "without the index": len(without),
        "told": list(dict.fromkeys(said.partition(":")[0] for _, _, said, _ in without)),
        "the first": without[0][2] if without else "",
        "longest answer": max(seconds for _, seconds, _, _ in told),
        "seconds until promoted": is_promoted - promoted,
        "seconds from promotion until written": writable - promoted,
        "seconds from promotion until answered": next(
            at for at, _, status, _ in told if at > promoted and status == "ok"
        )
        - promoted,
        "written last is there": bool(last and told[-1][3]),
    }


def _engine(url: str, folder: Path) -> Engine:
    settings = {
        "index": {"database_url": url, "embedder": {"model": "none"}, "reranker": {"model": "none"}},
        "sources": {"local": {"kind": "local"}},
        "ranking": {"semantic": "off"},
        "thinking": {"processes": 0},
    }
    return open_engine(settings, environment={"FEDSEARCH_CONFIG": "", "FEDSEARCH_DATA_DIR": str(folder / "kept")})


async def _asked(engine: Engine, told: list[tuple[float, float, str, bool]]) -> None:
    for number in itertools.count():  # no two the same: what was asked before is remembered
        began = time.monotonic()
        answer = await engine.search(Ask(f"release plan of week last {number}", datetime.now(UTC), budget=BUDGET))
        (outcome,) = answer.outcomes
        said = (
            "ok" if outcome.problem is None else f"{outcome.status}, {outcome.problem.code}: {outcome.problem.message}"
        )
        has_last = any("last" in each.hit.title for each in answer.results)
        told.append((began, time.monotonic() - began, said, has_last))
        await asyncio.sleep(PACE)


async def _written(store: IndexStore, name: str, count: int) -> int:
    documents = [
        Document(
            "notes",
            f"{name}-{each}",
            f"Plan {name} {each}",
            (Passage(f"the release plan of week {name} {each}"),),
            (PUBLIC,),
        )
        for each in range(count)
    ]
    return (await store.upsert(documents)).added


async def _is_written(store: IndexStore, name: str) -> bool:
    with suppress(SourceError):
        return bool(await _written(store, name, 1))
    return False
