"""The tables of the queue: procrastinate's own, as it ships them, and what came of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from storage.errors import Misconfigured
from storage.loading import folder_of
from storage.migrations import Migrations

if TYPE_CHECKING:
    from collections.abc import Sequence

WHOLE, STEPS = "schema.sql", "migrations"


async def follow(connection: Any) -> None:
    """Make the queue's tables, or bring them to what the installed procrastinate expects.

    Inside the transaction and under the lock of all migrations. Raises :class:`Misconfigured`.
    """
    await connection.execute(
        "CREATE TABLE IF NOT EXISTS queue_migrations (name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())"
    )
    done, folder = await _done(connection), folder_of("procrastinate") / "sql"
    steps = _steps()
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


async def ahead(connection: Any) -> Sequence[str]:
    """What :func:`follow` would still do to a queue that is there: the steps of procrastinate's that were not taken yet."""
    if await connection.fetchval("SELECT to_regclass('queue_migrations') IS NULL"):
        return ()  # it is made whole
    done = await _done(connection)
    return [each for each in _steps() if each not in done]


async def _done(connection: Any) -> set[str]:
    return {row["name"] for row in await connection.fetch("SELECT name FROM queue_migrations")}


def _steps() -> list[str]:
    return sorted(path.name for path in (folder_of("procrastinate") / "sql" / STEPS).glob("*.sql"))


JOBS = Migrations("jobs", "storage.jobs", then=follow, ahead=ahead)
