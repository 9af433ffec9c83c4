"""The index's jobs with real workers: killed, stopped, beside each other, with models that fail and models that change."""

import asyncio
import os
import shutil
import signal
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from procrastinate.exceptions import ConnectorException

from connectors.errors import Misconfigured, SourceError, Unavailable
from connectors.local.jobs.queue import queue_of
from connectors.local.jobs.working import index_worker, work_off
from connectors.local.pipeline import IndexQuery
from connectors.local.store import IndexStore
from storage.database import Database
from storage.jobs import schema
from storage.jobs.connector import PooledConnector, numbered
from tests.clock import HANGING
from tests.e2e.local_index import open_index
from tests.e2e.local_worker import PACE, at_once, documents, events, opened
from tests.e2e.local_workers import Quick, starting, store_queue, until

NOW = datetime(2026, 11, 22, tzinfo=UTC)


@pytest_asyncio.fixture
async def index(index_url):
    async with open_index(index_url, Quick()) as store:
        yield store


@pytest.fixture
def workers():
    with starting() as start:
        yield start


async def embedded(store):
    async def whole():
        return not (await store.stats()).waiting and not await store_queue(store).left([queue_of(store.embedder.name)])

    await until(whole)
    assert await store_queue(store).counts() == {}


# ---- killed and stopped


async def test_what_a_killed_worker_had_taken_is_done_by_another(tmp_path, index_url, workers):
    log = tmp_path / "log"
    async with opened(index_url, log, 0) as store:
        await store.upsert(documents(map(str, range(600))))
        first = await asyncio.to_thread(workers, index_url, log, 0.2)
        await until(lambda: any(what == "end" for what, _, _ in events(log)))
        first.kill()
        first.wait()
        before = (await store.stats()).waiting
        assert before > 0, "it was done before it could be killed"
        second = await asyncio.to_thread(workers, index_url, log, 0)
        await embedded(store)
        assert (await store.stats()).embedded == 600
        begun = [text for what, pid, text in events(log) if what == "begin" and pid == second.pid]
        assert len(begun) == len(set(begun)) == before, "no more is read again than what was not kept"
        assert at_once(log, {first.pid}) == []


async def test_two_workers_share_the_work_and_nothing_is_read_twice(tmp_path, index_url, workers):
    log = tmp_path / "log"
    async with opened(index_url, log, 0) as store:
        pair = [await asyncio.to_thread(workers, index_url, log, 0.1) for _ in range(2)]

        async def both():
            return len(await store.database.run(lambda each: each.fetch("SELECT FROM procrastinate_workers"))) == 2

        await until(both)
        await store.upsert(documents(map(str, range(600))))
        await embedded(store)
        begun = [text for what, _, text in events(log) if what == "begin"]
        assert len(begun) == len(set(begun)) == 600
        assert {pid for _, pid, _ in events(log)} == {each.pid for each in pair}


async def test_a_worker_that_only_sleeps_keeps_what_it_holds(tmp_path, index_url, workers):
    """Of one that is not heard of nobody knows whether it lives: its jobs are taken up, but not what it holds."""
    log = tmp_path / "log"
    async with opened(index_url, log, 0) as store:
        await store.upsert(documents(map(str, range(600))))
        first = await asyncio.to_thread(workers, index_url, log, 0.2)
        await until(lambda: any(what == "end" for what, _, _ in events(log)))
        first.send_signal(signal.SIGSTOP)
        second = await asyncio.to_thread(workers, index_url, log, 0)

        async def rest():
            rows = await store.database.run(
                lambda each: each.fetch("SELECT status, attempts FROM procrastinate_jobs WHERE worker_id IS NOT NULL")
            )
            return len(rows) == 1 and rows[0]["attempts"] >= 2

        await until(rest)
        assert (await store.stats()).waiting > 0
        first.send_signal(signal.SIGCONT)
        await embedded(store)
        assert at_once(log) == []
        assert {pid for _, pid, _ in events(log)} == {first.pid, second.pid}


