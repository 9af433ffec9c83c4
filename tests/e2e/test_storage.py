"""The database that rooms share: each brings its own tables, whichever comes first, and what an earlier fedsearch left is kept."""

import asyncio
import importlib
import os
import socket
import sys
from collections import Counter
from pathlib import Path

import asyncpg
import pytest

import connectors
import orchestrator
import storage
from connectors.errors import Misconfigured, SourceError, Unavailable
from connectors.local.documents import PUBLIC, Document
from connectors.local.pipeline import IndexQuery
from connectors.local.retrieval import RetrievalScope
from connectors.local.store import IndexStore
from connectors.oauth import Grant
from connectors.passages import Passage
from orchestrator.access import Seal, Vault, keys_of, new_key
from orchestrator.digests.run_repository import RunRepository
from orchestrator.surfaces.bot.kept import DatabaseMemory
from storage.database import Database
from storage.jobs.queue import JobOutcome, Queue
from storage.jobs.schema import JOBS, follow
from storage.migrations import Migrations, with_room
from tests.rooms import ONE_SEQUENCE, ROOMS, SINCE, of_before, with_every_room
from translators.said import said_in

RECORD = "SELECT room, name, applied FROM migrations ORDER BY name"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


async def fetched(url, statement, *values):
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(statement, *values)
    finally:
        await connection.close()


async def brought_up(url, *rooms):
    database = Database(url, 2)
    for room in rooms:
        database.register(room)
    try:
        async with database.connection():
            pass
    finally:
        await database.aclose()


async def tables(url):
    return {row["tablename"] for row in await fetched(url, TABLES)}


@pytest.fixture
def made_room(tmp_path, monkeypatch):
    """Makes rooms of the SQL that is given."""
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def make(name, *statements, after=()):
        package = f"a_room_of_{name}"
        made.append(package)
        folder = tmp_path / package / "schema"
        folder.mkdir(parents=True, exist_ok=True)
        (tmp_path / package / "__init__.py").touch()
        importlib.invalidate_caches()
        for number, statement in enumerate(statements, 1):
            (folder / f"{number:04}_{name}.sql").write_text(statement, "utf-8")
        return Migrations(name, package, after=after)

    yield make
    for package in made:
        sys.modules.pop(package, None)


# ---- rooms


def test_every_folder_of_sql_is_a_rooms():
    packages = [Path(package.__file__).parent for package in (storage, connectors, orchestrator)]
    folders = {path.parent for package in packages for path in package.rglob("schema/*.sql")}
    assert {Path(str(room.files()[0])).parent for room in ROOMS} == folders
    assert len({room.room for room in ROOMS}) == len(ROOMS)
    for room in ROOMS:
        numbers = Counter(path.name[:4] for path in room.files())
        assert set(numbers.values()) == {1}, room.room


async def test_a_room_brings_its_own_tables_and_those_that_it_needs(empty_url):
    vault, memory = ROOMS[3:]
    await brought_up(empty_url, vault, memory)
    assert await tables(empty_url) == {"migrations", "vault", "vault_clients", "bot_heard", "bot_threads", "bot_owed"}
    run_repository = RunRepository(Database(empty_url, 2))
    assert await run_repository.due("x") is None
    assert {"digest_runs", "procrastinate_jobs", "outcomes"} < await tables(empty_url)
    assert "documents" not in await tables(empty_url), "neither knows the index"
    await run_repository.database.aclose()


async def test_tables_that_others_refer_to_come_first(empty_url, made_room):
    ground = made_room("ground", "CREATE TABLE houses (id int PRIMARY KEY)")
    above = made_room("above", "CREATE TABLE flats (house int REFERENCES houses)", after=(ground,))
    top = made_room("top", "CREATE TABLE lofts (house int REFERENCES houses)", after=(above, ground))
    assert [each.room for each in with_room((), top)] == ["ground", "above", "top"]
    await brought_up(empty_url, top)
    assert [(row["room"], row["name"]) for row in await fetched(empty_url, RECORD)] == [
        ("above", "0001_above.sql"),
        ("ground", "0001_ground.sql"),
        ("top", "0001_top.sql"),
    ]


