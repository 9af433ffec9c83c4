"""The local index as everybody else uses it: put documents in, take them out, keep cursors, search, count.

::

    async with open_index(IndexSettings(data_dir="…")) as index:
        await index.upsert([Document("files", "notes/plan.md", "Plan", (Passage("…"),), (PUBLIC,))], cursor="42")
        await index.embed_waiting()
        found = await index.search(Question("who decides?", "decide", index.scope("user:sarah")))

Raises only :class:`connectors.errors.SourceError`, and passes cancellation.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, SecretStr

from connectors.index_mark import put_mark
from connectors.local import vectors, writing
from connectors.local.counting import chunks_seen
from connectors.local.documents import PUBLIC, known_as
from connectors.local.jobs.queue import defer_embedding
from connectors.local.numbers import Numbers, default_numbers
from connectors.local.pipeline import IndexQuery, Pipeline, RetrievalResult
from connectors.local.retrieval import RetrievalScope
from connectors.local.rights import seen_by
from connectors.local.shards import IndexReader
from connectors.local.tables import INDEX
from connectors.models import lacks_embedder, open_embedder, open_reranker
from connectors.models.embedding import Embedder, EmbedderSettings
from connectors.models.reranking import Reranker, RerankerSettings
from storage.opening import database_at
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

    from connectors.local.documents import Document
    from connectors.local.writing import WriteResult
    from storage.database import Database
    from translators.translator import Json

BATCH = 64  # chunks that are embedded and stored at a time
ADDRESSES = 256


class IndexSettings(BaseModel):
    """Where the index is and by which models it is read.

    ``database_url``: a PostgreSQL server with pgvector; without it, an embedded one keeps its data under ``data_dir``.
    ``durable`` off is for tests. ``embedder`` of the model ``none`` leaves meaning out, and so does one that is not installed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    database_url: SecretStr | None = None
    data_dir: str = ""
    durable: bool = True
    connections: int = 8
    embedder: EmbedderSettings = EmbedderSettings()
    reranker: RerankerSettings = RerankerSettings(model="local")


@record
class Stats:
    """How much is in the index. ``embedded``: chunks with a vector of the model in use; the rest waits."""

    documents: int
    chunks: int
    embedded: int
    model: str
    sources: dict[str, int]
    bytes: int

    @property
    def waiting(self) -> int:
        """Chunks that are found by words alone until the model in use has read them."""
        return self.chunks - self.embedded if self.model else 0


