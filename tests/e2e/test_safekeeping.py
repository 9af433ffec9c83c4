"""A backup and what comes of it on an empty machine: all tables as they were, the data folder, and nothing half done."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import shutil
import sqlite3
import stat
import tarfile
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from connectors.errors import Misconfigured, Unavailable
from connectors.local.ingest import Given, Ingest
from connectors.local.store import IndexSettings, open_index
from connectors.oauth import Grant
from orchestrator.access import KeyRing, Scope, new_key
from orchestrator.assembly.accounts import database_of, seal_of, vault_of
from orchestrator.assembly.indexing import index_told
from orchestrator.assembly.safekeeping import back_up, bring_back, roll_back, upgrade
from orchestrator.assembly.sources import raw_sources
from orchestrator.settings import keep_secret, load_settings
from storage.backups import AUTOMATIC, automatic_backups
from storage.database import Database
from storage.dumping import dump, restore
from storage.loading import folder_of
from storage.migrations import APPLY, RECORD
from storage.supervisor import Cluster
from tests.rooms import ROOMS, of_before, with_every_room
from translators.said import said_in

if TYPE_CHECKING:
    from pathlib import Path


def installed(folder: Path, url: str, secret: str) -> Any:
    told = {"embedder": {"model": "none"}, "reranker": {"model": "none"}, "database_url": url}
    return load_settings({"storage": {"data_dir": str(folder)}, "index": told, "accounts": {"secret": secret}}, {})


def ring_of(settings: Any) -> KeyRing:
    return KeyRing(settings.storage.path / "keys.json", lambda: datetime.now(UTC))


async def tables(url: str) -> dict[str, str]:
    """A digest of every table's rows."""
    connection = await asyncpg.connect(url)
    try:
        names = [
            row[0] for row in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        ]
        return {
            name: await connection.fetchval(f"SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM \"{name}\" t")
            or ""
            for name in names
        }
    finally:
        await connection.close()


async def filled(settings: Any, folder: Path) -> None:
    """Something of everything."""
    (folder / "notes").mkdir()
    (folder / "notes" / "휴가.md").write_text("# 휴가 규정\n\n연차는 15일이다.", "utf-8")
    async with open_index(IndexSettings.model_validate(index_told(settings))) as index:
        await Ingest(index).add(Given(folder / "notes", "notes", ("user:local",)))
    async with vault_of(settings, seal_of(settings)) as vault:
        await vault.put("minji", "slack", Grant(access_token="xoxp-theirs"))
    await asyncio.to_thread(lambda: ring_of(settings).create("dash", [Scope.SEARCH]))
    (settings.storage.path / "feedback.jsonl").write_text('{"verdict": "right"}\n', "utf-8")
    for name in ("pages.sqlite", "own.sqlite"):
        with closing(sqlite3.connect(settings.storage.path / name)) as made, made:
            made.execute("PRAGMA journal_mode = wal")
            made.execute("CREATE TABLE t (x)")
            made.execute("INSERT INTO t VALUES (1)")


