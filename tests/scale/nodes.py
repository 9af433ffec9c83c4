"""The index over several servers by Citus: what is found there, of what one server finds; a shard that moves, and a server that dies, while it is asked.

Searches and writing are the product's own, which knows nothing of it: tables were distributed before it wrote anything.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import statistics
import subprocess
import time
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import asyncpg
import numpy as np

from connectors.errors import SourceError
from connectors.local.documents import PUBLIC, Document
from connectors.local.numbers import default_numbers
from connectors.local.retrieval import RetrievalScope, by_meaning, by_words
from connectors.local.store import IndexStore
from connectors.local.tables import TUNED
from connectors.local.vectors import Model, known_model, put_vectors, waiting
from connectors.local.words import question_words
from connectors.passages import Passage
from storage.database import Database
from tests.scale.postgres import Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Sequence

    from connectors.local.shards import IndexReader
    from connectors.models.embedding import Embedder, Vectors

PG_CONFIG = shutil.which("pg_config")
EACH = 6_000  # documents for each worker: data and workers grow together
BATCH = 500
QUESTIONS = 60
WORDS, LENGTH, DIMENSION = 4_000, 40, 64
SHARDS = 8
ENOUGH = 0.99  # of what one server finds
AWAY = 10.0  # seconds
OPTIONS = {
    "shared_preload_libraries": "citus",
    "citus.node_conninfo": "sslmode=disable",
    "citus.shard_count": str(SHARDS),
    "wal_level": "logical",
}
# Documents are on every server, and chunks with their texts and vectors on one by their number; all keys and references stay. A number is
# drawn from a sequence, as identities cannot be distributed.
DISTRIBUTE = """
    ALTER TABLE passages DROP CONSTRAINT passages_chunk_fkey;
    ALTER TABLE embeddings DROP CONSTRAINT embeddings_chunk_fkey;
    ALTER TABLE chunks ALTER COLUMN id DROP IDENTITY;
    CREATE SEQUENCE chunks_numbers OWNED BY chunks.id;
    ALTER TABLE chunks ALTER COLUMN id SET DEFAULT nextval('chunks_numbers');
    SELECT create_reference_table('documents');
    SELECT create_reference_table('models');
    SELECT create_reference_table('places');
    SELECT create_distributed_table('chunks', 'id');
    SELECT create_distributed_table('embeddings', 'chunk', colocate_with => 'chunks');
    SELECT create_distributed_table('passages', 'chunk', colocate_with => 'chunks');
    ALTER TABLE passages ADD CONSTRAINT passages_chunk_fkey FOREIGN KEY (chunk) REFERENCES chunks (id) ON DELETE CASCADE;
    ALTER TABLE embeddings ADD CONSTRAINT embeddings_chunk_fkey FOREIGN KEY (chunk) REFERENCES chunks (id) ON DELETE CASCADE;
    ALTER DATABASE postgres SET citus.multi_shard_modify_mode = 'sequential'
"""
LIES = """
    SELECT chunk FROM unnest($1::bigint[]) chunk JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('chunks', chunk)
        JOIN pg_dist_node USING (groupid) WHERE nodeport <> $2
"""
COUNTS = (
    "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM embeddings), (SELECT sum(chunks) FROM reader_sets)"
)


def missing() -> str:
    """What has to be installed; empty if nothing."""
    if PG_CONFIG is None:
        return "PostgreSQL with pg_config"
    extensions = Path(_configured("--sharedir")) / "extension"
    return " and ".join(name for name in ("citus", "vector") if not (extensions / f"{name}.control").exists())


def _configured(what: str) -> str:
    assert PG_CONFIG is not None
    return subprocess.run([PG_CONFIG, what], check=True, capture_output=True, text=True).stdout.strip()


# ---- what is indexed and asked


class Corpus:
    """Texts of invented words, few of which are common; a text's vector is made of those of its words."""

    def __init__(self) -> None:
        rng = random.Random(24)
        letters = "abcdefghijklmnoprstuvz"
        self._words = ["".join(rng.choices(letters, k=rng.randrange(5, 9))) for _ in range(WORDS)]
        self._weights = [1 / (rank + 10) for rank in range(WORDS)]
        drawn = np.random.default_rng(24).standard_normal((WORDS, DIMENSION)).astype(np.float32)
        self._vectors = dict(zip(self._words, drawn, strict=True))

    def text(self, number: int) -> str:
        return " ".join(random.Random(number).choices(self._words, self._weights, k=LENGTH))

    def vector(self, text: str) -> Vectors:
        made = np.sum([self._vectors[word] for word in text.split()], axis=0)
        return np.asarray(made / np.linalg.norm(made), np.float32)

    def questions(self, documents: int) -> list[str]:
        """Four words of a text each."""
        rng = random.Random(documents)
        return [" ".join(rng.sample(self.text(rng.randrange(documents)).split(), 4)) for _ in range(QUESTIONS)]


