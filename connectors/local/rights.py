"""Who may see a document, as the searches see it: numbers that are kept in step with the names in its principals.

A document of few principals has the number of each. One of many (a private channel with all its members) has one number
for all of them together, so that its chunks stay small.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from connectors.local.counting import recount

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

WRITING = 0x6665_6477  # the number of the advisory lock of whoever writes documents: "fedw"
FEW = 32  # principals of a document that have a number each
PUT = """
    INSERT INTO audiences (digest, members)
    SELECT given.digest, ARRAY(SELECT jsonb_array_elements_text(given.members::jsonb))
    FROM unnest($1::bytea[], $2::text[]) AS given (digest, members) ON CONFLICT (digest) DO NOTHING
"""
GET = "SELECT digest, id FROM audiences WHERE digest = ANY($1::bytea[])"
SEEN_BY = "SELECT array_agg(id) FROM audiences WHERE members && $1::text[]"
GIVEN = """
    WITH given AS MATERIALIZED (
        SELECT document, readers::integer[] AS readers FROM unnest($1::bigint[], $2::text[]) AS said (document, readers)
    )
"""
CHANGING = f"""{GIVEN}
    SELECT chunks.id FROM chunks, given WHERE chunks.document = given.document AND chunks.readers <> given.readers
"""  # noqa: S608 — a text of ours
# First chunks, then vectors, inside the writers' lock: whoever gives a chunk its vector holds writers off meanwhile, and so either sees the
# new readers or has its vector seen here.
CHANGE = tuple(
    f"""{GIVEN}
    UPDATE {table} SET readers = given.readers FROM given
    WHERE {table}.document = given.document AND {table}.readers <> given.readers
    """  # noqa: S608 — a text of ours
    for table in ("chunks", "embeddings")
)


async def readers_of(connection: Any, principals: Iterable[tuple[str, ...]]) -> Mapping[tuple[str, ...], list[int]]:
    """The numbers for each of some sets of principals, made where they are new, inside the writers' lock."""
    wanted = {each: _audiences(each) for each in principals}
    known = {_digest(members): members for audiences in wanted.values() for members in audiences}
    if known:
        told = [_json(members) for members in known.values()]
        await connection.execute(PUT, list(known), told)
    numbers = {known[row["digest"]]: row["id"] for row in await connection.fetch(GET, list(known))}
    return {each: sorted(numbers[members] for members in audiences) for each, audiences in wanted.items()}


async def change_readers(connection: Any, readers: Mapping[int, Sequence[int]]) -> None:
    """Let documents be seen by others than before, by their numbers, and counted for those. Inside the writers' lock."""
    documents, told = list(readers), [as_array(each) for each in readers.values()]
    chunks = [row["id"] for row in await connection.fetch(CHANGING, documents, told)] if documents else []
    await recount(connection, [], chunks)
    for statement in CHANGE if documents else ():
        await connection.execute(statement, documents, told)
    await recount(connection, chunks, [])


async def seen_by(connection: Any, principals: Sequence[str]) -> list[int]:
    """The numbers of all audiences that one of ``principals`` belongs to; none for nobody."""
    return (await connection.fetchval(SEEN_BY, list(principals))) or []


def as_array(numbers: Iterable[int]) -> str:
    """As PostgreSQL reads an array: those of one call may differ in length, which its arrays of arrays may not."""
    return f"{{{','.join(map(str, numbers))}}}"


def _audiences(principals: tuple[str, ...]) -> Collection[tuple[str, ...]]:
    return [(each,) for each in principals] if len(principals) <= FEW else [principals]


def _digest(members: tuple[str, ...]) -> bytes:
    return hashlib.sha256(_json(members).encode()).digest()


def _json(members: tuple[str, ...]) -> str:
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))