async def test_an_empty_machine_becomes_what_was_kept(tmp_path, index_url, empty_url):
    secret = new_key()
    before, after = installed(tmp_path / "one", index_url, secret), installed(tmp_path / "two", empty_url, secret)
    await filled(before, tmp_path)
    file = tmp_path / "kept.tar"
    kept = await back_up(before, file)
    assert set(kept) == {"the database", "feedback.jsonl", "index-holds-documents", "keys.json", "own.sqlite"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(each.name for each in tmp_path.iterdir()) == ["kept.tar", "notes", "one"]

    assert await bring_back(after, file) == kept
    assert await tables(empty_url) == await tables(index_url)
    assert "local" in dict(raw_sources(after))
    assert [key.name for key in ring_of(after).all()] == ["dash"]
    assert ring_of(after).all() == ring_of(before).all()
    with closing(sqlite3.connect(after.storage.path / "own.sqlite")) as found:
        assert found.execute("SELECT x FROM t").fetchall() == [(1,)]
    async with vault_of(after, seal_of(after)) as vault:
        found, broken = await vault.of("minji")
        assert (found["slack"].grant.access_token, broken) == ("xoxp-theirs", {})
    async with open_index(IndexSettings.model_validate(index_told(after))) as index:
        stats = await index.stats()
        assert (stats.documents, stats.sources) == (1, {"notes": 1})

    with pytest.raises(Misconfigured, match="is there already"):
        await bring_back(after, file)
    elsewhere = installed(tmp_path / "three", empty_url, secret)
    with pytest.raises(Misconfigured, match="something in the database"):
        await bring_back(elsewhere, file)
    assert not (tmp_path / "three").exists()  # nothing of it is put anywhere before the database is there


@pytest.mark.parametrize("content", [b"", b"no tar at all" * 100, b"half"])
async def test_what_is_no_whole_backup_changes_nothing(tmp_path, index_url, empty_url, content):
    settings = installed(tmp_path / "one", index_url, new_key())
    if content == b"half":
        (tmp_path / "one").mkdir()
        (tmp_path / "one" / "feedback.jsonl").write_text("x" * 50_000, "utf-8")
        await back_up(settings, tmp_path / "whole.tar")
        content = (tmp_path / "whole.tar").read_bytes()[:30_000]
    (tmp_path / "cut.tar").write_bytes(content)
    with pytest.raises(Misconfigured, match="is no backup"):
        await bring_back(installed(tmp_path / "two", empty_url, new_key()), tmp_path / "cut.tar")
    assert await tables(empty_url) == {}
    assert not (tmp_path / "two").exists()


@pytest.fixture
def _of_debian_12(monkeypatch):
    """Python 3.11.2, whose `tarfile` knows no filter (it came with 3.11.4)."""
    real = tarfile.TarFile.extractall

    def extractall(self, path=".", members=None, *, numeric_owner=False):
        real(self, path, members, numeric_owner=numeric_owner)

    monkeypatch.setattr(tarfile.TarFile, "extractall", extractall)
    monkeypatch.delattr(tarfile, "data_filter", raising=False)


@pytest.mark.usefixtures("_of_debian_12")
async def test_a_backup_is_brought_back_by_the_oldest_python_that_is_promised(tmp_path, index_url, empty_url):
    before, after = (installed(tmp_path / name, url, "") for name, url in (("one", index_url), ("two", empty_url)))
    (tmp_path / "one" / "digests").mkdir(parents=True)
    (tmp_path / "one" / "digests" / "주간.md").write_text("소식", "utf-8")
    await back_up(before, tmp_path / "b.tar")
    assert "digests/주간.md" in await bring_back(after, tmp_path / "b.tar")
    assert (tmp_path / "two" / "digests" / "주간.md").read_text("utf-8") == "소식"
    assert (tmp_path / "two" / "digests" / "주간.md").stat().st_mode & 0o777 == 0o600


def as_packed(**members: Any) -> bytes:
    """A backup that holds such members besides, each a file of this content or the type of what it is instead."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as packed:
        for name, what in {"backup.json": b'{"format": 1, "version": "0.1.0"}', **members}.items():
            member = tarfile.TarInfo(name)
            if isinstance(what, bytes) and len(what) > 1:
                member.size = len(what)
                packed.addfile(member, io.BytesIO(what))
            else:
                member.type, member.linkname = what, "/etc/passwd"
                packed.addfile(member)
    return file.getvalue()


@pytest.mark.parametrize(
    "members",
    [
        {"data/../../out": b"here"},
        {"/backup.json": b"here"},
        {"data/link": tarfile.SYMTYPE},
        {"data/link": tarfile.LNKTYPE},
        {"data/pipe": tarfile.FIFOTYPE},
        {"data/device": tarfile.CHRTYPE},
        {"data/one": b"file", "data/one/below": b"it"},
        {"data/one/below": b"it", "data/one": b"file"},
        {"data/one": b"file", "data/./one": b"again"},
    ],
)
async def test_a_backup_that_leads_elsewhere_is_none(tmp_path, empty_url, members):
    (tmp_path / "b.tar").write_bytes(as_packed(**members))
    with pytest.raises(Misconfigured, match="is no backup"):
        await bring_back(installed(tmp_path / "two", empty_url, ""), tmp_path / "b.tar")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["b.tar"]


async def test_what_an_earlier_fedsearch_has_left_is_brought_up_when_it_is_opened(tmp_path, empty_url, index_url):
    """A dump holds the record of migrations, so that a newer program goes on from there."""
    owner = await of_before(empty_url, 9)
    await owner.close()
    old = Database(empty_url, 2)
    await dump(old, tmp_path / "old.dump")
    await old.aclose()
    connection = await asyncpg.connect(index_url)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()
    new = with_every_room(Database(index_url, 2))
    await restore(new, tmp_path / "old.dump")
    async with new.connection() as opened:
        names = {row["name"] for row in await opened.fetch("SELECT name FROM migrations")}
    assert {"0001_documents.sql", "0010_bot.sql", "0014_counts_by_readers.sql"} <= names
    await new.aclose()


async def test_an_upgrade_is_taken_back(tmp_path, empty_url):
    """From what the version before last has left, up, and back to it: table for table and file for file."""
    owner = await of_before(empty_url, 11)
    await owner.execute("INSERT INTO vault (principal, source, id, sealed) VALUES ('minji', 'slack', '1', 'x')")
    await owner.close()
    settings = installed(tmp_path / "one", empty_url, new_key())
    settings.storage.path.mkdir()
    kept = settings.storage.path / "feedback.jsonl"
    kept.write_text("old\n", "utf-8")
    before, file = await tables(empty_url), tmp_path / "before.tar"

    done = await upgrade(settings, file)
    assert {"index/0014_counts_by_readers.sql", "vault/0015_clients.sql"} <= {*done}
    assert not any(each.startswith("index/0001") for each in done)  # which was there, by a record that names no room
    assert await upgrade(settings, tmp_path / "again.tar") == ()  # nothing to do, and nothing written
    assert not (tmp_path / "again.tar").exists()
    assert "vault_clients" in await tables(empty_url)
    kept.write_text("new\n", "utf-8")
    (settings.storage.path / "since.jsonl").write_text("new\n", "utf-8")
    after = await tables(empty_url)

    other = await asyncpg.connect(empty_url)
    with pytest.raises(Misconfigured, match="1 others are connected"):
        await roll_back(settings, file, tmp_path / "aside-1.tar")
    await other.close()
    assert await roll_back(settings, file, tmp_path / "aside.tar") == ("the database", "feedback.jsonl")
    assert await tables(empty_url) == before
    assert kept.read_text("utf-8") == "old\n"
    assert not (settings.storage.path / "since.jsonl").exists()
    assert set(await roll_back(settings, tmp_path / "aside.tar", tmp_path / "aside-2.tar")) >= {"since.jsonl"}
    assert await tables(empty_url) == after  # what a rollback puts aside can be had again
    assert await upgrade(settings, tmp_path / "third.tar") == ()


async def test_an_upgrade_brings_the_queue_of_jobs_along(tmp_path, empty_url):
    """Where procrastinate has become newer and nothing else has: its tables are of a version before."""
    database = with_every_room(Database(empty_url, 2))
    async with database.connection() as connection:
        made = await shape(connection)
    await database.aclose()
    owner = await asyncpg.connect(empty_url)
    await owner.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    steps = sorted((folder_of("procrastinate") / "sql" / "migrations").glob("*.sql"))
    newest = [each.name for each in steps if each.name > "03.04"]
    await owner.execute(
        "CREATE TABLE queue_migrations (name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())"
    )
    for each in steps[: -len(newest)]:
        await owner.execute(each.read_text("utf-8"))
        await owner.execute("INSERT INTO queue_migrations (name) VALUES ($1)", each.name)
    await owner.execute(RECORD)
    for room in ROOMS:
        for file in room.files():
            await owner.execute(file.read_text("utf-8"))
            await owner.execute(APPLY, room.room, file.name)
    settings = installed(tmp_path / "one", empty_url, new_key())
    assert newest
    assert await upgrade(settings, tmp_path / "before.tar") == tuple(f"jobs/{each}" for each in newest)
    assert (tmp_path / "before.tar").exists()
    assert await shape(owner) == made
    assert await upgrade(settings, tmp_path / "again.tar") == ()
    await owner.close()


@pytest.fixture
async def embedded(tmp_path):
    """An installation whose embedded database is as the version before last has left it, and how a client reaches that."""
    settings = installed(tmp_path / "data", "", new_key())
    cluster = Cluster(settings.storage.path / "postgresql")
    at = await asyncio.to_thread(cluster.ensure)
    address = f"postgresql://{at.user}:{at.password}@/{at.database}?host={at.host}"
    owner = await of_before(address, 11)
    await owner.execute("INSERT INTO vault (principal, source, id, sealed) VALUES ('minji', 'slack', '1', 'x')")
    await owner.close()
    yield settings, address
    await asyncio.to_thread(cluster.release)


async def opened(settings: Any, **more: Any) -> None:
    database = with_every_room(database_of(settings, 2, **more))
    try:
        async with database.connection():
            pass
    finally:
        await database.aclose()


async def test_an_older_embedded_database_is_copied_before_it_is_brought_up(tmp_path, embedded):
    settings, address = embedded
    before = await tables(address)
    await opened(settings)
    (copy,) = automatic_backups(settings.storage.path)
    after = await tables(address)
    assert "vault_clients" in after
    assert "vault_clients" not in before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert await roll_back(settings, copy, tmp_path / "aside.tar") == ("the database",)
    assert await tables(address) == before
    await opened(settings)
    assert automatic_backups(settings.storage.path) == (copy,)  # which holds all that another of the same day would
    await roll_back(settings, copy, tmp_path / "aside-2.tar")
    long_ago = copy.stat().st_mtime - 90_000
    os.utime(copy, (long_ago, long_ago))
    for number in range(2):
        shutil.copy2(copy, copy.with_name(f"{AUTOMATIC}0.0.{number}.tar"))
    await opened(settings)
    assert len(automatic_backups(settings.storage.path)) == 2
    assert {*await tables(address)} == {*after}


@pytest.mark.parametrize("why", ["full", "unwritable"])
async def test_without_room_for_the_copy_an_older_database_stays_as_it_is(embedded, monkeypatch, why):
    settings, address = embedded
    before = await tables(address)
    if why == "full":
        monkeypatch.setattr("storage.backups.shutil.disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 1_000_000))
    else:
        monkeypatch.setattr("storage.backups.tempfile.TemporaryDirectory", refusing)
    with pytest.raises(Unavailable) as failure:
        await opened(settings)
    assert "fedsearch upgrade --backup FILE" in failure.value.message
    assert ("1 MB are free" if why == "full" else "Read-only file system") in failure.value.message
    assert "사본을 만드는데" in said_in(failure.value.message, "ko")
    assert (await tables(address), automatic_backups(settings.storage.path)) == (before, ())


def refusing(**_: Any) -> None:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


async def test_an_upgrade_that_was_asked_for_makes_one_backup(tmp_path, embedded):
    settings, _ = embedded
    assert await upgrade(settings, tmp_path / "asked.tar")
    assert (tmp_path / "asked.tar").exists()
    assert automatic_backups(settings.storage.path) == ()


async def test_whoever_gives_up_waiting_lets_it_come_to_its_end(embedded, monkeypatch):
    """A question at a command line waits three seconds: what takes longer would begin anew with each."""
    settings, address = embedded
    began, go_on = asyncio.Event(), asyncio.Event()

    async def slow(*_: Any) -> None:
        began.set()
        await go_on.wait()

    monkeypatch.setattr("storage.backups.copied_before", slow)
    database = with_every_room(database_of(settings, 2))
    asked = asyncio.create_task(database.run(lambda each: each.fetchval("SELECT 1")))
    await began.wait()
    asked.cancel()
    closing = asyncio.create_task(database.aclose())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    assert "vault_clients" in await tables(address)


async def shape(connection: Any) -> list[str]:
    """What a database is made of: columns and functions."""
    columns = "SELECT table_name || '.' || column_name || ' ' || data_type FROM information_schema.columns WHERE table_schema = 'public'"
    functions = "SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = 'public'"
    return sorted([row[0] for statement in (columns, functions) for row in await connection.fetch(statement)])


async def test_backups_that_lie_in_the_data_folder_are_in_no_other_and_stay(tmp_path, index_url):
    """As they do in the image, whose one volume that is."""
    settings = installed(tmp_path / "one", index_url, new_key())
    await filled(settings, tmp_path)
    data = settings.storage.path
    (data / ".backup-killed").mkdir()
    (data / ".backup-killed" / "database.dump").write_bytes(b"half")
    kept = await back_up(settings, data / "first.bak")
    assert set(kept) == {"the database", "feedback.jsonl", "index-holds-documents", "keys.json", "own.sqlite"}
    assert await back_up(settings, data / "second.tar") == kept
    assert await roll_back(settings, data / "first.bak", data / "aside.tar") == kept
    assert {"first.bak", "second.tar", "aside.tar"} <= {each.name for each in data.iterdir()}


async def test_the_key_of_sealed_secrets_is_in_no_backup(tmp_path):
    data = tmp_path / "data"
    place = {"FEDSEARCH_SECRETS_DIR": str(tmp_path / "kept"), "FEDSEARCH_DATA_DIR": str(data)}
    key = keep_secret("sources.slack.token", "xoxp-1", place).key.path
    settings = installed(data, "", "")
    (data / "roles.json").write_text("{}", "utf-8")
    assert await back_up(settings, file := tmp_path / "kept.tar") == ("roles.json",)
    held = key.read_bytes()
    assert held.strip() not in file.read_bytes()
    assert await roll_back(settings, file, tmp_path / "aside.tar") == ("roles.json",)
    assert key.read_bytes() == held  # what it opens is where it was, too
    assert load_settings(environment=place).sources["slack"]["token"] == "xoxp-1"


async def test_a_rollback_that_fails_leaves_all_as_it_was(tmp_path, empty_url):
    settings = installed(tmp_path / "one", empty_url, new_key())
    await filled(settings, tmp_path)
    file = tmp_path / "kept.tar"
    await back_up(settings, file)
    with tarfile.open(file) as packed, tarfile.open(tmp_path / "damaged.tar", "w") as damaged:
        for member in packed:
            said = packed.extractfile(member).read()
            said = said[:-200] if member.name == "database.dump" else said
            member.size = len(said)
            damaged.addfile(member, io.BytesIO(said))
        folder = tarfile.TarInfo("data/folder")  # of somebody who has packed it anew
        folder.type = tarfile.DIRTYPE
        damaged.addfile(folder)
    before = await tables(empty_url)
    with pytest.raises(Unavailable, match="pg_restore failed"):
        await roll_back(settings, tmp_path / "damaged.tar", tmp_path / "aside.tar")
    assert await tables(empty_url) == before
    assert (settings.storage.path / "keys.json").exists()


async def test_a_server_that_is_not_there_is_told_without_its_password(tmp_path):
    settings = installed(tmp_path / "one", "postgresql://me:planted-secret@127.0.0.1:1/x", new_key())
    with pytest.raises(Unavailable) as failure:
        await back_up(settings, tmp_path / "kept.tar")
    assert "planted-secret" not in str(failure.value)
    assert list(tmp_path.iterdir()) == []
