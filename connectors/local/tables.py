"""What the index keeps in the database, and what it asks of its server."""

from __future__ import annotations

from typing import Any

from connectors.errors import Misconfigured
from storage.jobs.schema import JOBS
from storage.migrations import Migrations
from translators.said import Said

OLDEST_VECTOR = (0, 8)  # the first with iterative scans
# Vectors are filtered by who may see them: a scan that goes on until enough are found.
# Questions are too short to be compiled or shared among workers: starting those takes longer than answering.
# A plan that fits any asker fits none: one who may see little needs another than one who may see all.
# https://github.com/pgvector/pgvector#iterative-index-scans
TUNED = {
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.ef_search": "100",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "plan_cache_mode": "force_custom_plan",
}


async def check_vectors(connection: Any) -> None:
    """Raises :class:`Misconfigured` where pgvector is too old."""
    said = await connection.fetchval("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    if tuple(int(part) for part in said.split(".")[:2]) < OLDEST_VECTOR:
        raise Misconfigured(
            Said(
                "the index needs pgvector 0.8 or newer, and this is {said}; run ALTER EXTENSION vector UPDATE on the server"
            ).filled(said=said)
        )
    await connection.execute("SELECT '[1]'::vector")  # its settings are known once the extension is loaded


INDEX = Migrations("index", "connectors.local", after=(JOBS,), then=check_vectors, settings=TUNED)
