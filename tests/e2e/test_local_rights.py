"""Who may see what, as numbers beside each chunk and vector: never out of step with what the document says."""

import asyncio
from datetime import UTC, datetime

import numpy as np
import pytest_asyncio

import connectors.local
from connectors.local import words, writing
from connectors.local.documents import Document
from connectors.local.pipeline import IndexQuery
from connectors.local.rights import FEW
from connectors.local.store import IndexStore
from connectors.oauth import Grant
from connectors.passages import Passage
from orchestrator.access import Seal, Vault, keys_of, new_key
from storage.database import Database
from tests.rooms import of_before, with_every_room

NOW = datetime(2026, 11, 22, tzinfo=UTC)
MANY = tuple(f"user:member{number}" for number in range(3 * FEW))


class Flat:
    """A model to which everything is equally near."""

    name, dimension, ready = "flat", 4, True

    async def prepare(self): ...

    async def embed_queries(self, texts):
        return np.ones((len(texts), 4), dtype=np.float32)

    embed_passages = embed_queries

    async def aclose(self): ...


@pytest_asyncio.fixture
async def index(index_url):
    store = IndexStore(Database(index_url, 6), Flat())
    await store.open()
    yield store
    await store.aclose()


def document(principals, name="1", text="배포 일정"):
    return Document("files", name, name, (Passage(text),), tuple(principals))


async def found(index, asker):
    scope = await index.scope(asker)
    searched = await index.search(IndexQuery("배포", "배포", scope), NOW)
    assert searched.notes == []
    return len(searched.candidates)


async def in_step(index):
    rows = await index.database.run(
        lambda each: each.fetch(
            "SELECT c.readers AS chunk, e.readers AS vector, d.principals, "
            "(SELECT array_agg(DISTINCT m ORDER BY m) FROM audiences a, unnest(a.members) m WHERE a.id = ANY(c.readers)) AS told "
            "FROM chunks c JOIN documents d ON d.id = c.document LEFT JOIN embeddings e ON e.chunk = c.id"
        )
    )
    assert all(row["vector"] in (None, row["chunk"]) for row in rows)
    assert all(set(row["told"] or ()) == set(row["principals"]) for row in rows)
    return [row["chunk"] for row in rows]


async def test_many_principals_are_one_number_and_each_of_them_sees_it(index):
    await index.upsert([document(MANY), document(MANY, "2"), document(MANY[1:], "3")])
    await index.embed_waiting()
    numbers = await in_step(index)
    assert [len(each) for each in numbers] == [1, 1, 1]
    assert len(set(map(tuple, numbers))) == 2
    assert [await found(index, who) for who in (MANY[0], MANY[-1], "user:sarah", "")] == [2, 3, 0, 0]
    await index.upsert([document(MANY[:2]), document((), "2")])
    assert [await found(index, who) for who in (MANY[0], MANY[1], MANY[2])] == [1, 2, 1]
    await in_step(index)


async def test_a_right_that_changes_while_a_vector_is_given_counts_for_the_vector(index):
    """Whichever of the two comes first."""
    await index.upsert([document(("user:sarah",)), document(("user:sarah",), "2")])
    async with index.database.connection() as writer:
        change = writer.transaction()
        await change.start()
        await writing.write(writer, [document(("user:minsu",))])
        giving = asyncio.create_task(index.embed_waiting())
        while not await waits(index):
            assert not giving.done(), "it did not wait for the change"
        await change.commit()
        assert await giving == 2
    await in_step(index)
    assert [await found(index, who) for who in ("user:sarah", "user:minsu")] == [1, 1]


async def test_a_vector_that_is_just_given_is_seen_by_a_change_of_rights(index):
    await index.upsert([document(("user:sarah",))])
    model = await index.pipeline.model()
    async with index.database.connection() as giver:
        giving = giver.transaction()
        await giving.start()
        await connectors.local.vectors.put_vectors(giver, model, [1], np.ones((1, 4), dtype=np.float32))
        changing = asyncio.create_task(index.upsert([document(("user:minsu",))]))
        while not await waits(index):
            assert not changing.done(), "it did not wait for the vector"
        await giving.commit()
        await changing
    await in_step(index)
    assert [await found(index, who) for who in ("user:sarah", "user:minsu")] == [0, 1]