async def test_a_room_that_is_registered_later_has_its_tables_at_the_next_connection(empty_url, made_room):
    database = Database(empty_url, 2)
    database.register(made_room("first", "CREATE TABLE one (n int)"))
    async with database.connection() as held:
        await held.execute("INSERT INTO one VALUES (1)")
        database.register(made_room("second", "CREATE TABLE two (n int)"))
        async with database.connection() as connection:
            assert await connection.fetchval("SELECT count(*) FROM two") == 0
        assert await held.fetchval("SELECT n FROM one") == 1, "whoever is at work is left alone"
    await database.aclose()


async def test_what_cannot_be_applied_leaves_nothing_behind_and_is_tried_again(empty_url, made_room):
    good = made_room("good", "CREATE TABLE good (n int)")
    await brought_up(empty_url, good)
    made_room("good", "CREATE TABLE good (n int)", "CREATE TABLE better (n int)")
    bad = made_room("bad", "CREATE TABLE bad (n int)", "INSERT INTO nowhere VALUES (1)")
    with pytest.raises(SourceError):
        await brought_up(empty_url, good, bad)
    assert await tables(empty_url) == {"migrations", "good"}
    made_room("bad", "CREATE TABLE bad (n int)", "INSERT INTO bad VALUES (1)")
    await brought_up(empty_url, good, bad)
    assert await tables(empty_url) == {"migrations", "good", "better", "bad"}


async def test_a_room_that_a_newer_fedsearch_has_changed_is_left_alone_and_others_are_not(index_url):
    await fetched(index_url, "INSERT INTO migrations (room, name) VALUES ('vault', '9999_later.sql')")
    with pytest.raises(Misconfigured, match="newer fedsearch") as refused:
        await brought_up(index_url, *ROOMS)
    assert "더 새로운" in said_in(refused.value.message, "ko")
    await brought_up(index_url, *(room for room in ROOMS if room.room != "vault"))


async def test_processes_that_come_at_once_apply_everything_once(empty_url):
    each = [(room,) for room in ROOMS] * 2 + [ROOMS]
    await asyncio.gather(*(brought_up(empty_url, *rooms) for rooms in each))
    assert [row["name"] for row in await fetched(empty_url, RECORD)] == [*ONE_SEQUENCE, *SINCE]


# ---- what an earlier fedsearch left, when one sequence of numbers was everybody's


async def filled(url):
    """A database as the last fedsearch with one sequence left it, with something of every room in it."""
    owner = await of_before(url, len(ONE_SEQUENCE))
    async with owner.transaction():
        await follow(owner)
    await owner.execute("UPDATE migrations SET applied = '2026-01-01Z'")
    seal = Seal(keys_of(new_key()))
    sealed = seal.seal(Grant(access_token="xoxp-1").model_dump_json().encode(), "vault", "oidc:sarah", "slack")
    for statement, *values in (
        ("INSERT INTO vault (principal, source, id, sealed) VALUES ('oidc:sarah', 'slack', 'a', $1)", sealed),
        ("INSERT INTO bot_owed VALUES ('T1', 'C1', 'm1', 'ko', now() - interval '1 minute')",),
        ("INSERT INTO digest_plans VALUES ('team', '0 9 * * *', '2026-11-23Z')",),
        ("INSERT INTO outcomes (job, task, report) VALUES (7, 'sync', '{\"added\": 3}')",),
        (
            "SELECT procrastinate_defer_jobs_v1(ARRAY[ROW('sync', 'sync', 1, 'sync/x', NULL, '{}', NULL)::procrastinate_job_to_defer_v1])",
        ),
        (
            """INSERT INTO documents (source, native_id, kind, addresses, parts, content, about, principals)
            VALUES ('files', '배포.md', 'file', '{}', 0, '', '', '{public}')""",
        ),
    ):
        await owner.execute(statement, *values)
    await owner.close()
    return seal


def applied_then(record):
    """In which months what the last fedsearch with one sequence had was applied."""
    return {(row["applied"].year, row["applied"].month) for row in record if row["name"] in ONE_SEQUENCE}


