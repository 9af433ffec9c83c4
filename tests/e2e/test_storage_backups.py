"""The copy that is made of an older database before it is brought up, made and put back by the same program."""

from __future__ import annotations

import os
import sqlite3
import tarfile
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage import backups
from storage.backups import APART, MOST_AUTOMATIC, automatic_backups, back_up_of, copied_before
from storage.database import Database
from storage.dumping import replace
from storage.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path

STEPS = ("index/0001.sql",)


def _let_pass(data: Path, seconds: float) -> None:
    """As if the copies had been made so long ago."""
    for path in automatic_backups(data):
        then = time.time() - seconds
        os.utime(path, (then, then))


async def test_a_copy_holds_the_database_and_what_lies_in_the_folder_and_can_be_put_back(empty_url, tmp_path):
    """A SQLite file of one moment; neither locks nor other backups."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "note.txt").write_text("kept", "utf-8")
    (data / "a.lock").touch()
    with closing(sqlite3.connect(data / "own.sqlite")) as own:
        own.execute("CREATE TABLE things (name TEXT)")
        own.commit()
    database = Database(empty_url, 2)
    try:
        async with database.bare() as connection:
            await connection.execute("CREATE TABLE told (said TEXT); INSERT INTO told VALUES ('before')")
        first = data / "first.tar"
        assert await back_up_of(database, data, first) == ("the database", "note.txt", "own.sqlite")
        assert await back_up_of(database, data, data / "second.tar") == ("the database", "note.txt", "own.sqlite")
        with tarfile.open(first) as packed:
            (tmp_path / "database.dump").write_bytes(packed.extractfile("database.dump").read())
        async with database.bare() as connection:
            await connection.execute("UPDATE told SET said = 'after'")
        await replace(database, tmp_path / "database.dump")
        async with database.bare() as connection:
            assert await connection.fetchval("SELECT said FROM told") == "before"
    finally:
        await database.aclose()


async def test_one_copy_a_day_is_made_before_an_older_database_is_brought_up_and_two_are_kept(empty_url, tmp_path):
    database = Database(empty_url, 2)
    try:
        for _ in range(MOST_AUTOMATIC + 2):
            await copied_before(database, tmp_path, STEPS)
            made = automatic_backups(tmp_path)
            await copied_before(database, tmp_path, STEPS)
            assert automatic_backups(tmp_path) == made
            _let_pass(tmp_path, APART + 1)
            time.sleep(1.01)  # noqa: ASYNC251  (a copy is named by its second)
        assert len(automatic_backups(tmp_path)) == MOST_AUTOMATIC
    finally:
        await database.aclose()


async def test_nothing_is_brought_up_where_there_is_no_room_for_a_copy(empty_url, tmp_path, monkeypatch):
    monkeypatch.setattr(backups, "_free", lambda _: 0)
    database = Database(empty_url, 2)
    try:
        with pytest.raises(Unavailable, match="has no room for that"):
            await copied_before(database, tmp_path, STEPS)
        assert not automatic_backups(tmp_path)
    finally:
        await database.aclose()