class IndexStore:
    """The facade. Safe for concurrent use in one event loop; several processes may use one database."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        numbers: Numbers | None = None,
        data_dir: str = "",
    ) -> None:
        database.register(INDEX)
        self.database = database
        self._data_dir = data_dir
        self.embedder = embedder
        self.reader = IndexReader(database)
        self.pipeline = Pipeline(self.reader, numbers or default_numbers(), embedder, reranker)
        self._reranker = reranker

    async def open(self) -> None:
        """Start the server and bring its schema up to date; otherwise the first question does."""
        await self._mark()

    # ---- writing

    async def upsert(
        self, documents: Iterable[Document], cursor: str | None = None, cursor_of: str = ""
    ) -> WriteResult:
        """Add or change documents, all of them or none; when this returns they are safe on disk.

        Documents of which nothing has changed are not written. ``cursor``: how far their source has been read,
        remembered in the same transaction under ``cursor_of`` (by default the source of the documents), as is that new
        text has to be embedded (:mod:`connectors.local.jobs`). Some hundred documents at a time are quickest.
        """
        given = list(documents)
        name = cursor_of or (given[0].source if given else "")

        async def put(connection: Any) -> WriteResult:
            async with connection.transaction():
                written = await writing.write(connection, given)
                if self.embedder is not None and written.added + written.changed:
                    await defer_embedding(connection, self.embedder.name)
                if cursor is not None and name:
                    await connection.execute(SET_CURSOR, name, cursor)
                return written

        written = await self.database.run(put)
        if written.added:
            await asyncio.to_thread(put_mark, self._data_dir, holds=True)
        return written

    async def delete(self, source: str, ids: Sequence[str]) -> int:
        """Remove documents of a source; how many there were."""
        return await self._erased(source, list(map(known_as, ids)))

    async def delete_source(self, source: str) -> int:
        """Remove all of a source and its cursor; how many documents there were."""
        return await self._erased(source, None)

    async def contents(self, source: str) -> dict[str, bytes]:
        """The digest of each document of a source by its id, as :attr:`Document.content` says: what is there, what changed."""
        rows = await self.database.run(
            lambda connection: connection.fetch("SELECT native_id, content FROM documents WHERE source = $1", source)
        )
        return {row["native_id"]: row["content"] for row in rows}

    async def cursor(self, source: str) -> str | None:
        """How far a source has been read."""
        found: str | None = await self.database.run(
            lambda connection: connection.fetchval("SELECT cursor FROM cursors WHERE source = $1", source)
        )
        return found

    async def set_cursor(self, source: str, cursor: str) -> None:
        """Remember how far a source has been read; better with :meth:`upsert`."""
        await self.database.run(lambda connection: connection.execute(SET_CURSOR, source, cursor))

    async def set_members(self, group: str, members: Sequence[str]) -> None:
        """Who belongs to a group (``group:eng``) from now on; groups may belong to groups."""

        async def put(connection: Any) -> None:
            async with connection.transaction():
                await connection.execute("DELETE FROM memberships WHERE principal = $1", group)
                rows = [(member, group) for member in dict.fromkeys(members)]
                await connection.executemany("INSERT INTO memberships (member, principal) VALUES ($1, $2)", rows)

        await self.database.run(put)

    async def groups(self) -> Mapping[str, Sequence[str]]:
        """Every group that has members, with those who belong to it directly."""
        rows = await self.database.run(lambda connection: connection.fetch(MEMBERS))
        return {row["principal"]: row["members"] for row in rows}

    async def _erased(self, source: str, ids: list[str] | None) -> int:
        async def take(connection: Any) -> int:
            async with connection.transaction():
                if ids is None:
                    await connection.execute("DELETE FROM cursors WHERE source = $1", source)
                return await writing.erase(connection, source, ids)

        count = await self.database.run(take)
        if count:
            await self._mark()
        return count

    async def _mark(self) -> None:
        """Have the mark say what is so: see :mod:`connectors.index_mark`."""
        holds: bool = await self.database.run(lambda connection: connection.fetchval(HOLDS_ANY))
        await asyncio.to_thread(put_mark, self._data_dir, holds=holds)

    # ---- vectors

    async def embed_waiting(
        self,
        limit: int | None = None,
        on_progress: Callable[[int], None] = lambda _: None,
        lane: int | None = None,
    ) -> int:
        """Embed chunks that have no vector of the model in use, and their addresses; how many there were.

        Each batch is kept at once: stopped anywhere, it goes on from there. After a change of the model, everything waits.
        ``lane``: one of :data:`connectors.local.jobs.queue.LANES`, whose chunks are no other's; the first does addresses.
        """
        if self.embedder is None:
            return 0
        model, done, last = await self.pipeline.model(), 0, 0
        embedder = self.embedder
        while not lane and (
            found := await self.database.run(lambda each: vectors.waiting_places(each, model, ADDRESSES))
        ):
            told = await embedder.embed_passages(found)
            await self.database.run(lambda each: vectors.put_places(each, model, found, told))  # noqa: B023
        while limit is None or done < limit:
            size = BATCH if limit is None else min(BATCH, limit - done)
            after = last
            batch = await self.database.run(lambda each: vectors.waiting(each, model, size, after, lane))  # noqa: B023
            if not batch:
                break
            made = await embedder.embed_passages([each.text for each in batch])
            chunks = [each.chunk for each in batch]
            await self.database.run(lambda each: vectors.put_vectors(each, model, chunks, made))  # noqa: B023
            done, last = done + len(batch), batch[-1].chunk
            on_progress(len(batch))
        return done

    # ---- reading

    async def principals(self, asker: str, signed_in_as: Sequence[str] = ()) -> tuple[str, ...]:
        """Everything that an asker (``user:sarah``) is: everybody, himself, and the groups he belongs to, however deep.

        ``signed_in_as``: his groups by the identity provider (``oidc:engineering``). Nobody (an empty name) is nothing, not
        even everybody.
        """
        if not asker:
            return ()
        himself = list(dict.fromkeys((asker, *signed_in_as)))
        rows = await self.reader.run(lambda connection: connection.fetch(GROUPS, himself))
        return (PUBLIC, *himself, *(row["principal"] for row in rows))

    async def scope(
        self, asker: str, condition: Json = None, own: Sequence[str] = (), signed_in_as: Sequence[str] = ()
    ) -> RetrievalScope:
        """What an asker may see, under a condition of the dialect ``hybrid``."""
        return RetrievalScope(await self.principals(asker, signed_in_as), condition, tuple(own))

    async def sees_any(self, scope: RetrievalScope) -> bool:
        """Whether there is any document at all that the asker may see, whatever the condition."""
        seen: bool = await self.reader.run(lambda connection: connection.fetchval(SEES_ANY, list(scope.principals)))
        return seen

    async def visible(self, scope: RetrievalScope) -> tuple[int, int]:
        """How many parts the asker may see, whatever the condition, and how many of them the model in use has yet to read."""

        async def count(connection: Any) -> int:
            return await chunks_seen(connection, await seen_by(connection, scope.principals))

        return await self.reader.run(count), await self.pipeline.unread(scope.principals)

    async def search(self, question: IndexQuery, now: datetime | None = None) -> RetrievalResult:
        """The documents that fit a question best, as the pipeline orders them."""
        return await self.pipeline.search(question, now or datetime.now(UTC))

    async def stats(self) -> Stats:
        """How much there is."""
        name = self.embedder.name if self.embedder else ""
        row = await self.database.run(lambda connection: connection.fetchrow(COUNTS, name))
        rows = await self.database.run(
            lambda each: each.fetch(
                "SELECT source, count(*) AS documents FROM documents GROUP BY source ORDER BY source"
            )
        )
        sources = {each["source"]: each["documents"] for each in rows}
        return Stats(sum(sources.values()), row["chunks"], row["embedded"], name, sources, row["bytes"])

    async def aclose(self) -> None:
        """Release everything; safe to call twice."""
        for part in (self._reranker, self.embedder):
            if part is not None:
                await part.aclose()
        await self.reader.aclose()
        await self.database.aclose()


SET_CURSOR = """
    INSERT INTO cursors (source, cursor) VALUES ($1, $2)
    ON CONFLICT (source) DO UPDATE SET cursor = excluded.cursor, stored = now()
