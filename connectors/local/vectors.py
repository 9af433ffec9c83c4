"""Vectors in the index: the models that made them, the chunks that wait for one, and the addresses of documents."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from connectors.local.jobs.queue import LANES
from connectors.local.rights import WRITING, seen_by
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connectors.local.shards import IndexReader
    from connectors.models.embedding import Embedder, Vectors

INDEXED_DIMENSIONS = 4000  # of half precision, pgvector's limit for an index: https://github.com/pgvector/pgvector#hnsw
INDEXING = 0x6665_6469  # the number of the advisory lock: "fedi"
REMEMBERED = 5.0  # seconds for which a count of what waits is good enough to be told
UNREAD = """
    SELECT s.readers, s.chunks - coalesce(e.chunks, 0) AS waiting FROM reader_sets s
        LEFT JOIN (SELECT readers, count(*) AS chunks FROM embeddings WHERE model = $1 GROUP BY readers) e USING (readers)
    WHERE s.chunks > coalesce(e.chunks, 0)
"""
# Nobody writes documents until this is written: see :data:`connectors.local.rights.CHANGE`.
HOLD_WRITERS = "SELECT pg_advisory_xact_lock_shared($1)"
PUT_VECTORS = """
    INSERT INTO embeddings (chunk, document, model, vector, readers)
    SELECT c.id, c.document, $3::smallint, given.vector::vector, c.readers
    FROM unnest($1::bigint[], $2::text[]) AS given (id, vector) JOIN chunks c ON c.id = given.id ORDER BY c.id
    ON CONFLICT (chunk) DO UPDATE SET model = excluded.model, vector = excluded.vector, readers = excluded.readers
"""
WAITING = """
    SELECT p.chunk, p.meaning FROM passages p LEFT JOIN embeddings e ON e.chunk = p.chunk AND e.model = $1
    WHERE e.chunk IS NULL AND p.chunk > $3 AND ($4::integer IS NULL OR p.chunk % $5 = $4) ORDER BY p.chunk LIMIT $2
"""
WAITING_PLACES = """
    SELECT DISTINCT d.address FROM documents d LEFT JOIN places p ON p.address = d.address AND p.model = $1
    WHERE p.address IS NULL AND d.address <> '' LIMIT $2
"""
PUT_PLACES = """
    INSERT INTO places (address, model, vector)
    SELECT given.address, $3::smallint, given.vector::vector FROM unnest($1::text[], $2::text[]) AS given (address, vector)
    ON CONFLICT (address, model) DO UPDATE SET vector = excluded.vector
"""


@record
class Model:
    """An embedding model as the index knows it."""

    id: int
    name: str
    dimension: int


@record
class Waiting:
    """A chunk without a vector of the model in use, and the text that has to be embedded."""

    chunk: int
    text: str


class MissingVectors:
    """How many chunks have no vector of a model, for each set of readers; counted anew every few seconds, as that reads a whole index."""

    def __init__(self) -> None:
        self._known: list[tuple[frozenset[int], int]] = []
        self._until = 0.0

    async def count(self, reader: IndexReader, model: Model, principals: Sequence[str]) -> int:
        """Of those that ``principals`` may see, as it is now or was some seconds ago."""
        now = asyncio.get_running_loop().time()
        if now >= self._until:
            self._until = now + REMEMBERED
            rows = await reader.run(lambda each: each.fetch(UNREAD, model.id))
            self._known = [(frozenset(row["readers"]), row["waiting"]) for row in rows]
        if not self._known:
            return 0
        seen = await reader.run(lambda each: seen_by(each, principals))
        return sum(waiting for readers, waiting in self._known if not readers.isdisjoint(seen))


async def known_model(connection: Any, embedder: Embedder) -> Model:
    """The model of an embedder, with an index over its vectors, made where it is new."""
    name, dimension = embedder.name, embedder.dimension
    model_id = await connection.fetchval("SELECT id FROM models WHERE name = $1 AND dimension = $2", name, dimension)
    if model_id is None:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", INDEXING)
            model_id = await connection.fetchval(
                "INSERT INTO models (name, dimension) VALUES ($1, $2) "
                "ON CONFLICT (name, dimension) DO UPDATE SET name = excluded.name RETURNING id",
                name, dimension,
            )  # fmt: skip
            if dimension <= INDEXED_DIMENSIONS:
                await connection.execute(
                    f"CREATE INDEX IF NOT EXISTS embeddings_half_{model_id} ON embeddings "
                    f"USING hnsw ((vector::halfvec({dimension})) halfvec_cosine_ops) WHERE model = {model_id}"
                )
    return Model(model_id, name, dimension)


async def waiting(connection: Any, model: Model, limit: int, after: int = 0, lane: int | None = None) -> list[Waiting]:
    """Chunks that have no vector of ``model``: new ones, changed ones, and those that another model read.

    ``lane``: only those of one lane, by their number, so that several workers never meet.
    """
    rows = await connection.fetch(WAITING, model.id, limit, after, lane, LANES)
    return [Waiting(row["chunk"], row["meaning"]) for row in rows]


async def put_vectors(
    connection: Any, model: Model, chunks: Sequence[int], vectors: Vectors | Iterable[Vectors]
) -> None:
    """Give chunks their vectors; of a chunk that has gone meanwhile, nothing is kept."""
    told = [as_text(each) for each in vectors]
    async with connection.transaction():  # two statements: what is read is what was there once the writers were held
        await connection.execute(HOLD_WRITERS, WRITING)
        await connection.execute(PUT_VECTORS, list(chunks), told, model.id)


async def waiting_places(connection: Any, model: Model, limit: int) -> list[str]:
    """Addresses of documents that have no vector of ``model``."""
    return [row["address"] for row in await connection.fetch(WAITING_PLACES, model.id, limit)]


async def put_places(connection: Any, model: Model, addresses: Sequence[str], vectors: Vectors) -> None:
    """Give addresses their vectors."""
    await connection.execute(PUT_PLACES, list(addresses), [as_text(each) for each in vectors], model.id)


def as_text(vector: Vectors) -> str:
    """A vector as pgvector reads it."""
    return str(vector.tolist())