async def written(store: IndexStore, model: Model, corpus: Corpus, numbers: range) -> None:
    """Documents and their vectors."""
    for first in range(numbers.start, numbers.stop, BATCH):
        batch = range(first, min(first + BATCH, numbers.stop))
        given = [Document("notes", f"n{each}", "", (Passage(corpus.text(each)),), (PUBLIC,)) for each in batch]
        await store.upsert(given)

    async def put(connection: Any) -> None:
        while there := await waiting(connection, model, BATCH):
            await put_vectors(
                connection, model, [each.chunk for each in there], [corpus.vector(each.text) for each in there]
            )

    await store.database.run(put)


# ---- several servers


@dataclass
class Nodes:
    """A coordinator and its workers."""

    folder: Path
    stack: ExitStack
    coordinator: Server = field(init=False)
    workers: list[Server] = field(default_factory=list)

    async def open(self) -> None:
        self.coordinator = await self._made("coordinator")
        await _said(self.coordinator.url, f"SELECT citus_set_coordinator_host('127.0.0.1', {self.coordinator.port})")

    async def add(self) -> None:
        """One more worker; nothing is moved to it yet."""
        worker = await self._made(f"worker-{len(self.workers) + 1}")
        self.workers.append(worker)
        await _said(self.coordinator.url, f"SELECT citus_add_node('127.0.0.1', {worker.port})")

    async def distribute(self) -> None:
        """What an administrator says, before anything is written."""
        await _said(self.coordinator.url, *DISTRIBUTE.split(";"))

    async def _made(self, name: str) -> Server:
        server = Server(self.folder / name, Path(_configured("--bindir")), **OPTIONS)
        await asyncio.to_thread(self.stack.enter_context, server)
        tuned = (f"ALTER DATABASE postgres SET {name} = '{value}'" for name, value in TUNED.items())
        await _said(server.url, "CREATE EXTENSION citus", "CREATE EXTENSION vector", "LOAD 'vector'", *tuned)
        return server