"""
GROUPS = """
    WITH RECURSIVE belongs (principal) AS (
        SELECT principal FROM memberships WHERE member = ANY($1::text[])
        UNION SELECT m.principal FROM memberships m JOIN belongs b ON m.member = b.principal
    ) SELECT principal FROM belongs WHERE principal <> '' ORDER BY principal
"""
MEMBERS = """
    SELECT principal, array_agg(member ORDER BY member) AS members FROM memberships GROUP BY principal ORDER BY principal
"""
HOLDS_ANY = "SELECT EXISTS (SELECT FROM documents)"
SEES_ANY = """
    SELECT EXISTS (SELECT FROM audiences WHERE members && $1::text[])
        AND EXISTS (SELECT FROM documents WHERE principals && $1::text[])
"""
COUNTS = """
    SELECT (SELECT coalesce(sum(chunks), 0)::bigint FROM reader_sets) AS chunks, pg_database_size(current_database()) AS bytes,
        (SELECT count(*) FROM embeddings e JOIN models m ON m.id = e.model WHERE m.name = $1) AS embedded
"""


def index_from(settings: IndexSettings, numbers: Numbers | None = None) -> IndexStore:
    """The index that settings describe; nothing is started yet. Raises :class:`Misconfigured`."""
    left_out = settings.embedder.model == "none" or lacks_embedder(settings.embedder)
    embedder = None if left_out else open_embedder(settings.embedder)
    url = settings.database_url.get_secret_value() if settings.database_url else ""
    database = database_at(url, Path(settings.data_dir), settings.connections, durable=settings.durable)
    return IndexStore(database, embedder, open_reranker(settings.reranker, embedder), numbers, settings.data_dir)


@asynccontextmanager
async def open_index(settings: IndexSettings, numbers: Numbers | None = None) -> AsyncIterator[IndexStore]:
    """The index that settings describe, for as long as the context lasts."""
    index = index_from(settings, numbers)
    try:
        await index.open()
        yield index
    finally:
        await index.aclose()
