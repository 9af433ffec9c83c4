"""The local index at size: how fast it takes in, how fast and how well it finds, beside SQLite FTS5 with sqlite-vec.

``bench_index.py [--sizes 10000,100000] [--million] [--queries 200] [--folder DIR]``. The corpus is made up: 80 words a
chunk by Zipf's law, 60 % English-like, 40 % Korean-like with particles; vectors of 384 numbers that vary in 28
directions; one document in seven may be seen by the asker. Both sides get the same chunks, the same words, the same
vectors. With ``--folder`` what was taken in is kept there and found again: a million takes most of an hour to take in,
and can then be asked when nobody else is at work.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import resource
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

try:
    import apsw
    import sqlite_vec
except ImportError:  # the index is measured without them as well
    apsw = sqlite_vec = None

from connectors.local import retrieval, vectors, words
from connectors.local.documents import Document
from connectors.local.hits import read_hits
from connectors.local.pipeline import IndexQuery
from connectors.local.retrieval import RetrievalScope
from connectors.local.store import IndexStore
from connectors.local.words import question_words
from connectors.models.reranking_local import LocalReranker
from connectors.passages import Passage
from storage.database import Database
from storage.supervisor import Cluster
from tests.chaos.processes import cpu, family
from translators.query import Kind

DIMENSION, DIRECTIONS, BATCH, TOP = 384, 28, 500, 50
GROUPS, JOINED = 100, 14  # an asker belongs to 14 of a hundred groups, a document to one
STEP = 200  # batches between two lines of progress
COMMONEST = 30  # words that no question holds
PARTICLES = ("", "", "은", "를", "에서", "으로", "의", "이")
SYLLABLES = [chr(0xAC00 + 28 * n) for n in range(0, 380, 3)]
LETTERS = "etaoinshrdlucmfwypvbgk"


@dataclass
class Corpus:
    """Batch n is the same every time, so that nothing has to be kept in memory."""

    def __post_init__(self):
        rng = np.random.default_rng(7)
        self.english = ["".join(rng.choice(list(LETTERS), rng.integers(3, 10))) for _ in range(30_000)]
        self.korean = ["".join(rng.choice(SYLLABLES, rng.integers(2, 5))) for _ in range(20_000)]
        self.basis = rng.standard_normal((DIRECTIONS, DIMENSION)).astype(np.float32)
        self.centres = rng.standard_normal((200, DIRECTIONS)).astype(np.float32)

    def words_of(self, rng, count, korean, commonest=1):
        vocabulary = self.korean if korean else self.english
        ranks = rng.zipf(1.25, count * 4 + 200)
        ranks = ranks[(ranks >= commonest) & (ranks < len(vocabulary))][:count]
        return [vocabulary[rank] for rank in ranks]

    def texts(self, batch):
        rng = np.random.default_rng((1, batch))
        made = []
        for _ in range(BATCH):
            korean = rng.random() < 0.4
            found = self.words_of(rng, 80, korean)
            made.append(" ".join(word + (rng.choice(PARTICLES) if korean else "") for word in found))
        return made

    def vectors(self, batch, count=BATCH):
        rng = np.random.default_rng((2, batch))
        inner = self.centres[rng.integers(0, len(self.centres), count)]
        inner = inner + 0.6 * rng.standard_normal((count, DIRECTIONS)).astype(np.float32)
        made = inner @ self.basis + 0.3 * rng.standard_normal((count, DIMENSION)).astype(np.float32)
        return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)

    def groups(self, batch):
        return np.random.default_rng((3, batch)).integers(0, GROUPS, BATCH)

    def documents(self, batch):
        for n, (text, group) in enumerate(zip(self.texts(batch), self.groups(batch), strict=True)):
            number = batch * BATCH + n
            yield Document(
                f"source{number % 8}",
                str(number),
                f"Document {number}",
                (Passage(text),),
                (f"group:{group}",),
                kind=Kind.PAGE,
            )

    def questions(self, count):
        rng = np.random.default_rng(4)
        # Who looks for something does not name the commonest words of a language.
        asked = [" ".join(self.words_of(rng, int(rng.integers(2, 5)), n % 5 < 2, COMMONEST)) for n in range(count)]
        return list(zip(asked, self.vectors(-1 % 2**32, count), strict=True))


class Given:
    """Stands for a model: the vectors are made up, and so are the questions'."""

    name, dimension, ready = "made-up", DIMENSION, True

    def __init__(self):
        self.known = {}

    async def prepare(self): ...

    async def embed_queries(self, texts):
        return np.stack([self.known[text] for text in texts])

    embed_passages = embed_queries

    async def aclose(self): ...


