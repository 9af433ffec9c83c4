"""Files into a real index: once, again, changed, gone, killed in between; and asked for at the command line."""

import asyncio
import json
import os
import shlex
import signal
import subprocess
import zipfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from connectors.errors import Misconfigured, Unavailable
from connectors.local.hits import read_hits
from connectors.local.ingest import Given, Ingest
from connectors.local.ingest.drafts import IngestLimits, Reason
from connectors.local.pipeline import IndexQuery
from connectors.local.store import IndexStore
from orchestrator.main import Root
from orchestrator.sandbox import Sandbox, load_corpus
from orchestrator.settings import load_settings
from storage.database import Database
from tests.clock import HANGING
from tests.e2e.program import COLD, WARM

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 22, tzinfo=UTC)
LONG_AGO = 1_700_000_000


@pytest_asyncio.fixture
async def ingest(index_url):
    store = IndexStore(Database(index_url, 4))
    yield Ingest(store, IngestLimits(document=1 << 20, container=2 << 20))
    await store.aclose()


@pytest.fixture
def folder(tmp_path):
    return written(tmp_path / "노트", {"배포.md": "# 배포\n금요일에 한다", "팀/휴가.txt": "연 15일이다", "x.bin": "?"})


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(path, (LONG_AGO, LONG_AGO))
    return folder


def given(folder, **more):
    return Given(folder, more.pop("name", "노트"), more.pop("visible_to", ("user:local",)), **more)


async def ids(ingest):
    rows = await ingest.index.database.run(lambda each: each.fetch("SELECT native_id FROM documents ORDER BY 1"))
    return [row["native_id"] for row in rows]


async def unheld(ingest):
    """Once nobody reads a collection: of a process that was killed, the server hears after the statement that it is in."""
    held = """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND datname = current_database()
    """
    async with asyncio.timeout(HANGING):
        while await ingest.index.database.run(lambda each: each.fetchval(held)):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def found(ingest, text, asker="user:local"):
    searched = await ingest.index.search(IndexQuery(text, text, await ingest.index.scope(asker)), NOW)
    return len(searched.candidates)


async def authors(ingest, text):
    searched = await ingest.index.search(IndexQuery(text, text, await ingest.index.scope("user:local")), NOW)
    read = partial(read_hits, name="local", candidates=searched.candidates, own=frozenset(), max_text=1000)
    return {hit.author and hit.author.name for hit in await ingest.index.database.run(read)}


async def test_a_folder_is_found_by_whom_it_is_visible_to(ingest, folder):
    report = await ingest.add(given(folder))
    assert (report.files, report.read, report.left_out, report.added) == (3, 2, 1, 2)
    assert [(each.path, each.reason) for each in report.skipped] == [("x.bin", Reason.WRONG_TYPE)]
    assert await ids(ingest) == ["배포.md", "팀/휴가.txt"]
    assert await found(ingest, "배포") == 1
    assert await found(ingest, "배포", "user:sarah") == 0
    (collection,) = await ingest.collections()
    assert (collection.name, collection.documents, collection.files, collection.skipped) == ("노트", 2, 3, 1)
    assert collection.finished is not None


async def test_only_what_changed_is_read_again(ingest, folder):
    await ingest.add(given(folder))
    again = await ingest.add(given(folder))
    assert (again.same, again.left_out, again.read, again.added, again.changed) == (2, 1, 0, 0, 0)
    assert [each.path for each in again.skipped] == ["x.bin"]
    os.utime(folder / "배포.md", (LONG_AGO + 9, LONG_AGO + 9))
    assert (await ingest.add(given(folder))).same == 2
    written(folder, {"배포.md": "# 배포\n토요일에 한다"})
    os.utime(folder / "배포.md", (LONG_AGO + 20, LONG_AGO + 20))
    report = await ingest.add(given(folder))
    assert (report.same, report.read, report.left_out, report.changed) == (1, 1, 1, 1)


async def test_a_change_within_the_tick_of_the_clock_is_seen(ingest, folder):
    (folder / "배포.md").write_text("# 배포\n가나다")
    known = (folder / "배포.md").stat()
    await ingest.add(given(folder))
    (folder / "배포.md").write_text("# 배포\n라마바")
    os.utime(folder / "배포.md", ns=(known.st_atime_ns, known.st_mtime_ns))
    assert (await ingest.add(given(folder))).changed == 1


async def test_what_is_gone_is_removed_and_what_cannot_be_looked_at_is_kept(ingest, folder, monkeypatch):
    await ingest.add(given(folder))
    (folder / "배포.md").unlink()
    scandir = os.scandir

    def guarded(path):
        if Path(path).name == "팀":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    report = await ingest.add(given(folder))
    assert (report.gone, report.removed) == (1, 1)
    assert [each.path for each in report.skipped if each.reason == Reason.UNREADABLE] == ["팀"]
    assert await ids(ingest) == ["팀/휴가.txt"]


