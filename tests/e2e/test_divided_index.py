"""The index over several real servers (Citus), one of which is killed: the others answer, and the answer says which share is missing."""

import asyncio
from contextlib import ExitStack

import pytest

from connectors.contract import Call
from connectors.local import LocalSource
from connectors.local.documents import PUBLIC, Document
from connectors.local.settings import LocalSettings
from connectors.local.store import IndexStore
from connectors.passages import Passage
from storage.database import Database
from tests.clock import HANGING
from tests.scale import nodes
from tests.scale.postgres import open_folder
from translators.translator import NativeQuery

pytestmark = pytest.mark.skipif(bool(nodes.missing()), reason="docs/explanation/scaling.md says how to build Citus")
COUNT = 40
ASKED = NativeQuery("hybrid", "배포 plan", args={"question": "배포 plan"})


async def test_one_server_that_is_killed_costs_its_share_and_is_named():
    with ExitStack() as stack:
        folder = stack.enter_context(open_folder())
        servers = nodes.Nodes(folder, stack)
        await servers.open()
        index = IndexStore(Database(servers.coordinator.url, 4))
        source = LocalSource("local", LocalSettings(kind="local"), index)
        try:
            await index.open()
            await servers.add()
            await servers.add()
            await index.database.aclose()
            await servers.distribute()
            given = [
                Document("notes", f"n{each}", "", (Passage(f"배포 plan {each}"),), (PUBLIC,)) for each in range(COUNT)
            ]
            await index.upsert(given)
            whole = await asked(source)
            assert len(whole.hits) == COUNT
            assert not whole.left_out

            await asyncio.to_thread(servers.workers[1].kill)
            part = await asked(source)
            assert 0 < len(part.hits) < COUNT
            assert {each.id for each in part.hits} < {each.id for each in whole.hits}
            (missing,) = part.left_out
            assert missing.said == (
                f"4 of 8 shards of the index were not searched, as 127.0.0.1:{servers.workers[1].port} cannot be reached"
            )
            health = await source.probe(call())
            assert (health.ok, health.remarks) == (True, (missing.said,))

            await asyncio.to_thread(servers.workers[1].start)
            async with asyncio.timeout(HANGING):
                while (again := await asked(source)).left_out:  # noqa: ASYNC110 — nobody tells
                    await asyncio.sleep(0.1)
            assert len(again.hits) == COUNT
        finally:
            await index.aclose()


async def asked(source):
    return await source.search(ASKED, call())


def call():
    return Call(principal="user:sarah", limit=50, timeout=HANGING)