async def test_a_database_of_one_sequence_is_taken_over_whole(empty_url):
    seal = await filled(empty_url)
    before = await tables(empty_url)
    index = IndexStore(Database(empty_url, 2))
    assert await index.contents("files") == {"배포.md": b""}
    queue = Queue(index.database)
    assert await queue.counts() == {"sync todo": 1}
    assert await queue.outcome(7) == JobOutcome({"added": 3})
    plan = await RunRepository(index.database).due("team")
    assert plan is not None
    assert plan[0] == "0 9 * * *"
    kept = DatabaseMemory(Database(empty_url, 2), asyncio.get_running_loop().time)
    await kept.open()
    assert [(posted.id, language) for posted, language in await kept.broken_off("T1")] == [("m1", "ko")]
    async with Vault(Database(empty_url, 2), seal) as vault:
        known, broken = await vault.of("oidc:sarah")
    assert (known["slack"].grant.access_token, broken) == ("xoxp-1", {})
    await index.upsert([Document("files", "new", "", (Passage("일정"),), (PUBLIC,))])
    assert set(await index.contents("files")) == {"배포.md", "new"}
    for each in (index, kept):
        await each.aclose()
    record = await fetched(empty_url, RECORD)
    assert [row["name"] for row in record] == [*ONE_SEQUENCE, *SINCE]
    assert {(row["room"], row["name"]) for row in record} == {
        (room.room, path.name) for room in ROOMS for path in room.files()
    }
    assert applied_then(record) == {(2026, 1)}, "nothing was applied again"
    assert before - {"totals"} <= await tables(empty_url), "its counts are kept by readers since"


async def test_processes_that_take_a_database_over_at_once_do_it_once(empty_url):
    await filled(empty_url)
    await asyncio.gather(
        *(brought_up(empty_url, room) for room in ROOMS), *(brought_up(empty_url, *ROOMS) for _ in "ab")
    )
    record = await fetched(empty_url, RECORD)
    assert Counter(row["room"] for row in record) == Counter({room.room: len(room.files()) for room in ROOMS})
    assert applied_then(record) == {(2026, 1)}


@pytest.mark.parametrize("count", [3, 7, 10])
async def test_of_a_sequence_that_was_cut_off_the_rest_is_applied(empty_url, count):
    await (await of_before(empty_url, count)).close()
    database = with_every_room(Database(empty_url, 2))
    async with database.connection() as connection:
        rows = await connection.fetch(RECORD)
    assert [row["name"] for row in rows] == [*ONE_SEQUENCE, *SINCE]
    assert "" not in {row["room"] for row in rows}
    await database.aclose()


async def test_what_only_one_room_has_taken_over_is_there_for_the_others(empty_url):
    """A bot that is updated first leaves the index's migrations as they were recorded."""
    await filled(empty_url)
    await brought_up(empty_url, ROOMS[4])
    assert Counter(row["room"] for row in await fetched(empty_url, RECORD)) == Counter({"": 12, "bot": 1})
    await brought_up(empty_url, *ROOMS)
    assert applied_then(await fetched(empty_url, RECORD)) == {(2026, 1)}


async def test_what_an_earlier_fedsearch_knows_is_recorded_by_the_same_names(index_url):
    """It reads names alone, and says of any that it does not know, as those since, that a newer one was here."""
    names = {row["name"] for row in await fetched(index_url, "SELECT name FROM migrations")}
    assert names == {*ONE_SEQUENCE, *SINCE}


def test_the_queue_knows_no_other_room():
    assert JOBS.after == ()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are seen in /proc alone")
async def test_the_server_opens_what_relations_there_are_and_one_process_for_each_connection_of_the_pool(empty_url):
    store = IndexStore(Database(empty_url, 3))

    async def used(first):
        for number in range(first, first + 4):
            await store.upsert(
                [Document("notes", f"n{number}", f"Plan {number}", (Passage(f"week {number}"),), (PUBLIC,))]
            )
            asked = IndexQuery(f"week {number}", f"week {number}", RetrievalScope(principals=(PUBLIC,)))
            await asyncio.gather(*(store.search(asked) for _ in range(6)))

    async def held():
        here = await fetched(empty_url, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                                        "AND backend_type = 'client backend' AND pid <> pg_backend_pid()")  # fmt: skip
        return [len(os.listdir(f"/proc/{row['pid']}/fd")) for row in here]  # noqa: PTH208

    await used(0)
    before = await held()
    for number in range(4, 20, 4):
        await used(number)
    after = await held()
    await store.aclose()
    assert len(before) == len(after) == 3
    assert max(after) <= max(before) + 8