async def _said(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for each in statements:
            await connection.execute(each)
    finally:
        await connection.close()


# ---- what is found


@dataclass
class Found:
    """Of each question the chunks by words, with their scores, and by meaning, and its seconds."""

    words: list[dict[int, float]] = field(default_factory=list)
    meaning: list[list[int]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


async def asked(reader: IndexReader, model: Model, corpus: Corpus, questions: Sequence[str]) -> Found:
    found = Found()
    for question in questions:
        began = time.monotonic()
        words, meaning = await reader.run(lambda each: _both(each, model, corpus, question))  # noqa: B023
        found.seconds.append(time.monotonic() - began)
        found.words.append(words)
        found.meaning.append(meaning)
    return found


async def _both(connection: Any, model: Model, corpus: Corpus, question: str) -> tuple[dict[int, float], list[int]]:
    scope, numbers = RetrievalScope((PUBLIC,)), default_numbers()
    words = await by_words(connection, question_words(question), scope, numbers)
    meaning = await by_meaning(connection, corpus.vector(question), model, scope, numbers.candidates)
    return {each.chunk: each.score for each in words}, [each.chunk for each in meaning]


def recall(found: Sequence[Collection[int]], wanted: Sequence[Collection[int]]) -> float:
    """The share of what is wanted that was found."""
    return statistics.fmean(len({*one} & {*other}) / len(other) for one, other in zip(found, wanted, strict=True))


async def nearest(url: str, corpus: Corpus, questions: Sequence[str]) -> list[list[int]]:
    """The chunks that are nearest in truth, each compared."""
    connection = await asyncpg.connect(url)
    rows = await connection.fetch("SELECT chunk, vector::text AS vector FROM embeddings ORDER BY chunk")
    await connection.close()
    chunks = [row["chunk"] for row in rows]
    matrix = np.array([np.fromstring(row["vector"][1:-1], np.float32, sep=",") for row in rows])
    most = default_numbers().candidates.semantic
    return [[chunks[place] for place in np.argsort(-(matrix @ corpus.vector(each)))[:most]] for each in questions]


@dataclass
class Told:
    """Of one question: what was found by words, what was not looked at, what went wrong, and how long it took."""

    question: str = ""
    words: dict[int, float] = field(default_factory=dict)
    missing: str = ""
    failed: str = ""
    seconds: float = 0.0


@asynccontextmanager
async def asking(
    reader: IndexReader, model: Model, corpus: Corpus, questions: Sequence[str]
) -> AsyncIterator[list[Told]]:
    """One question after the other until this ends."""
    told: list[Told] = []

    async def ask() -> None:
        while True:
            for question in questions:
                began, it = time.monotonic(), Told()
                since = asyncio.get_running_loop().time()
                try:
                    it.words, _ = await reader.run(lambda each: _both(each, model, corpus, question))  # noqa: B023
                    it.missing = str(reader.missing(since))
                except SourceError as failure:
                    it.failed = f"{failure.code}: {failure.message}"
                it.question, it.seconds = question, time.monotonic() - began
                told.append(it)

    task = asyncio.create_task(ask())
    try:
        yield told
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


HEADINGS = ("workers", "chunks", "words: of one server's", "meaning: of the nearest", "of one server", "times one server's seconds",
            "shards moved in", "questions meanwhile, failed", "longest (before)")  # fmt: skip


def row(found: dict[str, Any]) -> list[str]:
    """A line of the table."""
    moved = found["moved"]
    return [
        str(found["workers"]), str(found["chunks"]), f"{found['words']:.3f}", f"{found['meaning']:.3f}", f"{found['meaning on one']:.3f}",
        f"{found['seconds'] / found['seconds on one']:.1f} ({found['seconds'] * 1000:.0f} ms)",
        *([f"{moved['seconds']:.0f} s", f"{moved['questions']}, {len(moved['failed'])}",
           f"{moved['longest']:.2f} s ({moved['longest before']:.2f} s)"] if moved else ["", "", ""]),
    ]  # fmt: skip


async def measured(folder: Path, counts: Sequence[int]) -> dict[str, Any]:
    """With each number of workers, and so many times the documents."""
    corpus, told = Corpus(), []
    with ExitStack() as stack:
        one = stack.enter_context(Server(folder / "one", Path(_configured("--bindir"))))
        nodes = Nodes(folder, stack)
        await nodes.open()
        alone, together = IndexStore(Database(one.url, 4)), IndexStore(Database(nodes.coordinator.url, 4))
        try:
            for each in (alone, together):
                await each.open()
            await nodes.add()
            await together.database.aclose()  # plans of before
            await nodes.distribute()
            model, same = [await each.database.run(_model) for each in (alone, together)]
            assert model == same
            there = 0
            for count in counts:
                while len(nodes.workers) < count:
                    await nodes.add()
                moved = await _moved(nodes, together.reader, model, corpus, there)
                for each in (alone, together):
                    await written(each, model, corpus, range(there, count * EACH))
                there = count * EACH
                held = await together.database.run(lambda each: each.fetchrow(COUNTS))
                questions = corpus.questions(there)
                for each in (alone, together):  # once, to read what lies on the disk
                    await asked(each.reader, model, corpus, questions[:10])
                single = await asked(alone.reader, model, corpus, questions)
                several = await asked(together.reader, model, corpus, questions)
                truth = await nearest(one.url, corpus, questions)
                told.append({
                    "workers": count, "chunks": there, "kept": list(held) == [there] * 3, "words": recall(several.words, single.words),
                    "meaning": recall(several.meaning, truth), "meaning on one": recall(single.meaning, truth),
                    "seconds": statistics.median(several.seconds), "seconds on one": statistics.median(single.seconds), "moved": moved,
                })  # fmt: skip
            questions = corpus.questions(there)
            dead = await _without(nodes, together.reader, model, corpus, questions, silent=False)
            silent = await _without(nodes, together.reader, model, corpus, questions, silent=True)
        finally:
            for each in (alone, together):
                await each.aclose()
    return {"workers": told, "dead": dead, "silent": silent}


async def _model(connection: Any) -> Model:
    return await known_model(connection, cast("Embedder", _Embedder()))  # it is asked for no more than these two


class _Embedder:
    name, dimension = "words of the corpus", DIMENSION


async def _moved(nodes: Nodes, reader: IndexReader, model: Model, corpus: Corpus, there: int) -> dict[str, Any]:
    """Shards go to the workers that are new, while questions go on."""
    if not there:
        return {}
    async with asking(reader, model, corpus, corpus.questions(there)) as told:
        await asyncio.sleep(2.0)
        before = len(told)
        began = time.monotonic()
        await _said(nodes.coordinator.url, "SELECT rebalance_table_shards(shard_transfer_mode := 'block_writes')")
        took = time.monotonic() - began
    meanwhile = told[before:]
    return {"seconds": took, "questions": len(meanwhile), "failed": [each.failed for each in meanwhile if each.failed],
            "longest": max((each.seconds for each in meanwhile), default=0.0), "longest before": max(each.seconds for each in told[:before])}  # fmt: skip


async def _without(
    nodes: Nodes, reader: IndexReader, model: Model, corpus: Corpus, questions: Sequence[str], *, silent: bool
) -> dict[str, Any]:
    """One worker is killed, or goes on without a word, while questions go on, and comes back."""
    worker = nodes.workers[-1]
    async with asking(reader, model, corpus, questions) as told:
        while len(told) < len(questions):  # noqa: ASYNC110 — nobody tells
            await asyncio.sleep(0.05)
        whole = {each.question: each.words for each in told}
        before = len(told)
        await asyncio.to_thread(worker.freeze if silent else worker.kill)
        await asyncio.sleep(AWAY)
        without = told[before:]
        await asyncio.to_thread(worker.thaw if silent else worker.start)
        began, since = time.monotonic(), len(told)
        while not told[since:] or told[-1].failed or told[-1].missing:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        back = time.monotonic() - began
    answered = [each for each in without if not each.failed]
    in_part = [each for each in answered if each.missing]
    lives = await _living(nodes, {chunk for each in in_part for chunk in whole[each.question]})
    gone = [
        (chunk, score, each)
        for each in in_part
        for chunk, score in whole[each.question].items()
        if chunk in lives - each.words.keys()
    ]
    lost = sum(not _is_behind(score, each.words) for _, score, each in gone)
    return {
        "questions": len(without), "answered": len(answered), "of these in part": len(in_part), "longest": max(each.seconds for each in without),
        "said": sorted({each.failed or each.missing for each in without} - {""}),
        "not found, though on a server that lives": lost, "behind better ones in place of what is gone": len(gone) - lost, "whole again after": back,
    }  # fmt: skip


def _is_behind(score: float, found: dict[int, float]) -> bool:
    """Whether it stands behind all that is found, of which there is as much as may be: what was found nowhere else is weighed in its place, and may be better."""
    return len(found) == default_numbers().candidates.words and score <= min(found.values())


async def _living(nodes: Nodes, chunks: set[int]) -> set[int]:
    """Those that do not lie on the worker that was away."""
    connection = await asyncpg.connect(nodes.coordinator.url)
    try:
        rows = await connection.fetch(LIES, list(chunks), nodes.workers[-1].port)
    finally:
        await connection.close()
    return {row["chunk"] for row in rows}
