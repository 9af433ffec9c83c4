"""What the index puts off: embedding for a model, pulling a source."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from storage.jobs.queue import Queue

if TYPE_CHECKING:
    from collections.abc import Sequence

EMBED, SYNC = "embed", "sync"
LANES = 4  # as many workers can embed at a time; each chunk is in one lane, by its number
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
HURRY = "UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE queue_name = $1 AND status = 'todo' AND scheduled_at > now()"


class IndexQueue(Queue):
    """The jobs of one index. Raises only :class:`connectors.errors.SourceError`."""

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


async def defer_embedding(connection: Any, model: str) -> None:
    """The same as :meth:`IndexQueue.embed`, in the transaction that ``connection`` is in, if it is in one."""
    await connection.execute(DEFER_EMBEDDING, queue_of(model), LANES)


def queue_of(model: str) -> str:
    """The queue that workers with this model look at: others cannot embed for it."""
    if len(model) > LONGEST_NAME:
        model = f"{model[: LONGEST_NAME - 17]}…{hashlib.blake2b(model.encode(), digest_size=8).hexdigest()}"
    return f"{EMBED}/{model}"
