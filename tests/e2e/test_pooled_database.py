"""Everything that is kept, behind a PgBouncer that lends three connections for a transaction at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from connectors.local.documents import PUBLIC, Document
from connectors.local.jobs.queue import SYNC, IndexQueue
from connectors.local.pipeline import IndexQuery
from connectors.local.retrieval import RetrievalScope
from connectors.local.store import IndexStore
from connectors.passages import Passage
from storage.database import Database
from storage.jobs.working import Duty, Pace, working
from tests.clock import HANGING
from tests.e2e.a_pgbouncer import PROGRAM, a_pgbouncer

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not installed (apt-get install pgbouncer)")
PACE = Pace(poll=0.05, heartbeat=0.2, unheard=5.0, again=0.1)


@pytest.fixture
def pooled(empty_url: str) -> Iterator[str]:
    with a_pgbouncer(empty_url) as address:
        yield address


def document(number: int) -> Document:
    text = f"배포 계획 {number}: the release plan of week {number}"
    return Document("notes", f"n{number}", f"Plan {number}", (Passage(text),), (PUBLIC,))


async def test_many_write_and_ask_at_once_over_few_connections(pooled: str) -> None:
    stores = [IndexStore(Database(pooled, 6)) for _ in range(3)]
    await asyncio.gather(*(each.open() for each in stores))
    numbers = range(30)
    await asyncio.gather(*(stores[number % 3].upsert([document(number)]) for number in numbers))
    scope = RetrievalScope(principals=(PUBLIC,))
    found = await asyncio.gather(
        *(stores[number % 3].search(IndexQuery(f"week {number}", f"week {number}", scope)) for number in numbers)
    )
    assert all(each.candidates for each in found)
    assert (await stores[1].visible(scope))[0] == len(numbers)
    await asyncio.gather(*(each.aclose() for each in stores))


async def test_a_lock_is_one_process_s_until_it_lets_go(pooled: str) -> None:
    mine, theirs = Database(pooled), Database(pooled)
    async with mine.held("digest") as first, theirs.held("digest") as second, theirs.held("another") as other:
        assert (first, second, other) == (True, False, True)
    async with theirs.held("digest") as again:
        assert again
    with pytest.raises(LookupError):
        async with mine.held("digest"):
            raise LookupError
    async with theirs.held("digest") as afterwards:
        assert afterwards
    await asyncio.gather(mine.aclose(), theirs.aclose())


async def test_jobs_are_done_once_by_two_workers(pooled: str) -> None:
    done: list[str] = []

    async def sync(source: str, visible_to: list[str], whole: bool) -> None:
        done.append(source)

    databases = [Database(pooled) for _ in range(2)]
    names = [f"source-{number}" for number in range(12)]
    queues = [IndexQueue(each) for each in databases]
    await asyncio.gather(*(queues[place % 2].sync(name, ["public"]) for place, name in enumerate(names)))
    duties = {SYNC: Duty(sync, SYNC)}
    async with working(databases[0], duties, PACE), working(databases[1], duties, PACE), asyncio.timeout(HANGING):
        while await queues[0].left([SYNC]):  # noqa: ASYNC110 — nobody tells
            await asyncio.sleep(0.05)
    assert sorted(done) == sorted(names)
    await asyncio.gather(*(each.aclose() for each in databases))
