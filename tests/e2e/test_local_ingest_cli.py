"""Folders and sources into the index, from the command line: exit codes, words, and processes that are killed or beside each other."""

import asyncio
import json
import shlex
import signal
import subprocess
import zipfile
from functools import partial

import pytest
import pytest_asyncio

from connectors.local.hits import read_hits
from connectors.local.pipeline import IndexQuery
from orchestrator.main import Root
from orchestrator.sandbox import Sandbox, load_corpus
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.local_folders import NOTES, NOW, environment, fedsearch, found, given, ids, ingesting, written
from tests.e2e.program import COLD


@pytest_asyncio.fixture
async def ingest(index_url):
    async with ingesting(index_url) as made:
        yield made


@pytest.fixture
def folder(tmp_path):
    return written(tmp_path / "노트", NOTES)


async def unheld(ingest):
    """Once nobody reads a collection: of a process that was killed, the server hears after the statement that it is in."""
    held = """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND datname = current_database()
    """
    async with asyncio.timeout(HANGING):
        while await ingest.index.database.run(lambda each: each.fetchval(held)):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def authors(ingest, text):
    searched = await ingest.index.search(IndexQuery(text, text, await ingest.index.scope("user:local")), NOW)
    read = partial(read_hits, name="local", candidates=searched.candidates, own=frozenset(), max_text=1000)
    return {hit.author and hit.author.name for hit in await ingest.index.database.run(read)}


def test_a_folder_is_added_asked_for_and_cited(tmp_path, folder, empty_url):
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=empty_url, FEDSEARCH_DATA_DIR=str(tmp_path / "data"))
    ask = ("search", "배포 언제 하나요?")
    assert fedsearch(settings, *ask).returncode in {1, 3}  # nobody has looked into it from here yet: it may be asked
    assert fedsearch(settings, *ask).returncode == 3  # nothing is in it, so it is no source
    off = {**settings, "FEDSEARCH_SOURCES__LOCAL__ENABLED": "false"}
    added = fedsearch(off, "index", "add", str(folder), "--json")
    assert added.returncode == 0, added.stderr
    assert "questions do not go to the local index, since your settings say so" in added.stderr
    told = json.loads(added.stdout)
    (report,), example = told["collections"], told["example"]
    assert (report["name"], report["added"], report["reasons"]) == ("노트", 2, {"wrong_type": 1})
    assert fedsearch(off, "search", example["question"]).returncode == 3
    again = fedsearch(settings, "index", "add", str(folder))
    assert (again.stderr, example["command"] in again.stdout) == ("", True)
    found = fedsearch(settings, *shlex.split(example["command"])[1:], "--json")
    assert json.loads(found.stdout)["results"][0]["title"] == example["finds"]
    asked = fedsearch(settings, "search", "배포 언제 하나요?", "--json")
    assert asked.returncode == 0, asked.stderr
    told = json.loads(asked.stdout)
    assert "노트/배포.md" in json.dumps(told, ensure_ascii=False)
    shown = fedsearch(settings, "search", "배포 언제 하나요?")
    assert "금요일에 한다" in shown.stdout
    assert "노트/배포.md" in shown.stdout
    assert "[1]" in shown.stdout


@pytest.mark.parametrize("where", ["embedded", "shared"])
def test_an_index_that_nobody_has_looked_into_from_here_is_asked_by_the_first_question(
    tmp_path, folder, empty_url, where
):
    """As an earlier version has left it, which put no mark there, or another machine has filled it."""
    more = {"FEDSEARCH_INDEX__DATABASE_URL": empty_url} if where == "shared" else {}
    settings = environment(tmp_path, FEDSEARCH_DATA_DIR=str(tmp_path / "data"), **more)
    assert fedsearch(settings, "index", "add", str(folder)).returncode == 0
    mark = tmp_path / "data" / "index-holds-documents"
    mark.unlink()
    for _ in "12":
        assert "금요일에 한다" in fedsearch(settings, "search", "배포 언제 하나요?").stdout
        assert mark.exists()
    assert fedsearch(settings, "index", "remove", "노트").returncode == 0
    assert fedsearch(settings, "search", "배포 언제 하나요?").returncode == 3


