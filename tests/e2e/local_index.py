"""An index over a real PostgreSQL, with a model that reads words alone."""

import contextlib
import hashlib
from datetime import UTC, datetime

import numpy as np

from connectors.local import words
from connectors.local.documents import PUBLIC, Document
from connectors.local.pipeline import IndexQuery
from connectors.local.store import IndexStore
from connectors.passages import Passage
from storage.database import Database

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Hashed:
    """A model of its own kind: each word of a text is a direction, so that texts are near that share words."""

    ready = True

    def __init__(self, name="hashed", dimension=64):
        self.name, self.dimension, self.seen, self.broken = name, dimension, [], None

    async def prepare(self): ...

    async def embed_queries(self, texts):
        if self.broken:
            raise self.broken
        made = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for place, text in enumerate(texts):
            for word in words.terms(text):
                made[place, int(hashlib.md5(word.encode()).hexdigest(), 16) % self.dimension] += 1
        return made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-9)

    async def embed_passages(self, texts):
        self.seen += texts
        return await self.embed_queries(texts)

    async def aclose(self): ...


@contextlib.asynccontextmanager
async def open_index(url, model):
    """An index that is put into and asked."""
    store = IndexStore(Database(url, 6), model)
    await store.open()
    yield store
    await store.aclose()


def document(name="1", text="배포 일정은 금요일", principals=(PUBLIC,), source="files", **more):
    chunks = more.pop("chunks", (Passage(text),))
    return Document(source, name, more.pop("title", ""), chunks, principals, **more)


async def rows(index, statement, *values):
    async with index.database.connection() as connection:
        return [tuple(row) for row in await connection.fetch(statement, *values)]


async def found(index, text, asker="user:sarah", condition=None):
    searched = await index.search(IndexQuery(text, text, await index.scope(asker, condition)), NOW)
    names = dict(await rows(index, "SELECT id, native_id FROM documents"))
    return [names[each.document] for each in searched.candidates]