async def test_a_connection_that_breaks_while_it_is_given_back_harms_nobody(empty_url):
    """Where a server is killed the goodbye may find a pipe that is broken: whoever closes is done, and asks anew."""
    database = Database(empty_url, 2)
    async with database.connection() as connection:
        connection._transport.get_extra_info("socket").shutdown(socket.SHUT_WR)
    await database.aclose()
    try:
        assert await database.run(lambda each: each.fetchval("SELECT 1")) == 1
    finally:
        await database.aclose()


async def test_a_connection_of_its_own_that_cannot_say_goodbye_has_served_all_the_same(empty_url):
    database = Database(empty_url, 2)
    async with database.bare() as connection:
        found = await connection.fetchval("SELECT 1")
        connection._transport.get_extra_info("socket").shutdown(socket.SHUT_WR)
    assert found == 1


async def test_what_goes_wrong_over_a_connection_is_told_though_that_breaks_as_well(empty_url):
    database = Database(empty_url, 2)

    async def failing():
        async with database.bare() as connection:
            connection._transport.get_extra_info("socket").shutdown(socket.SHUT_WR)
            raise KeyError

    with pytest.raises(KeyError):
        await failing()


async def test_who_is_cancelled_while_the_server_goes_has_not_failed_and_asks_no_other(empty_url, monkeypatch):
    """The server is told that nobody waits over a connection of its own, which one that is gone refuses."""

    async def refused(*_, **__):
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncpg.connect_utils, "_cancel", refused)
    database, begun = Database(empty_url, 2), []

    async def sleep(connection):
        begun.append(connection)
        await connection.execute("SELECT pg_sleep(1000)")

    asking = asyncio.create_task(database.run(sleep))
    while not begun:  # noqa: ASYNC110 — a list tells nobody
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert len(begun) == 1
    await database.aclose()


async def test_who_waits_for_a_database_that_is_closed_meanwhile_is_told(empty_url):
    """And is not taken for cancelled, which nobody has."""
    database = Database(empty_url, 2)
    asking = asyncio.create_task(database.run(lambda each: each.fetchval("SELECT 1")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await database.aclose()
    with pytest.raises(Unavailable, match="closed while it was being opened"):
        await asking
    assert await database.run(lambda each: each.fetchval("SELECT 1")) == 1
    await database.aclose()


async def test_who_is_cancelled_while_a_connection_is_given_back_after_a_failure_is_cancelled(empty_url, monkeypatch):
    """What went wrong before does not take the place of a cancellation."""
    giving, go = asyncio.Event(), asyncio.Event()

    async def slowly(_):
        giving.set()
        await go.wait()

    database = Database(empty_url, 2)
    monkeypatch.setattr("storage.database._as_it_is", slowly)
    go.set()
    assert await database.run(lambda each: each.fetchval("SELECT 1")) == 1
    giving.clear()
    go.clear()

    async def failing():
        async with database.connection():
            raise KeyError

    asking = asyncio.create_task(failing())
    await giving.wait()
    asking.cancel()
    await asyncio.wait({asking})
    go.set()
    await database.aclose()
    assert asking.cancelled()


async def test_who_waits_for_a_database_that_is_closed_while_its_server_goes_is_told(empty_url, monkeypatch):
    """Giving the connection back fails as well, which is not why it was not opened."""
    begun = asyncio.Event()

    async def refused(*_, **__):
        raise ConnectionRefusedError

    async def endless(connection, *_):
        begun.set()
        await connection.execute("SELECT pg_sleep(1000)")

    monkeypatch.setattr(asyncpg.connect_utils, "_cancel", refused)
    monkeypatch.setattr("storage.database.bring_up", endless)
    database = Database(empty_url, 2)
    asking = asyncio.create_task(database.connection().__aenter__())
    await begun.wait()
    await asyncio.sleep(0.05)
    await database.aclose()
    with pytest.raises(Unavailable, match="closed while it was being opened"):
        await asking