def test_a_group_finds_what_is_visible_to_it_and_those_who_left_do_not(tmp_path, folder, index_url):
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url)
    added = fedsearch(settings, "index", "add", str(folder), "--visible-to", "group:개발")
    assert (added.returncode, "questions do not go" in added.stderr) == (0, False)
    assert "for example" not in added.stdout  # whoever asks here is not among those who find it
    ask = ("search", "배포 언제 하나요?")
    assert fedsearch(settings, "index", "group", "list").returncode == 1
    assert "금요일에 한다" not in fedsearch(settings, *ask).stdout
    assert fedsearch(settings, "index", "group", "set", "개발", "group:플랫폼").returncode == 0
    assert fedsearch(settings, "index", "group", "set", "group:플랫폼", "user:local", "user:minsu").returncode == 0
    assert "금요일에 한다" in fedsearch(settings, *ask).stdout
    told = json.loads(fedsearch(settings, "index", "group", "list", "--json").stdout)
    assert told == {"groups": {"group:개발": ["group:플랫폼"], "group:플랫폼": ["user:local", "user:minsu"]}}
    assert fedsearch(settings, "index", "group", "set", "플랫폼", "user:minsu").returncode == 0
    assert "금요일에 한다" not in fedsearch(settings, *ask).stdout
    assert [fedsearch(settings, "index", "group", "remove", "플랫폼").returncode for _ in "12"] == [0, 1]
    for wrong in (("set", "개발", "everybody"), ("set", "user:minsu", "user:sarah"), ("remove", "group:")):
        refused = fedsearch(settings, "index", "group", *wrong)
        assert (refused.returncode, "write" in refused.stderr) == (2, True), wrong


def test_exit_codes_and_words_of_the_command(tmp_path, folder, index_url):
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url)
    empty = fedsearch(settings, "index", "list")
    assert (empty.returncode, empty.stdout) == (1, "")
    wrong = fedsearch(settings, "index", "add", str(folder), "--visible-to", "everybody")
    assert wrong.returncode == 2
    assert "public" in wrong.stderr
    absent = fedsearch(settings, "index", "add", str(tmp_path / "nowhere"))
    assert absent.returncode == 2
    assert "not there" in absent.stderr
    double = fedsearch(settings, "index", "add", str(folder), str(folder / "팀"), "--name", "둘")
    assert (double.returncode, "--name" in double.stderr) == (2, True)
    assert fedsearch(settings, "index", "add", str(folder)).returncode == 0
    embedded = fedsearch(settings, "index", "embed")
    assert (embedded.returncode, "0 parts" in embedded.stderr) == (0, True)
    assert "2 documents" in fedsearch(settings, "index", "list").stdout
    stats = json.loads(fedsearch(settings, "index", "stats", "--json").stdout)
    assert (stats["documents"], stats["sources"]) == (2, {"노트": 2})
    assert fedsearch(settings, "index", "remove", "노트").returncode == 0
    assert fedsearch(settings, "index", "remove", "노트").returncode == 1
    gone = fedsearch({**settings, "FEDSEARCH_INDEX__DATABASE_URL": "postgresql:///x?host=/nowhere"}, "index", "list")
    assert gone.returncode == 3
    assert "cannot be reached" in gone.stderr


def test_the_exit_code_of_a_second_run_is_that_of_the_first(tmp_path, index_url):
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url)
    with zipfile.ZipFile(tmp_path / "nest.zip", "w") as packed:
        for name in ("한.md", "../one.md", "../two.md"):
            packed.writestr(name, "# 글")
    for _ in range(2):
        assert fedsearch(settings, "index", "add", str(tmp_path / "nest.zip")).returncode == 0
    (tmp_path / "x.bin").write_bytes(b"?")
    for _ in range(2):
        assert fedsearch(settings, "index", "add", str(tmp_path / "x.bin")).returncode == 1


async def test_killed_in_between_it_goes_on_and_nothing_is_twice(tmp_path, index_url, ingest):
    folder = written(tmp_path / "많음", {f"{number:04}.md": f"# {number}\n배포 기록" for number in range(3000)})
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url)
    command = [*COLD, "index", "add", str(folder), "--name", "노트"]
    process = await asyncio.to_thread(subprocess.Popen, command, env=settings)
    await ingest.index.open()
    while (before := len(await ids(ingest))) < 600 and process.poll() is None:
        pass
    process.send_signal(signal.SIGKILL)
    await asyncio.to_thread(process.wait)
    assert before < 3000, "it was done before it could be killed"
    await unheld(ingest)
    report = await ingest.add(given(folder))
    assert report.added + report.unchanged + report.same >= 3000
    assert report.same > 0
    assert report.added < 3000
    assert len(await ids(ingest)) == 3000


