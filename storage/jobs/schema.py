"""The tables of the queue: procrastinate's own, as it ships them, and what came of jobs."""

from __future__ import annotations

from typing import Any

from storage.errors import Misconfigured
from storage.extras import folder_of
from storage.migrations import Migrations

WHOLE, STEPS = "schema.sql", "migrations"


async def follow(connection: Any) -> None:
    """Make the queue's tables, or bring them to what the installed procrastinate expects.

    Inside the transaction and under the lock of all migrations. Raises :class:`Misconfigured`.
    """
    await connection.execute(
        "CREATE TABLE IF NOT EXISTS queue_migrations (name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())"
    )
    done = {row["name"] for row in await connection.fetch("SELECT name FROM queue_migrations")}
    folder = folder_of("procrastinate") / "sql"
    steps = sorted(path.name for path in (folder / STEPS).glob("*.sql"))
    if newer := done - set(steps):
        raise Misconfigured(
            f"the queue of jobs is of a newer procrastinate ({max(newer)}); update it: pip install -U procrastinate"
        )
    if not done:
        if await connection.fetchval("SELECT to_regclass('procrastinate_jobs') IS NOT NULL"):
            raise Misconfigured(
                "another program keeps its procrastinate jobs in our schema; "
                "give us a database of our own in index.database_url"
            )
        await connection.execute((folder / WHOLE).read_text("utf-8"))
    for name in steps if done else ():
        if name not in done:
            await connection.execute((folder / STEPS / name).read_text("utf-8"))
    if missing := set(steps) - done:
        await connection.executemany("INSERT INTO queue_migrations (name) VALUES ($1)", [(each,) for each in missing])


JOBS = Migrations("jobs", "storage.jobs", then=follow)
