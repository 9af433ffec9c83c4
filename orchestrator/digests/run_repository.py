"""What digests must not forget, in the database of the local index: a run is kept whole or not at all.

A run's content, how far each source was read, what was told, what is to be delivered and the next run are written in one
transaction, so that whoever is killed in between has done nothing, and whoever does it again does it once.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import field
from datetime import UTC
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from storage.jobs.schema import JOBS
from storage.migrations import Migrations
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from orchestrator.digests.matters import ToldEvent
    from storage.database import Database

DIGESTS = Migrations("digests", "orchestrator.digests", after=(JOBS,))
RUN, DELIVER = "digest", "deliver"  # tasks, and the queues that they wait in
NO_MARKS: Mapping[str, datetime] = MappingProxyType({})

DEFER = """
    SELECT unnest(procrastinate_defer_jobs_v1(ARRAY[
        ROW($1, $1, 0, $2, NULL, $3::jsonb, $4)::procrastinate_job_to_defer_v1
    ]))
"""
PUT_RUN = """
    INSERT INTO digest_runs (digest, due, person, since, until, content) VALUES ($1, $2, $3, $4, $5, $6::jsonb)
    ON CONFLICT DO NOTHING RETURNING digest
"""
PUT_EVENTS = """
    INSERT INTO digest_events (digest, due, source, id, happened)
    SELECT $1, $2, unnest($3::text[]), unnest($4::text[]), unnest($5::timestamptz[])
"""
PUT_MARK = """
    INSERT INTO digest_marks (digest, source, covered) VALUES ($1, $2, $3)
    ON CONFLICT (digest, source) DO UPDATE SET covered = excluded.covered
"""
PUT_PLAN = """
    INSERT INTO digest_plans (digest, schedule, due) VALUES ($1, $2, $3)
    ON CONFLICT (digest) DO UPDATE SET schedule = excluded.schedule, due = excluded.due
"""
PUT_OUT = "INSERT INTO outbox (key, digest, due, place, target) VALUES ($1, $2, $3, $4, $5)"
TOLD = "SELECT source, id, happened FROM digest_events WHERE digest = $1 AND happened >= $2"
RUNS = """
    SELECT r.digest, r.due, r.since, r.until, r.made, r.person FROM digest_runs r
    WHERE r.digest = ANY($1::text[]) AND r.person = ANY($2::text[]) ORDER BY r.due DESC, r.digest LIMIT $3
"""
OUT = """
    SELECT o.key, o.digest, o.due, o.place, o.target, o.status, o.attempts, o.problem, o.changed FROM outbox o
    JOIN digest_runs r USING (digest, due)
    WHERE o.digest = ANY($1::text[]) AND o.status = ANY($2::text[]) AND ($4::text[] IS NULL OR r.person = ANY($4)) ORDER BY o.changed DESC, o.key LIMIT $3
"""
HAS_JOB = """
    SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE queue_name = $1 AND status IN ('todo', 'doing') AND args = $2::jsonb)
"""
ORPHANS = """
    SELECT key FROM outbox o WHERE status = 'waiting' AND NOT EXISTS (
        SELECT FROM procrastinate_jobs j WHERE j.queue_name = 'deliver' AND j.status IN ('todo', 'doing')
            AND j.args = jsonb_build_object('key', o.key)
    )