async def waits(index):
    rows = await index.database.run(
        lambda each: each.fetch(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
    )
    return bool(rows)


async def test_an_index_of_before_keeps_its_rights_and_its_vectors(empty_url):
    """As the first three migrations left it."""
    owner = await of_before(empty_url, 3)
    await owner.execute("INSERT INTO models (name, dimension) VALUES ('flat', 4)")
    await owner.execute(
        "CREATE INDEX embeddings_near_1 ON embeddings USING hnsw ((vector::vector(4)) vector_cosine_ops) WHERE model = 1"
    )
    terms = words.terms("배포")
    for number, principals in enumerate((("user:sarah",), MANY, (), ("user:sarah", "user:minsu"))):
        row = await owner.fetchval(
            "INSERT INTO documents (source, native_id, kind, addresses, parts, content, about, principals) "
            "VALUES ('files', $1, 'file', '{}', 1, '', '', $2) RETURNING id", str(number), sorted(principals),
        )  # fmt: skip
        chunk = await owner.fetchval(
            "INSERT INTO chunks (document, place, digest, length, terms) VALUES ($1, 0, '', 1, $2::text::tsvector) RETURNING id",
            row, words.lexemes(terms),
        )  # fmt: skip
        await owner.execute("INSERT INTO passages (chunk, body, meaning) VALUES ($1, '배포', '배포')", chunk)
        await owner.execute(
            "INSERT INTO embeddings (chunk, document, model, vector) VALUES ($1, $2, 1, '[1,1,1,1]')", chunk, row
        )
    for term in terms:
        await owner.execute("INSERT INTO frequencies VALUES ($1, 4)", term)
    await owner.execute("UPDATE totals SET chunks = 4, terms = 4")
    index = IndexStore(Database(empty_url, 4), Flat())
    assert await in_step(index)
    askers = ("user:sarah", MANY[7], "user:minsu", "user:x")
    assert [await found(index, who) for who in askers] == [2, 1, 1, 0]
    assert (await index.stats()).embedded == 4
    counts = await index.database.run(
        lambda each: each.fetch(
            "SELECT s.chunks, s.terms, array_agg(f.chunks) AS held, c.readers FROM reader_sets s JOIN frequencies f ON f.reader_set = s.id "
            "JOIN chunks c ON c.readers = s.readers GROUP BY s.id, c.readers"
        )
    )
    assert [tuple(row)[:3] for row in counts] == [(1, 1, [1] * len(terms))] * 4
    names = await owner.fetch("SELECT indexname FROM pg_indexes WHERE indexname LIKE 'embeddings%' ORDER BY 1")
    assert "embeddings_half_1" in {row["indexname"] for row in names}
    assert "embeddings_near_1" not in {row["indexname"] for row in names}
    await owner.close()
    await index.aclose()


async def test_messages_and_accounts_of_before_are_taken_over(empty_url):
    """When there were no conversations, and the accounts' table was not yet the migrations'."""
    owner = await of_before(empty_url, 7)
    for number, (kind, place) in enumerate(
        (("message", "platform"), ("message", "platform"), ("message", "sales"), ("page", "platform"))
    ):
        await owner.execute(
            "INSERT INTO documents (source, native_id, kind, container_names, addresses, parts, content, about, principals) "
            "VALUES ('chat', $1, $2, $3, '{}', 0, '', '', '{}')", str(number), kind, [place],
        )  # fmt: skip
    await owner.execute(
        "CREATE TABLE vault (principal text NOT NULL, source text NOT NULL, id text NOT NULL, version bigint NOT NULL DEFAULT 1, "
        "sealed bytea NOT NULL, connected timestamptz NOT NULL DEFAULT now(), renewed timestamptz NOT NULL DEFAULT now(), "
        "PRIMARY KEY (principal, source))"
    )
    seal = Seal(keys_of(new_key()))
    grant = Grant(access_token="xoxp-1")
    sealed = seal.seal(grant.model_dump_json().encode(), "vault", "oidc:sarah", "slack")
    await owner.execute(
        "INSERT INTO vault (principal, source, id, sealed) VALUES ('oidc:sarah', 'slack', 'a', $1)", sealed
    )
    async with Vault(with_every_room(Database(empty_url, 2)), seal) as vault:
        known, broken = await vault.of("oidc:sarah")
    assert (known["slack"].grant, broken) == (grant, {})
    one, other, elsewhere, page = await owner.fetch("SELECT talk FROM documents ORDER BY native_id")
    assert one == other != elsewhere
    assert None not in (one["talk"], elsewhere["talk"])
    assert page["talk"] is None
    await owner.close()
