"""Files into a real index: once, again, changed, gone, killed in between; and asked for at the command line."""

import json
import os
import zipfile
from pathlib import Path

import pytest
import pytest_asyncio

from connectors.errors import Misconfigured, Unavailable
from connectors.local.ingest import Ingest
from connectors.local.ingest.drafts import IngestLimits, Reason
from tests.e2e.local_folders import LONG_AGO, NOTES, found, given, ids, ingesting, written


@pytest_asyncio.fixture
async def ingest(index_url):
    async with ingesting(index_url) as made:
        yield made


@pytest.fixture
def folder(tmp_path):
    return written(tmp_path / "노트", NOTES)


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


async def test_what_a_file_has_lost_of_itself_is_told_each_time_and_the_rest_is_found(ingest, folder):
    from tests.unit.connectors.local.test_ingest_formats import scanned

    written(folder, {"계약.pdf": scanned("Term 24 months", "")})
    with zipfile.ZipFile(folder / "묶음.zip", "w") as packed:
        packed.writestr("안/보증.pdf", scanned("Warranty 12 months", "", ""))
    for _ in range(2):
        report = await ingest.add(given(folder))
        told = {each.path: each.detail for each in report.skipped if each.reason == Reason.PARTLY}
        assert sorted(told) == ["계약.pdf", "묶음.zip!/안/보증.pdf"]
        assert told["계약.pdf"].startswith("no text on 1 of 2 pages")
    assert (report.same, report.left_out) == (4, 1), "what is there in part is there"
    assert await found(ingest, "Warranty") == 1


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
