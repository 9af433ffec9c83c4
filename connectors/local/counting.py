"""How many chunks there are, how long, and with which terms: counted for each set of readers, told of what an asker may see.

Whatever weighs a question has to come from here. A count over the whole index would tell whoever asks, by the order and
the scores of their own documents, which words stand in those of others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Chunks that come and chunks that go, each once, the latter with -1.
CHANGED = """
    WITH changed AS (
        SELECT c.readers, c.length, c.terms, given.sign
        FROM (SELECT unnest($1::bigint[]) AS id, 1 AS sign UNION ALL SELECT unnest($2::bigint[]), -1) given JOIN chunks c USING (id)
    )
"""
COUNT_CHUNKS = f"""{CHANGED}
    INSERT INTO reader_sets AS s (readers, chunks, terms) SELECT readers, sum(sign), sum(sign * length) FROM changed GROUP BY readers
    ON CONFLICT (readers) DO UPDATE SET chunks = s.chunks + excluded.chunks, terms = s.terms + excluded.terms
    RETURNING s.id, s.chunks
"""  # noqa: S608 — a text of ours
COUNT_TERMS = f"""{CHANGED}, counted AS (
        INSERT INTO frequencies AS f (term, reader_set, chunks)
        SELECT lexeme, s.id, sum(sign) FROM changed JOIN reader_sets s USING (readers), unnest(changed.terms)
        GROUP BY lexeme, s.id HAVING sum(sign) <> 0 ORDER BY lexeme, s.id
        ON CONFLICT (term, reader_set) DO UPDATE SET chunks = f.chunks + excluded.chunks
        RETURNING f.term, f.reader_set, f.chunks
    ) SELECT term, reader_set FROM counted WHERE chunks = 0
"""  # noqa: S608 — a text of ours
FORGET_TERMS = """
    DELETE FROM frequencies f USING unnest($1::text[], $2::integer[]) AS gone (term, reader_set)
    WHERE f.term = gone.term AND f.reader_set = gone.reader_set
"""
FORGET_SETS = "DELETE FROM reader_sets WHERE id = ANY($1::integer[])"
SEEN = """
    WITH seen AS MATERIALIZED (SELECT id, chunks, terms FROM reader_sets WHERE readers && $1::integer[])
    SELECT NULL AS term, coalesce(sum(chunks), 0)::bigint AS chunks, coalesce(sum(terms), 0)::bigint AS terms FROM seen
    UNION ALL
    SELECT f.term, sum(f.chunks)::bigint, 0 FROM frequencies f JOIN seen ON seen.id = f.reader_set
    WHERE f.term = ANY($2::text[]) GROUP BY f.term
"""
CHUNKS_SEEN = "SELECT coalesce(sum(chunks), 0)::bigint FROM reader_sets WHERE readers && $1::integer[]"


@record
class VisibleCounts:
    """Of what an asker may see: chunks, terms in all of them with repeats, and of each term asked for how many hold it."""

    chunks: int
    terms: int
    holding: Mapping[str, int]


async def recount(connection: Any, added: Sequence[int], gone: Sequence[int]) -> None:
    """Count chunks that were ``added``, and no longer those that are ``gone``; both by number, and both still there.

    Inside the writers' lock. What nobody holds any more is not kept.
    """
    if not (added or gone):
        return
    sets = await connection.fetch(COUNT_CHUNKS, added, gone)
    if none := await connection.fetch(COUNT_TERMS, added, gone):
        await connection.execute(FORGET_TERMS, [row["term"] for row in none], [row["reader_set"] for row in none])
    if empty := [row["id"] for row in sets if not row["chunks"]]:
        await connection.execute(FORGET_SETS, empty)


async def counted(connection: Any, readers: Sequence[int], terms: Sequence[str]) -> VisibleCounts:
    """What BM25 needs to know of the chunks that ``readers`` (numbers of audiences) may see, at one moment."""
    every, *held = await connection.fetch(SEEN, readers, terms)
    return VisibleCounts(every["chunks"], every["terms"], {row["term"]: row["chunks"] for row in held})


async def chunks_seen(connection: Any, readers: Sequence[int]) -> int:
    """How many chunks ``readers`` may see."""
    seen: int = await connection.fetchval(CHUNKS_SEEN, readers)
    return seen