def figures(name, times):
    ordered = sorted(each * 1000 for each in times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(f"  {name:<46} p50 {statistics.median(ordered):7.1f} ms   p99 {p99:7.1f} ms", flush=True)


def rss():
    return (
        int(
            next(
                line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")
            ).split()[1]
        )
        // 1024
    )


async def take_in(size, corpus, index, cluster):
    """Texts first, then their vectors; what each hundred thousand costs is told as it comes."""
    database, wall, used, said = index.database, 0.0, 0.0, 0.0
    for batch in range(size // BATCH):
        documents = list(corpus.documents(batch))  # making them up costs more than taking them in
        started, own = time.perf_counter(), time.process_time()
        await index.upsert(documents)
        wall, used = wall + time.perf_counter() - started, used + time.process_time() - own
        if (batch + 1) % STEP == 0:
            print(
                f"    the last {STEP * BATCH:,} of {(batch + 1) * BATCH:>9,}         {STEP * BATCH / (wall - said):7.0f} chunks/s",
                flush=True,
            )
            said = wall
    print(
        f"  taking in, without vectors                     {size / wall:7.0f} chunks/s ({size / used:.0f} a second of our own processor time)",
        flush=True,
    )
    model = await index.pipeline.model()
    wall = said = 0.0
    server = cpu(family(cluster.pid))
    for batch in range(size // BATCH):
        numbers = range(batch * BATCH + 1, (batch + 1) * BATCH + 1)
        made = corpus.vectors(batch)
        started = time.perf_counter()
        await database.run(lambda each, at=numbers, made=made: vectors.put_vectors(each, model, at, made))
        wall += time.perf_counter() - started
        if (batch + 1) % STEP == 0:
            print(
                f"    the last {STEP * BATCH:,} of {(batch + 1) * BATCH:>9,}         {STEP * BATCH / (wall - said):7.0f} vectors/s",
                flush=True,
            )
            said = wall
    spent = cpu(family(cluster.pid)) - server
    print(
        f"  keeping vectors, their graph included          {size / wall:7.0f} chunks/s ({size / spent:.0f} a second of the server's processor time)",
        flush=True,
    )
    async with database.connection() as connection:
        await connection.execute("VACUUM ANALYZE")


async def ours(size, corpus, asked, folder):
    """What the index does; the ids that it found nearest, for each question."""
    embedder = Given()
    embedder.known = dict(asked)
    cluster = Cluster(folder)
    database = Database(cluster)
    index = IndexStore(database, embedder)
    await index.open()
    model = await index.pipeline.model()
    if (await index.stats()).chunks != size:
        await take_in(size, corpus, index, cluster)
    scope = RetrievalScope(tuple(f"group:{group}" for group in range(JOINED)))
    numbers = index.pipeline.numbers.candidates
    nearest, times = [], {"meaning": [], "words": [], "hybrid": [], "reranked": []}
    whole = IndexStore(database, embedder, LocalReranker())
    for text, _ in asked:  # once unmeasured, so that caches are as they are in a process that lives
        await index.search(IndexQuery(text, text, scope))
    gc.collect()
    gc.freeze()
    for text, vector in asked:
        started = time.perf_counter()
        found = await database.run(lambda each, v=vector: retrieval.by_meaning(each, v, model, scope, numbers))
        times["meaning"].append(time.perf_counter() - started)
        nearest.append([each.chunk for each in found][:TOP])
        started = time.perf_counter()
        await database.run(
            lambda each, t=text: retrieval.by_words(each, question_words(t), scope, index.pipeline.numbers)
        )
        times["words"].append(time.perf_counter() - started)
        for name, store in (("hybrid", index), ("reranked", whole)):
            started = time.perf_counter()
            searched = await store.search(IndexQuery(text, text, scope))
            best = searched.candidates[:TOP]
            await database.run(lambda each, best=best: read_hits(each, "local", best, frozenset(), 4000))
            times[name].append(time.perf_counter() - started)
    for name, said in (
        ("meaning", "by meaning, nearest 60"),
        ("words", "by words, BM25 over 200"),
        ("hybrid", f"hybrid, top {TOP} with their text"),
        ("reranked", f"hybrid, reranked here, top {TOP}"),
    ):
        figures(said, times[name])
    own, server = time.process_time(), cpu(family(cluster.pid))
    for text, _ in asked:
        await index.search(IndexQuery(text, text, scope))
    here, there = (
        (after - before) * 1000 / len(asked)
        for after, before in ((time.process_time(), own), (cpu(family(cluster.pid)), server))
    )
    print(
        f"  processor time of a hybrid question            {here:7.1f} ms here, {there:.1f} ms in the server",
        flush=True,
    )
    stats = await index.stats()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"  memory of our process                          {rss():7} MB (at most {most} MB); database {stats.bytes >> 20} MB on disk",
        flush=True,
    )
    await index.aclose()
    return nearest


def opened(path):
    base = apsw.Connection(str(path))
    base.enable_load_extension(True)
    base.load_extension(sqlite_vec.loadable_path())
    base.execute("PRAGMA journal_mode = WAL; PRAGMA cache_size = -262144")  # as much memory as the server's
    return base


def fill(base, size, corpus):
    """The same chunks and vectors, in one transaction a batch."""
    base.execute("CREATE VIRTUAL TABLE chunks USING fts5(terms, tokenize='unicode61', content='')")
    base.execute(
        f"CREATE VIRTUAL TABLE near USING vec0(team integer, vector float[{DIMENSION}] distance_metric=cosine)"
    )
    wall = 0.0
    for batch in range(size // BATCH):
        at = batch * BATCH
        texts, made, groups = corpus.texts(batch), corpus.vectors(batch), corpus.groups(batch)
        started = time.perf_counter()
        rows = [(at + n + 1, " ".join(words.terms(f"Document {at + n}\n{text}"))) for n, text in enumerate(texts)]
        with base:
            base.executemany("INSERT INTO chunks (rowid, terms) VALUES (?, ?)", rows)
            told = ((at + n + 1, int(group), made[n].tobytes()) for n, group in enumerate(groups))
            base.executemany("INSERT INTO near (rowid, team, vector) VALUES (?, ?, ?)", told)
        wall += time.perf_counter() - started
    base.pragma("user_version", size)
    print(f"  SQLite FTS5 and sqlite-vec: taking in, vectors {size / wall:7.0f} chunks/s", flush=True)


def theirs(size, corpus, asked, folder, nearest):
    """SQLite FTS5 over the same terms and sqlite-vec over the same vectors; the exact ones tell what the index missed."""
    path = folder / f"other-{size}.db"
    base = opened(path)
    seen = np.concatenate([corpus.groups(batch) < JOINED for batch in range(size // BATCH)])
    if base.pragma("user_version") != size:  # new, or a filling that was broken off
        base.close()
        path.unlink()
        base = opened(path)
        fill(base, size, corpus)
    times, recall = [], []
    own = time.process_time()
    for (text, vector), found in zip(asked, nearest, strict=True):
        started = time.perf_counter()
        query = " OR ".join(f'"{term}"' for term in dict.fromkeys(words.terms(text)))
        rows = base.execute("SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY rank", (query,))
        lexical = [row[0] for row in rows if seen[row[0] - 1]][:200]
        near = base.execute(
            "SELECT rowid FROM near WHERE vector MATCH ? AND k = 100 AND team < ? ORDER BY distance",
            (vector.tobytes(), JOINED),
        )
        exact = [row[0] for row in near]
        scores = {}
        for listed in (lexical, exact):
            for rank, chunk in enumerate(listed, 1):
                scores[chunk] = scores.get(chunk, 0.0) + 1 / (60 + rank)
        sorted(scores, key=scores.get, reverse=True)[:TOP]
        times.append(time.perf_counter() - started)
        recall.append(len(set(exact[:TOP]) & set(found)) / TOP)
    own = (time.process_time() - own) * 1000 / len(asked)
    figures("SQLite FTS5 and sqlite-vec, top 50, no text", times)
    print(f"  processor time of such a question              {own:7.1f} ms", flush=True)
    print(
        f"  recall@50 of the index's nearest, filtered     {statistics.mean(recall):7.3f} of the exact (worst {min(recall):.2f})"
    )
    print(f"  seen by the asker                              {seen.mean():7.1%}")
    base.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="where what is taken in is kept, to be asked again")
    options = parser.parse_args()
    corpus = Corpus()
    asked = corpus.questions(options.queries)
    for size in [*map(int, options.sizes.split(",")), *([1_000_000] if options.million else [])]:
        print(f"{size:,} chunks")
        with contextlib.ExitStack() as kept:
            folder = options.folder or Path(kept.enter_context(tempfile.TemporaryDirectory()))
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o755)
            nearest = asyncio.run(ours(size, corpus, asked, folder / f"ours-{size}"))
            if apsw is None:
                print("  apsw or sqlite-vec is not installed (make setup): nothing to compare with, no recall")
                continue
            theirs(size, corpus, asked, folder, nearest)


if __name__ == "__main__":
    main()
