"""Every room that keeps something in the database, and databases as earlier versions of fedsearch left them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import asyncpg

from orchestrator.assembly.safekeeping import every_room

if TYPE_CHECKING:
    from storage.database import Database

ROOMS = every_room()

ONE_SEQUENCE = (  # of all rooms, while they shared one
    "0001_documents.sql",
    "0002_embeddings.sql",
    "0003_collections.sql",
    "0004_outcomes.sql",
    "0005_audiences.sql",
    "0006_digests.sql",
    "0007_definitions.sql",
    "0008_conversations.sql",
    "0009_readers_of_vectors.sql",
    "0010_bot.sql",
    "0011_vault.sql",
    "0012_kinds_of_moments.sql",
    "0013_examples.sql",
)
SINCE = ("0014_counts_by_readers.sql", "0015_clients.sql")  # what rooms have added by themselves


def with_every_room(database: Database) -> Database:
    """The same database, in which every room keeps something."""
    for room in ROOMS:
        database.register(room)
    return database


async def of_before(address: str, count: int) -> Any:
    """A connection to a database that an earlier fedsearch has left with the first ``count`` migrations of one sequence."""
    files = {path.name: path for room in ROOMS for path in room.files()}
    owner = await asyncpg.connect(address)
    await owner.execute("CREATE TABLE migrations (name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())")
    for name in ONE_SEQUENCE[:count]:
        await owner.execute(files[name].read_text("utf-8"))
        await owner.execute("INSERT INTO migrations (name) VALUES ($1)", name)
    return owner