"""


@record
class Destination:
    """Where something is delivered: what people are told of it, and a digest of its address."""

    shown: str
    target: str


@record
class NewRun:
    """All that a run leaves behind. ``content`` as JSON; ``marks``: how far each source has been read."""

    digest: str
    due: datetime
    person: str
    since: datetime
    until: datetime
    content: Mapping[str, Any]
    marks: Mapping[str, datetime] = field(default_factory=lambda: NO_MARKS)
    events: Sequence[ToldEvent] = ()
    places: Sequence[Destination] = ()


@record
class PlannedRun:
    """When the next run is due, by which schedule; ``at``: when the job is taken up, later if this one was late."""

    schedule: str
    due: datetime
    at: datetime


@record
class StoredRun:
    """A run that was made."""

    digest: str
    due: datetime
    since: datetime
    until: datetime
    made: datetime
    person: str


@record
class Outgoing:
    """One delivery. ``status``: waiting, sent or dead; ``problem``: what the last attempt ended with, for people."""

    key: str
    digest: str
    due: datetime
    place: str
    target: str
    status: str
    attempts: int
    problem: str
    changed: datetime


class RunRepository:
    """Raises only :class:`connectors.errors.SourceError`."""

    def __init__(self, database: Database) -> None:
        database.register(DIGESTS)
        self.database = database

    async def marks(self, digest: str) -> Mapping[str, datetime]:
        """By source, up to when all has been told."""
        rows = await self._fetch("SELECT source, covered FROM digest_marks WHERE digest = $1", digest)
        return {row["source"]: row["covered"] for row in rows}

    async def told(self, digest: str, since: datetime) -> frozenset[ToldEvent]:
        """What has been told of what happened since then."""
        rows = await self._fetch(TOLD, digest, since)
        return frozenset((row["source"], row["id"], row["happened"]) for row in rows)

    async def content(self, digest: str, due: datetime) -> Mapping[str, Any] | None:
        """What a run was made of; ``None`` where it was not."""
        rows = await self._fetch("SELECT content FROM digest_runs WHERE digest = $1 AND due = $2", digest, due)
        return json.loads(rows[0]["content"]) if rows else None

    async def latest(self, digest: str, person: str) -> Mapping[str, Any] | None:
        """What the last run for this person was made of; a name that was another's once tells nothing of theirs."""
        statement = "SELECT content FROM digest_runs WHERE digest = $1 AND person = $2 ORDER BY due DESC LIMIT 1"
        rows = await self._fetch(statement, digest, person)
        return json.loads(rows[0]["content"]) if rows else None

    async def began(self, digest: str) -> datetime | None:
        """From when on the first run told of things; ``None`` where there was none."""
        rows = await self._fetch("SELECT min(since) AS since FROM digest_runs WHERE digest = $1", digest)
        return rows[0]["since"] if rows else None

    async def starting_over(self, digest: str, now: datetime) -> datetime | None:
        """Where to begin again if the clock was put back: before the first run that read beyond ``now``."""
        statement = "SELECT min(since) AS since FROM digest_runs WHERE digest = $1 AND until > $2"
        rows = await self._fetch(statement, digest, now)
        return rows[0]["since"] if rows else None

    async def keep(self, run: NewRun, plan: PlannedRun | None) -> bool:
        """Write a run down, put its deliveries into the outbox, plan the next. ``False`` where it was there already."""

        async def put(connection: Any) -> bool:
            async with connection.transaction():
                content = json.dumps(run.content, ensure_ascii=False)
                told = (run.digest, run.due, run.person, run.since, run.until, content)
                if await connection.fetchval(PUT_RUN, *told) is None:
                    return False
                if run.events:
                    sources, ids, moments = zip(*run.events, strict=True)
                    await connection.execute(PUT_EVENTS, run.digest, run.due, sources, ids, moments)
                for source, covered in run.marks.items():
                    await connection.execute(PUT_MARK, run.digest, source, covered)
                for place in run.places:
                    key = key_of(run.digest, run.due, place.target)
                    await connection.execute(PUT_OUT, key, run.digest, run.due, place.shown, place.target)
                    await connection.execute(DEFER, DELIVER, f"outbox/{key}", json.dumps({"key": key}), None)
                if plan is not None:
                    await _planned(connection, run.digest, plan)
            return True

        return await self.database.run(put)

    # ---- plans

    async def due(self, digest: str) -> tuple[str, datetime] | None:
        """The schedule and moment of the next run; ``None`` where none is planned."""
        rows = await self._fetch("SELECT schedule, due FROM digest_plans WHERE digest = $1", digest)
        return (rows[0]["schedule"], rows[0]["due"]) if rows else None

    async def plan(self, digest: str, plan: PlannedRun) -> None:
        """The next run, in the place of what was planned; its job waits until then."""

        async def put(connection: Any) -> None:
            async with connection.transaction():
                await _planned(connection, digest, plan)

        await self.database.run(put)

    async def is_waiting(self, digest: str, due: datetime) -> bool:
        """Whether a job for that run waits or is being done."""
        rows = await self._fetch(HAS_JOB, RUN, json.dumps(_named(digest, due)))
        return bool(rows[0]["exists"])

    async def unplan(self, digests: Iterable[str]) -> None:
        """Forget the plans of all but these: what is no longer configured does not run."""
        await self._execute("DELETE FROM digest_plans WHERE digest <> ALL($1::text[])", list(digests))

    async def drop_plan(self, digest: str) -> None:
        """Its next run is not made."""
        await self._execute("DELETE FROM digest_plans WHERE digest = $1", digest)

    # ---- the outbox

    async def outgoing(self, key: str) -> Outgoing | None:
        """One delivery."""
        names = "key, digest, due, place, target, status, attempts, problem, changed"
        rows = await self._fetch(f"SELECT {names} FROM outbox WHERE key = $1", key)  # noqa: S608 - no value in it
        return Outgoing(**rows[0]) if rows else None

    async def outbox(
        self, digests: Sequence[str], statuses: Sequence[str], most: int = 50, people: Sequence[str] | None = None
    ) -> tuple[Outgoing, ...]:
        """Deliveries, the latest first; with ``people`` only of runs that were made for them."""
        whose = None if people is None else list(people)
        rows = await self._fetch(OUT, list(digests), list(statuses), most, whose)
        return tuple(Outgoing(**row) for row in rows)

    async def attempted(self, key: str, status: str, problem: str = "", at: datetime | None = None) -> None:
        """Remember what came of an attempt; the next is made ``at`` that moment by the database's clock, if at all."""

        async def put(connection: Any) -> None:
            async with connection.transaction():
                statement = (
                    "UPDATE outbox SET status = $2, problem = $3, attempts = attempts + 1, changed = now() "
                    "WHERE key = $1 AND status = 'waiting'"
                )
                await connection.execute(statement, key, status, problem)
                if at is not None:
                    await connection.execute(DEFER, DELIVER, f"outbox/{key}", json.dumps({"key": key}), at)

        await self.database.run(put)

    async def reawaken(self) -> None:
        """Deliveries that wait without a job: one that ended with a fault of ours leaves them so."""
        rows = await self._fetch(ORPHANS)
        for row in rows:
            told = json.dumps({"key": row["key"]})
            await self._execute(DEFER, DELIVER, f"outbox/{row['key']}", told, None)

    async def again(self, key: str) -> bool:
        """Have a dead delivery tried again; ``False`` where there is none of that key."""

        async def put(connection: Any) -> bool:
            async with connection.transaction():
                statement = "UPDATE outbox SET status = 'waiting', attempts = 0 WHERE key = $1 AND status = 'dead' RETURNING key"
                if await connection.fetchval(statement, key) is None:
                    return False
                await connection.execute(DEFER, DELIVER, f"outbox/{key}", json.dumps({"key": key}), None)
            return True

        return await self.database.run(put)

    async def runs(self, digests: Sequence[str], people: Sequence[str], most: int = 20) -> tuple[StoredRun, ...]:
        """Runs that were made for these people, the latest first."""
        return tuple(StoredRun(**row) for row in await self._fetch(RUNS, list(digests), list(people), most))

    async def forget(self, before: datetime) -> None:
        """Runs that are older, with what was told and sent in them, but never the last of a digest."""
        statement = """
            DELETE FROM digest_runs r WHERE due < $1
                AND due < (SELECT max(due) FROM digest_runs l WHERE l.digest = r.digest)
                AND NOT EXISTS (SELECT FROM outbox o WHERE o.digest = r.digest AND o.due = r.due AND o.status = 'waiting')
        """
        await self._execute(statement, before)

    async def _fetch(self, statement: str, *values: Any) -> list[dict[str, Any]]:
        return [dict(row) for row in await self.database.run(lambda each: each.fetch(statement, *values))]

    async def _execute(self, statement: str, *values: Any) -> None:
        await self.database.run(lambda each: each.execute(statement, *values))


def key_of(digest: str, due: datetime, target: str) -> str:
    """What a delivery is known by, here and to whom it goes: the same however often it is tried."""
    said = f"{digest}\n{due.timestamp():.0f}\n{target}"
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _named(digest: str, due: datetime) -> dict[str, str]:
    return {"digest": digest, "due": due.astimezone(UTC).isoformat()}


async def _planned(connection: Any, digest: str, plan: PlannedRun) -> None:
    await connection.execute(PUT_PLAN, digest, plan.schedule, plan.due)
    told = json.dumps(_named(digest, plan.due))
    # A lock of its own: one that it shared with the run of an older plan would have it wait until that one is due.
    await connection.execute(DEFER, RUN, f"{RUN}/{digest}/{plan.due.timestamp():.0f}", told, plan.at)