async def test_two_processes_do_not_read_the_same_folder_at_once(tmp_path, index_url, ingest):
    folder = written(tmp_path / "많음", {f"{number:04}.md": f"# {number}\n배포 기록" for number in range(3000)})
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url)
    command = [*COLD, "index", "add", str(folder), "--name", "노트"]
    first = await asyncio.to_thread(subprocess.Popen, command, env=settings, stdout=subprocess.DEVNULL)
    await ingest.index.open()
    while not await ids(ingest) and first.poll() is None:
        pass
    first.send_signal(signal.SIGSTOP)
    try:
        second = await asyncio.to_thread(fedsearch, settings, *command[len(COLD) :])
        removing = await asyncio.to_thread(fedsearch, settings, "index", "remove", "노트")
    finally:
        first.send_signal(signal.SIGCONT)
    for each in (second, removing):
        assert (each.returncode, "another process" in each.stderr) == (3, True), each.stderr
    assert await asyncio.to_thread(first.wait) == 0
    assert len(await ids(ingest)) == 3000
    assert (await ingest.add(given(folder))).same == 3000


async def test_two_processes_read_two_folders_at_once(tmp_path, index_url, ingest):
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url)
    folders = [
        written(tmp_path / name, {f"{number}.md": f"# {number}\n배포 기록 plan" for number in range(500)})
        for name in ("가", "나")
    ]
    both = [asyncio.to_thread(fedsearch, settings, "index", "add", str(folder)) for folder in folders]
    assert [each.returncode for each in await asyncio.gather(*both)] == [0, 0]
    assert (await ingest.index.stats()).sources == {"가": 500, "나": 500}
    rows = await ingest.index.database.run(
        lambda each: each.fetch("SELECT chunks FROM frequencies WHERE term = 'plan'")
    )
    assert [row["chunks"] for row in rows] == [1000]


# ---- a source that may be kept

ROWS = [
    {
        "id": f"p{n}",
        "source": "notion",
        "kind": "page",
        "title": f"결제 정책 {n}",
        "text": f"환불은 {n}일 안에 한다.",
        "container": "위키",
        "author": "minsu",
        "author_name": "김민수",
        "created": f"2026-03-0{n}T01:00:00Z",
    }
    for n in range(1, 6)
]


async def pulled(settings, **more):
    return await Root().sync(settings, "notion", ("user:local",), **{"whole": False, "on_progress": str, **more})


async def test_a_source_is_pulled_once_and_then_from_its_last_change_on(tmp_path, index_url, ingest):
    for rows in (ROWS, ROWS[:4]):
        folder = tmp_path / f"{len(rows)}"
        folder.mkdir()
        (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    first, second = load_corpus(tmp_path / "5"), load_corpus(tmp_path / "4")
    told = {"index": {"database_url": index_url, "embedder": {"model": "none"}}}
    async with Sandbox(first) as served:
        end = served.endpoints["notion"]
        settings = load_settings({**told, "sources": {"notion": {"base_url": end.base_url, "token": end.token}}}, {})
        report = await pulled(settings)
        assert (report.added, report.removed) == (6, 0)  # the page that they are in is one as well
        assert await found(ingest, "환불") == 5
        assert await found(ingest, "환불", "user:sarah") == 0
        assert await authors(ingest, "환불") == {"김민수"}
        again = await pulled(settings)
        assert (again.added, again.changed) == (0, 0)
        assert again.unchanged < 6
    async with Sandbox(second) as served:
        end = served.endpoints["notion"]
        settings = load_settings({**told, "sources": {"notion": {"base_url": end.base_url, "token": end.token}}}, {})
        assert (await pulled(settings)).removed == 0
        assert (await pulled(settings, whole=True)).removed == 1
    assert (await ingest.index.stats()).sources == {"notion": 5}


def test_slack_is_not_stored(tmp_path, index_url):
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url, FEDSEARCH_SOURCES__SLACK__TOKEN="xoxp-1")
    refused = fedsearch(settings, "index", "sync", "slack")
    assert refused.returncode == 2
    assert "export" in refused.stderr
    unknown = fedsearch(settings, "index", "sync", "nothing")
    assert (unknown.returncode, "fedsearch sources" in unknown.stderr) == (2, True)