@pytest.fixture
def folder():
    """A folder that the server's OS user may enter, which pytest's own are not."""
    made = Path(tempfile.mkdtemp(prefix="fedsearch-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


async def test_the_death_of_us_and_of_the_server_loses_no_document_and_no_vector(folder, tmp_path, workers):
    safe, first = 0, 0
    for kill_us in (False, True, True):
        process = await asyncio.to_thread(workers, str(folder / "pg"), tmp_path / "log", 0.05, "--ingest", str(first))
        for _ in range(8):
            safe = int(await asyncio.to_thread(process.stdout.readline)) + 1
        os.kill(process.server, signal.SIGKILL)
        if not kill_us:
            for _ in range(8):  # on a server that was started again
                safe = int(await asyncio.to_thread(process.stdout.readline)) + 1
        process.kill()
        process.wait()
        first = safe
    async with opened(str(folder / "pg"), tmp_path / "log", 0) as store:
        there = await store.contents("files")
        assert {f"{each}" for each in range(safe)} <= set(there)
        async with index_worker(store, pace=PACE):
            await embedded(store)
        stats = await store.stats()
        assert stats.embedded == stats.chunks == len(there)
        assert int(await store.cursor("files")) >= safe - 1


async def test_a_worker_that_is_told_to_stop_puts_back_what_it_holds(tmp_path, index_url):
    async with opened(index_url, tmp_path / "log", 60) as store:
        await store.upsert(documents("가나다라"))
        async with index_worker(store, pace=PACE):
            await until(lambda: events(tmp_path / "log"))
        assert await store_queue(store).counts() == {"embed todo": 4}
        rows = await store.database.run(lambda each: each.fetch("SELECT id FROM procrastinate_workers"))
        assert rows == []


async def test_a_worker_that_is_told_to_stop_where_the_database_is_gone_stops(tmp_path, index_url, monkeypatch):
    """It cannot say goodbye, and is not to take that for a database to be asked again."""
    gone = asyncio.Event()

    class Leaving(PooledConnector):
        async def execute_query_all_async(self, query, **arguments):
            if gone.is_set():
                raise ConnectorException("the database cannot be reached")
            return await super().execute_query_all_async(query, **arguments)

    monkeypatch.setattr("storage.jobs.connector.PooledConnector", Leaving)
    async with opened(index_url, tmp_path / "log", 60) as store:
        await store.upsert(documents("가나"))
        async with asyncio.timeout(HANGING), index_worker(store, pace=PACE) as worker:
            await until(lambda: events(tmp_path / "log"))
            gone.set()
        assert worker.cancelled()


async def test_a_worker_that_cannot_work_keeps_nobody_waiting(tmp_path, index_url, monkeypatch, capsys):
    """As where a library of the machine's was missing: adding waited for ever, and nothing said why."""

    def broken(_):
        raise ImportError("no pq wrapper available.\nAttempts made: none")

    monkeypatch.setattr("storage.jobs.working._Shift._made", broken)
    async with opened(index_url, tmp_path / "log", 0) as store:
        await store.upsert(documents("가나"))
        async with asyncio.timeout(HANGING):
            with pytest.raises(ImportError, match="no pq wrapper"):
                await work_off(store, pace=PACE)
    assert "the worker of jobs has ended" in capsys.readouterr().out


# ---- what is put off


async def test_new_text_brings_its_job_with_it_or_neither_is_there(index):
    queue = store_queue(index)
    await index.upsert(documents("가"))
    assert await queue.counts() == {"embed todo": 4}
    await index.upsert(documents("나다"))
    assert await queue.counts() == {"embed todo": 4}, "who waits already is enough"
    bad = replace(documents("라")[0], facts={"n": float("nan")})
    await work_off(index, pace=PACE)
    with pytest.raises(SourceError):  # whatever the database says of NaN in JSON
        await index.upsert([bad])
    assert await queue.counts() == {}
    await index.upsert(documents("가나다"))
    assert await queue.counts() == {}, "nothing has changed"


async def test_a_job_that_is_just_taken_is_not_taken_for_one_that_waits(index):
    """It would not see what is being written."""
    await index.upsert(documents("가"))
    async with index.database.connection() as taking, taking.transaction():
        await taking.fetch("SELECT procrastinate_fetch_job_v2(NULL, NULL)")
        await index.upsert(documents("나"))
    assert await store_queue(index).counts() == {"embed doing": 1, "embed todo": 4}


async def test_another_model_reads_everything_anew_while_words_serve_and_that_is_told(index, index_url):
    await index.upsert([*documents("가나"), *documents(["배포"])])
    assert await work_off(index, pace=PACE) == 3
    question = IndexQuery("배포", "배포", await index.scope("user:x"))
    assert (await index.search(question, NOW)).notes == []
    other = IndexStore(Database(index_url, 4), Quick("other", 6))
    searched = await other.search(question, NOW)
    assert searched.notes == ["3 parts are found by words alone until other has read them"]
    assert len(searched.candidates) == 3
    async with index_worker(other, pace=PACE):
        await embedded(other)
    fresh = IndexStore(Database(index_url, 4), Quick("other", 6))
    assert (await fresh.search(question, NOW)).notes == []
    for each in (other, fresh):
        await each.aclose()


async def test_a_worker_does_not_embed_for_a_model_that_it_does_not_have(index, index_url):
    other = IndexStore(Database(index_url, 4), Quick("other", 6))
    await index.upsert(documents("가"))
    await work_off(other, pace=PACE)
    assert await store_queue(index).counts() == {"embed todo": 4}
    assert index.embedder.asked == 0
    await other.aclose()


async def test_a_model_that_fails_for_a_while_is_asked_again(index):
    await index.upsert(documents("가"))
    index.embedder.broken = Unavailable("the model sleeps")
    with pytest.raises(Unavailable, match="the model sleeps"):
        await work_off(index, pace=PACE)
    async with index_worker(index, pace=PACE):
        await until(lambda: index.embedder.asked > 2)
        index.embedder.broken = None
        await embedded(index)


async def test_a_failure_that_lasts_is_kept_and_the_next_worker_tries_once_more(index):
    await index.upsert(documents("가"))
    index.embedder.broken = Misconfigured("the model has no key")
    with pytest.raises(Misconfigured, match="no key"):
        await work_off(index, pace=PACE)
    index.embedder.broken = None
    assert await work_off(index, pace=PACE) == 1


async def test_a_bug_is_told_without_what_was_read_and_not_tried_again(index, capsys):
    await index.upsert(documents("가"))
    index.embedder.broken = KeyError("secret-word")
    with pytest.raises(SourceError, match="a bug of ours") as caught:
        await work_off(index, pace=PACE)
    assert "secret-word" not in f"{caught.value}{capsys.readouterr()}"
    assert (await store_queue(index).counts())["embed failed"] == 1


async def test_jobs_of_somebody_elses_procrastinate_are_left_alone(index_url):
    store = IndexStore(Database(index_url, 2))
    await store.open()
    async with store.database.connection() as connection:
        await connection.execute("DELETE FROM queue_migrations")
    with pytest.raises(Misconfigured, match="another program"):
        await IndexStore(Database(index_url, 2)).open()
    async with store.database.connection() as connection:
        await connection.execute("INSERT INTO queue_migrations (name) VALUES ('99.99.99_01_later.sql')")
    with pytest.raises(Misconfigured, match="newer procrastinate"):
        await IndexStore(Database(index_url, 2)).open()
    await store.aclose()


async def test_the_queues_tables_follow_procrastinates_own_steps(index_url, tmp_path, monkeypatch):
    """As if the installed one were newer by a step than the one that made the tables."""
    store = IndexStore(Database(index_url, 2))
    await store.open()
    shutil.copytree(schema.folder_of("procrastinate") / "sql", tmp_path / "sql")
    (tmp_path / "sql" / "migrations" / "99.00.00_01_post_more.sql").write_text(
        "ALTER TABLE procrastinate_jobs ADD COLUMN more text; SELECT '100%'"
    )
    monkeypatch.setattr(schema, "folder_of", lambda _: tmp_path)
    later = IndexStore(Database(index_url, 2), Quick())
    await later.upsert(documents("가"))
    rows = await later.database.run(lambda each: each.fetch("SELECT more FROM procrastinate_jobs"))
    assert len(rows) == 4
    for each in (store, later):
        await each.aclose()


def test_parameters_are_numbered_by_name():
    assert numbered("SELECT %(a)s, %(b)s::text, %(a)s, '%%'") == ("SELECT $1, $2::text, $1, '%'", ("a", "b"))
