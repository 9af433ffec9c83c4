"""What waits to be done: put there with what makes it necessary, looked at, and waited for."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import storage.errors
from storage.jobs.schema import JOBS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from storage.database import Database

PAUSE = 0.2  # seconds between two looks at a job that is waited for

# Of workers that have ended, or have not been heard of: who pulled the plug says no goodbye.
RETRY_STALLED = """
    SELECT count(procrastinate_retry_job_v2(stalled.id, now(), NULL, NULL, NULL)) FROM (
        SELECT j.id FROM procrastinate_jobs j
        WHERE j.status = 'doing' AND NOT EXISTS (
            SELECT FROM procrastinate_workers w
            WHERE w.id = j.worker_id AND w.last_heartbeat > now() - make_interval(secs => $1)
        ) FOR UPDATE OF j SKIP LOCKED
    ) stalled
"""
FORGET = """
    WITH old AS (DELETE FROM outcomes WHERE happened < now() - interval '7 days' RETURNING job)
    DELETE FROM procrastinate_jobs j USING old WHERE j.id = old.job AND j.status NOT IN ('todo', 'doing')
"""
PUT_OUTCOME = """
    INSERT INTO outcomes (job, task, report, code, problem) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (job) DO UPDATE SET report = excluded.report, code = excluded.code, problem = excluded.problem, happened = now()
"""
COUNTS = "SELECT task_name || ' ' || status AS what, count(*) AS n FROM procrastinate_jobs GROUP BY 1 ORDER BY 1"
LEFT = """
    SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')
    AND (queue_name = ANY($1::text[]) OR queue_name = ANY($2::text[]) AND coalesce(scheduled_at <= now(), true))
"""


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """What came of the last attempt at a job: a ``report``, or an error of ours by ``code`` and ``problem``."""

    report: Mapping[str, Any] | None
    code: str | None = None
    problem: str = ""

    def raised(self) -> Mapping[str, Any]:
        """The report. Raises the :class:`storage.errors.SourceError` that the attempt ended with."""
        if self.code is not None:
            raise _error_named(self.code)(self.problem)
        return self.report or {}


class Queue:
    """The jobs in one database. Raises only :class:`storage.errors.SourceError`."""

    def __init__(self, database: Database) -> None:
        database.register(JOBS)
        self._database = database

    async def finished(self, job: int) -> JobOutcome:
        """What came of a job, once it or an attempt at it has ended, whoever made that."""
        while True:
            if (found := await self.outcome(job)) is not None:
                return found
            await asyncio.sleep(PAUSE)

    async def outcome(self, job: int) -> JobOutcome | None:
        """What came of the last attempt at a job; ``None`` where there was none yet."""
        row = await self._database.run(lambda each: each.fetchrow("SELECT * FROM outcomes WHERE job = $1", job))
        if row is None:
            return None
        return JobOutcome(json.loads(row["report"]) if row["report"] else None, row["code"], row["problem"] or "")

    async def left(self, queues: Sequence[str], due: Sequence[str] = ()) -> int:
        """Jobs that wait or run in ``queues``, and in ``due`` those whose time has come."""
        found: int = await self._database.run(lambda each: each.fetchval(LEFT, list(queues), list(due)))
        return found

    async def failed_since(self, moment: Any, task: str) -> JobOutcome | None:
        """An attempt at ``task`` that went wrong after a moment of the database's clock."""
        row = await self._database.run(
            lambda each: each.fetchrow(
                "SELECT code, problem FROM outcomes WHERE task = $1 AND code IS NOT NULL AND happened > $2 LIMIT 1",
                task, moment,
            )
        )  # fmt: skip
        return None if row is None else JobOutcome(None, row["code"], row["problem"])

    async def now(self) -> Any:
        """The database's clock."""
        return await self._database.run(lambda each: each.fetchval("SELECT now()"))

    async def counts(self) -> dict[str, int]:
        """How many jobs there are by task and status (``embed todo``); those that went well are forgotten."""
        return {row["what"]: row["n"] for row in await self._database.run(lambda each: each.fetch(COUNTS))}

    async def retry_stalled(self, unheard: float) -> int:
        """Put back what was taken by workers of whom nothing was heard for ``unheard`` seconds; how many jobs."""
        count: int = await self._database.run(lambda each: each.fetchval(RETRY_STALLED, unheard))
        await self._database.run(lambda each: each.execute(FORGET))
        return count

    async def ended(self, job: int, task: str, outcome: JobOutcome) -> None:
        """Remember what came of an attempt."""
        report = None if outcome.report is None else json.dumps(outcome.report, default=str)
        values = (job, task, report, outcome.code, outcome.problem or None)
        await self._database.run(lambda each: each.execute(PUT_OUTCOME, *values))

    async def forgotten(self, job: int) -> None:
        """An earlier attempt went wrong, and this one did not."""
        await self._database.run(lambda each: each.execute("DELETE FROM outcomes WHERE job = $1", job))


def _error_named(code: str) -> type[storage.errors.SourceError]:
    kinds = (each for each in vars(storage.errors).values() if isinstance(each, type))
    known = {each.code: each for each in kinds if issubclass(each, storage.errors.SourceError)}
    return known.get(code, storage.errors.Unavailable)