async def test_a_folder_that_is_suddenly_empty_removes_nothing(ingest, folder, tmp_path):
    await ingest.add(given(folder))
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(Misconfigured, match="not there"):
        await ingest.add(given(folder))
    folder.mkdir()
    with pytest.raises(Misconfigured, match="mounted"):
        await ingest.add(given(folder))
    assert len(await ids(ingest)) == 2


async def test_a_name_belongs_to_one_place(ingest, folder, tmp_path):
    await ingest.add(given(folder))
    other = written(tmp_path / "other", {"a.md": "x"})
    with pytest.raises(Misconfigured, match="--name"):
        await ingest.add(given(other))
    assert await ingest.remove("노트") == 2
    assert await ingest.remove("노트") is None
    assert (await ingest.add(given(other))).added == 1


async def test_other_readers_are_taken_over_by_files_that_are_the_same(ingest, folder):
    await ingest.add(given(folder))
    await ingest.add(given(folder, visible_to=("group:all",), description="사내 안내"))
    assert await found(ingest, "배포") == 0
    await ingest.index.set_members("group:all", ["user:sarah"])
    assert await found(ingest, "배포", "user:sarah") == 1


async def test_every_fault_is_named_and_the_rest_goes_on(ingest, folder):
    written(
        folder,
        {
            "broken.pdf": b"%PDF-1.4",
            "bomb.docx": b"",
            "large.txt": b"a" * (1 << 21),
            "huge.zip": b"PK" + b"\0" * (3 << 20),
            "damaged.zip": b"PK\3\4",
            "euc.txt": "연차 이월은 되지 않는다".encode("cp949"),
        },
    )
    with zipfile.ZipFile(folder / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b"\0" * (30 << 20))
    (folder / "loop").symlink_to(folder)
    report = await ingest.add(given(folder))
    assert {each.path: each.reason for each in report.skipped} == {
        "bomb.docx": Reason.UNSAFE,
        "broken.pdf": Reason.BROKEN,
        "damaged.zip": Reason.BROKEN,
        "huge.zip": Reason.TOO_BIG,
        "large.txt": Reason.TOO_BIG,
        "x.bin": Reason.WRONG_TYPE,
    }
    assert all(each.detail for each in report.skipped)
    assert await ids(ingest) == ["euc.txt", "배포.md", "팀/휴가.txt"]
    assert await found(ingest, "이월") == 1


async def test_what_was_said_in_private_is_found_by_members_alone(ingest, tmp_path):
    said = {"type": "message", "user": "U1", "ts": "1759300000.000100"}
    members = {
        "users.json": [{"id": "U1", "profile": {"real_name": "김민수", "email": "minsu@example.com"}}],
        "channels.json": [{"id": "C1", "name": "공지", "members": ["U1"]}],
        "groups.json": [{"id": "G1", "name": "인사", "members": ["U1"]}],
        "dms.json": [{"id": "D1", "members": ["U1"]}],
        "공지/2026-10-01.json": [{**said, "text": "연봉 발표는 금요일"}],
        "인사/2026-10-01.json": [{**said, "text": "연봉 협상"}],
        "D1/2026-10-01.json": [{**said, "text": "연봉 비밀"}],
    }
    with zipfile.ZipFile(tmp_path / "slack.zip", "w") as packed:
        for name, told in members.items():
            packed.writestr(name, json.dumps(told))
    readers = ("public", "group:all", "user:admin")
    assert (await ingest.add(given(tmp_path / "slack.zip", visible_to=readers))).added == 3
    await ingest.index.set_members("group:all", ["user:sarah"])
    counts = {who: await found(ingest, "연봉", f"user:{who}") for who in ("sarah", "minsu@example.com", "admin")}
    assert counts == {"sarah": 1, "minsu@example.com": 3, "admin": 3}


async def test_a_full_disk_ends_it_with_a_word_and_the_next_run_goes_on(ingest, folder, monkeypatch):
    upsert = ingest.index.upsert

    async def full(documents):
        raise Unavailable("the disk of the index's database is full")

    monkeypatch.setattr(ingest.index, "upsert", full)
    written(folder, {f"{number}.md": f"# {number}\n글" for number in range(500)})
    with pytest.raises(Unavailable, match="full"):
        await ingest.add(given(folder))
    (collection,) = await ingest.collections()
    assert (collection.documents, collection.finished) == (0, None)
    monkeypatch.setattr(ingest.index, "upsert", upsert)
    assert (await ingest.add(given(folder))).added == 502


