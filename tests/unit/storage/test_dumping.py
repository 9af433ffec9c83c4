"""A database as one file and back, by PostgreSQL's own programs, between two real databases."""

import asyncpg
import pytest

from storage.database import Database
from storage.dumping import dump, libpq_environment, restore
from storage.errors import Misconfigured, Unavailable


async def rows(url, query):
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(query)
    finally:
        await connection.close()


async def test_what_is_dumped_is_there_again_and_only_where_nothing_was(index_url, empty_url, tmp_path):
    await rows(index_url, "CREATE TABLE kept (said text)")
    await rows(index_url, "INSERT INTO kept VALUES ('회의록 ''a''')")
    there, here = Database(index_url), Database(empty_url)
    try:
        await dump(there, tmp_path / "all.dump")
        await restore(here, tmp_path / "all.dump")
        assert [each["said"] for each in await rows(empty_url, "SELECT said FROM kept")] == ["회의록 'a'"]
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        assert await rows(empty_url, tables) == await rows(index_url, tables)
        with pytest.raises(Misconfigured, match="something in the database already"):
            await restore(here, tmp_path / "all.dump")
    finally:
        await there.aclose()
        await here.aclose()


async def test_a_file_that_is_no_dump_changes_nothing(empty_url, tmp_path):
    (tmp_path / "none.dump").write_text("no dump", "utf-8")
    here = Database(empty_url)
    try:
        with pytest.raises(Unavailable, match="pg_restore failed"):
            await restore(here, tmp_path / "none.dump")
        assert await here.is_empty()
    finally:
        await here.aclose()


async def test_a_pooler_is_named_instead_of_asked(tmp_path):
    there = Database("postgresql://db.example/index?pool_mode=transaction")
    with pytest.raises(Misconfigured, match="the server itself"):
        await dump(there, tmp_path / "all.dump")


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (
            {"dsn": "postgresql://me:p%40ss@db.example:5433/index?sslmode=verify-full"},
            {
                "PGHOST": "db.example",
                "PGPORT": "5433",
                "PGUSER": "me",
                "PGPASSWORD": "p@ss",
                "PGDATABASE": "index",
                "PGSSLMODE": "verify-full",
            },
        ),
        ({"host": "/run/socket", "user": "me"}, {"PGHOST": "/run/socket", "PGUSER": "me", "PGDATABASE": "postgres"}),
    ],
)
def test_an_address_is_told_to_programs_apart_from_their_arguments(options, environment):
    assert libpq_environment(options) == environment


def test_what_programs_would_not_heed_is_refused():
    with pytest.raises(Misconfigured, match="target_session_attrs"):
        libpq_environment({"dsn": "postgresql://db.example/index?target_session_attrs=primary"})
