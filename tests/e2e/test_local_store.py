"""The index over a real PostgreSQL: what is put in is there once, counted rightly, found by those who may see it."""

import asyncio
from collections import Counter
from dataclasses import replace

import asyncpg
import pytest
import pytest_asyncio

from connectors.errors import Forbidden, Misconfigured, Unauthenticated, Unavailable
from connectors.local import words
from connectors.local.store import IndexSettings, IndexStore, index_from
from connectors.local.tables import INDEX
from connectors.local.writing import WriteResult
from connectors.passages import Passage
from storage.database import Database
from storage.jobs.schema import JOBS
from tests.e2e.local_index import Hashed, document, found, open_index, rows


@pytest_asyncio.fixture
async def index(index_url):
    async with open_index(index_url, Hashed()) as store:
        yield store


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
