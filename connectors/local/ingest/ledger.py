"""What is remembered of collections: where each lies, how its files were when they were read, which documents they gave."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from connectors.errors import Unavailable
from connectors.local.ingest.drafts import Reason
from connectors.local.ingest.report import SkippedFile
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from datetime import datetime

    from storage.database import Database

PUT_COLLECTION = """
    INSERT INTO collections (name, place, given) VALUES ($1, $2, $3)
    ON CONFLICT (name) DO UPDATE SET given = excluded.given WHERE collections.place = excluded.place
    RETURNING name
"""
PUT_FILE = """
    INSERT INTO files (collection, path, size, modified, trusted, digest, given, skipped)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (collection, path) DO UPDATE SET size = excluded.size, modified = excluded.modified,
        trusted = excluded.trusted, digest = excluded.digest, given = excluded.given, skipped = excluded.skipped
"""
COLLECTIONS = """
    SELECT c.name, c.place, c.given, c.finished,
        (SELECT count(*) FROM files f WHERE f.collection = c.name) AS files,
        (SELECT count(*) FROM documents d WHERE d.source = c.name) AS documents,
        (SELECT coalesce(sum(jsonb_array_length(f.skipped)), 0) FROM files f WHERE f.collection = c.name) AS skipped
    FROM collections c ORDER BY c.name
"""
DOCUMENTS = "SELECT native_id, facts->>'file' AS file FROM documents WHERE source = $1"


@record
class Collection:
    """One folder or file that was added. ``finished``: when it was last read to its end."""

    name: str
    place: str
    visible_to: tuple[str, ...]
    files: int
    documents: int
    skipped: int
    finished: datetime | None


@record
class Stamp:
    """How a file was when it was read."""

    path: str
    size: int
    modified: int
    trusted: bool
    digest: bytes
    given: bytes
    skipped: tuple[SkippedFile, ...] = ()


class IngestLedger:
    """The tables ``collections`` and ``files``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[None]:
        """For who reads a collection or removes it. Raises :class:`Unavailable` where another process just does."""
        async with self._database.held(f"collection/{name}") as mine:
            if not mine:
                raise Unavailable(
                    f"{name} is just being read or removed by another process; run this again when that one is done"
                )
            yield

    async def begin(self, name: str, place: str, given: dict[str, Any]) -> bool:
        """Note a collection; ``False`` where its name belongs to another place."""
        told = json.dumps(given, ensure_ascii=False)
        return await self._database.run(lambda each: each.fetchval(PUT_COLLECTION, name, place, told)) is not None

    async def finish(self, name: str) -> None:
        """It has been read to its end."""
        await self._database.run(
            lambda each: each.execute("UPDATE collections SET finished = now() WHERE name = $1", name)
        )

    async def stamps(self, name: str) -> dict[str, Stamp]:
        """The files of a collection as they were."""
        rows = await self._database.run(lambda each: each.fetch("SELECT * FROM files WHERE collection = $1", name))
        return {row["path"]: _stamp(row) for row in rows}

    async def put(self, name: str, stamps: Sequence[Stamp]) -> None:
        """Remember files as they were read."""
        rows = [
            (name, each.path, each.size, each.modified, each.trusted, each.digest, each.given, _told(each.skipped))
            for each in stamps
        ]
        await self._database.run(lambda connection: connection.executemany(PUT_FILE, rows))

    async def forget(self, name: str, paths: Sequence[str]) -> None:
        """Files are gone."""
        await self._database.run(
            lambda each: each.execute(
                "DELETE FROM files WHERE collection = $1 AND path = ANY($2::text[])", name, list(paths)
            )
        )

    async def documents(self, name: str) -> dict[str, set[str]]:
        """The ids of a collection's documents by the file they came from."""
        rows = await self._database.run(lambda each: each.fetch(DOCUMENTS, name))
        found: dict[str, set[str]] = {}
        for row in rows:
            found.setdefault(row["file"] or "", set()).add(row["native_id"])
        return found

    async def collections(self) -> list[Collection]:
        """All of them, by name."""
        rows = await self._database.run(lambda each: each.fetch(COLLECTIONS))
        return [
            Collection(
                row["name"],
                row["place"],
                tuple(json.loads(row["given"]).get("visible_to", ())),
                row["files"],
                row["documents"],
                int(row["skipped"]),
                row["finished"],
            )
            for row in rows
        ]

    async def remove(self, name: str) -> bool:
        """Forget a collection; whether there was one."""
        told: str = await self._database.run(lambda each: each.execute("DELETE FROM collections WHERE name = $1", name))
        return told != "DELETE 0"


def _stamp(row: Any) -> Stamp:
    skipped = tuple(SkippedFile(path, Reason(reason), detail) for path, reason, detail in json.loads(row["skipped"]))
    return Stamp(row["path"], row["size"], row["modified"], row["trusted"], row["digest"], row["given"], skipped)


def _told(skipped: Sequence[SkippedFile]) -> str:
    # PostgreSQL's jsonb holds no NUL, and paths in archives hold whatever somebody wrote.
    return json.dumps([[each.path, each.reason, each.detail] for each in skipped]).replace("\\u0000", "\\ufffd")
