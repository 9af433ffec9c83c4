"""What waits to be done: put there with what makes it necessary, looked at, and waited for."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import connectors.errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.local.database import Database

EMBED, SYNC = "embed", "sync"
LANES = 4  # as many workers can embed at a time; each chunk is in one lane, by its number
PAUSE = 0.2  # seconds between two looks at a job that is waited for
LONGEST_NAME = 100  # characters of a model's name in that of its queue, which has 128

# A job that waits is left as it is, and held until this transaction ends: taken earlier, it would not see what the
# transaction wrote. One that somebody just takes is passed over, and a new one written.
DEFER_EMBEDDING = """
    WITH waiting AS (
        SELECT lock FROM procrastinate_jobs WHERE queue_name = $1 AND status = 'todo' FOR SHARE SKIP LOCKED
    )
    SELECT procrastinate_defer_jobs_v1(array_agg(
        ROW($1, 'embed', 0, $1 || '/' || lane, NULL, jsonb_build_object('lane', lane), NULL)::procrastinate_job_to_defer_v1
    )) FROM generate_series(0, $2::integer - 1) AS lane WHERE $1 || '/' || lane NOT IN (SELECT lock FROM waiting)
"""
DEFER_SYNC = """
    SELECT unnest(procrastinate_defer_jobs_v1(ARRAY[
        ROW('sync', 'sync', 1, 'sync/' || $1::text, NULL, $2::jsonb, NULL)::procrastinate_job_to_defer_v1
    ]))
"""
KNOWN_SYNC = """
    UPDATE procrastinate_jobs SET scheduled_at = NULL
    WHERE id = (
        SELECT id FROM procrastinate_jobs WHERE queue_name = 'sync' AND status = 'todo' AND args = $1::jsonb
        LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING id
"""
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
    SELECT count(*) FROM procrastinate_jobs
    WHERE queue_name = ANY($1::text[]) AND status IN ('todo', 'doing') AND (task_name = 'embed' OR coalesce(scheduled_at <= now(), true))
"""
HURRY = "UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE queue_name = $1 AND status = 'todo' AND scheduled_at > now()"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the last attempt at a job: a ``report``, or an error of ours by ``code`` and ``problem``."""

    report: Mapping[str, Any] | None
    code: str | None = None
    problem: str = ""

    def raised(self) -> Mapping[str, Any]:
        """The report. Raises the :class:`connectors.errors.SourceError` that the attempt ended with."""
        if self.code is not None:
            raise _error_named(self.code)(self.problem)
        return self.report or {}


class Queue:
    """The jobs of one index. Raises only :class:`connectors.errors.SourceError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def embed(self, model: str) -> None:
        """See to it that whatever has no vector of ``model`` gets one, as soon as a worker is free."""

        async def put(connection: Any) -> None:
            await defer_embedding(connection, model)
            await connection.execute(HURRY, queue_of(model))

        await self._database.run(put)

    async def sync(self, source: str, visible_to: Sequence[str], *, whole: bool = False) -> int:
        """Have a source pulled as soon as a worker is free; the job's number. One that waits already is hurried up."""
        told = json.dumps({"source": source, "visible_to": list(visible_to), "whole": whole})

        async def put(connection: Any) -> int:
            async with connection.transaction():
                job: int | None = await connection.fetchval(KNOWN_SYNC, told)
                if job is None:
                    job = await connection.fetchval(DEFER_SYNC, source, told)
                else:
                    await connection.execute("DELETE FROM outcomes WHERE job = $1", job)
                assert job is not None
                return job

        return await self._database.run(put)

    async def finished(self, job: int) -> Outcome:
        """What came of a job, once it or an attempt at it has ended, whoever made that."""
        while True:
            if (found := await self.outcome(job)) is not None:
                return found
            await asyncio.sleep(PAUSE)

    async def outcome(self, job: int) -> Outcome | None:
        """What came of the last attempt at a job; ``None`` where there was none yet."""
        row = await self._database.run(lambda each: each.fetchrow("SELECT * FROM outcomes WHERE job = $1", job))
        if row is None:
            return None
        return Outcome(json.loads(row["report"]) if row["report"] else None, row["code"], row["problem"] or "")

    async def left(self, queues: Sequence[str]) -> int:
        """Jobs that wait or run; not those of sources that went wrong and are tried again later."""
        found: int = await self._database.run(lambda each: each.fetchval(LEFT, list(queues)))
        return found

    async def failed_since(self, moment: Any) -> Outcome | None:
        """An attempt at embedding that went wrong after a moment of the database's clock."""
        row = await self._database.run(
            lambda each: each.fetchrow(
                "SELECT code, problem FROM outcomes WHERE task = $1 AND code IS NOT NULL AND happened > $2 LIMIT 1",
                EMBED, moment,
            )
        )  # fmt: skip
        return None if row is None else Outcome(None, row["code"], row["problem"])

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

    async def ended(self, job: int, task: str, outcome: Outcome) -> None:
        """Remember what came of an attempt."""
        report = None if outcome.report is None else json.dumps(outcome.report, default=str)
        values = (job, task, report, outcome.code, outcome.problem or None)
        await self._database.run(lambda each: each.execute(PUT_OUTCOME, *values))

    async def forgotten(self, job: int) -> None:
        """An earlier attempt went wrong, and this one did not."""
        await self._database.run(lambda each: each.execute("DELETE FROM outcomes WHERE job = $1", job))


async def defer_embedding(connection: Any, model: str) -> None:
    """The same as :meth:`Queue.embed`, in the transaction that ``connection`` is in, if it is in one."""
    await connection.execute(DEFER_EMBEDDING, queue_of(model), LANES)


def queue_of(model: str) -> str:
    """The queue that workers with this model look at: others cannot embed for it."""
    if len(model) > LONGEST_NAME:
        model = f"{model[: LONGEST_NAME - 17]}…{hashlib.blake2b(model.encode(), digest_size=8).hexdigest()}"
    return f"{EMBED}/{model}"


def _error_named(code: str) -> type[connectors.errors.SourceError]:
    kinds = (each for each in vars(connectors.errors).values() if isinstance(each, type))
    known = {each.code: each for each in kinds if issubclass(each, connectors.errors.SourceError)}
    return known.get(code, connectors.errors.Unavailable)