async def test_members_of_an_archive_come_and_go(ingest, folder):
    def pack(*names):
        with zipfile.ZipFile(folder / "a.zip", "w") as packed:
            for name in names:
                packed.writestr(zipfile.ZipInfo(name, (2026, 10, 1, 9, 0, 0)), f"# {name}\n글")

    pack("가.md", "나.md")
    await ingest.add(given(folder))
    pack("나.md", "다.md")
    report = await ingest.add(given(folder))
    assert (report.added, report.removed, report.unchanged) == (1, 1, 1)
    assert await ids(ingest) == ["a.zip!/나.md", "a.zip!/다.md", "배포.md", "팀/휴가.txt"]


async def test_a_single_file_is_a_collection_and_what_is_too_slow_is_tried_again(ingest, folder):
    report = await ingest.add(given(folder / "배포.md", name="하나"))
    assert (report.files, report.added) == (1, 1)
    assert await ids(ingest) == ["배포.md"]
    written(folder, {"a.html": "<p>느린 글</p>"})
    slow = Ingest(ingest.index, IngestLimits(seconds=0.000_001))
    (skipped,) = (await slow.add(given(folder / "a.html", name="둘"))).skipped
    assert skipped.reason == Reason.TOO_SLOW
    report = await ingest.add(given(folder / "a.html", name="둘"))
    assert (report.read, report.added, report.skipped) == (1, 1, [])


async def test_names_that_are_too_long_for_the_database_are_kept_apart(ingest, folder):
    long = "가" * 60
    with zipfile.ZipFile(folder / "a.zip", "w") as packed:
        for last in "나다":
            packed.writestr("/".join([long] * 15) + f"/{last}.md", f"# {last}\n글")
    assert (await ingest.add(given(folder))).added == 4
    assert len(await ids(ingest)) == 4


ODD = (
    "a b",
    "a  b",
    "a\tb",
    "a\nb",
    "a\u00a0b",
    "a\u200bb",
    "a\x07b",
    " a b",
    "a\u202eb",
    r"a\u{9}b",
    r"a\user",
    "\u1112\u1161\u11ab",
    "한",
)


async def test_no_file_takes_the_place_of_another_by_the_blanks_of_its_name(ingest, tmp_path):
    folder = written(tmp_path / "노트", {f"{name}.md": f"# 회의록\n{name!a}" for name in ODD})
    written(folder, {f"회의록  최종/{number}.md": "# 회의록" for number in range(2)})
    with zipfile.ZipFile(folder / "odd.zip", "w") as packed:
        for name in ODD:
            packed.writestr(f"{name}.md", f"# 묶음\n{name!a}")
    os.utime(folder / "odd.zip", (LONG_AGO, LONG_AGO))
    first = await ingest.add(given(folder))
    assert (first.files, first.added, first.skipped) == (len(ODD) + 3, 2 * len(ODD) + 2, [])
    known = await ids(ingest)
    again = await ingest.add(given(folder))
    assert (again.same, again.read, again.gone, again.removed) == (len(ODD) + 3, 0, 0, 0)
    assert await ids(ingest) == known
    assert {"회의록  최종/0.md", "a  b.md", r"a\u{9}b.md", r"odd.zip!/a\u{a}b.md", "한.md"} <= set(known)
    (folder / "a  b.md").unlink()
    last = await ingest.add(given(folder))
    assert (last.gone, last.removed) == (1, 1)
    assert await ids(ingest) == [each for each in known if each != "a  b.md"]


async def test_files_are_counted_once_and_nothing_read_is_nothing_found(ingest, tmp_path):
    folder = written(tmp_path / "노트", {"a.bin": "?", "b": "?"})
    with zipfile.ZipFile(folder / "bad.zip", "w") as packed:
        packed.writestr("../out.md", "# 밖")
    os.utime(folder / "bad.zip", (LONG_AGO, LONG_AGO))
    for _ in range(2):
        report = await ingest.add(given(folder))
        assert (report.files, report.left_out, report.read, report.same) == (3, 3, 0, 0)
        details = [each.detail for each in report.skipped if each.reason == Reason.WRONG_TYPE]
        assert details == [".bin files are not read", "files without an ending are not read"]


# ---- the command line


def environment(home, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    told = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    off = {"FEDSEARCH_INDEX__EMBEDDER__MODEL": "none", "FEDSEARCH_RANKING__SEMANTIC": "off"}
    return {**kept, **told, **off, **more}


def fedsearch(settings, *arguments):
    return subprocess.run([*WARM, *arguments], env=settings, capture_output=True, encoding="utf-8", check=False)


def test_a_folder_is_added_asked_for_and_cited(tmp_path, folder, empty_url):
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=empty_url)
    assert fedsearch(settings, "search", "배포 언제 하나요?").returncode == 3  # nothing is in it, so it is no source
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
