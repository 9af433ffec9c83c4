"""A whole database as one file and back, by PostgreSQL's own programs, while others go on using it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from storage.account import installation
from storage.errors import Misconfigured, Unavailable
from translators.plain import quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from storage.database import Database

# How libpq hears of each part of an address: https://www.postgresql.org/docs/current/libpq-envars.html
VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "database": "PGDATABASE",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}
DUMP = ("pg_dump", "--format=custom", "--no-owner", "--no-privileges")
RESTORE = ("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")

ASIDE = "before_rollback"
LEAVING, PAUSE = 20, 0.1  # times that others are looked for, and seconds between two
OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
# What an extension has made (pgvector's type) is not dumped: it stays, and goes to where the dump looks for it.
EXTENSIONS = "SELECT extname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE n.nspname = $1"

IN_USE = Said("{count} others are connected to the database; stop servers, bots and workers first")
LEFT_ASIDE = Said("an earlier rollback has left the schema {schema} in the database; look at it, and drop it first")
NOT_EMPTY = Said("there is something in the database already; restore into an empty folder or database")
FAILED = Said("{program} failed: {said}")
NO_PROGRAM = Said("{program} is not in {folder}, where the wheel of PostgreSQL has its programs")
POOLED = Said("index.database_url leads to a pooler; give backup and restore the address of the server itself")
UNKNOWN_PART = Said("index.database_url says {name}, which backup and restore do not understand")


async def dump(database: Database, file: Path) -> None:
    """Write all of a database into ``file``, as it is at one moment. Raises :class:`SourceError`."""
    await _run(DUMP, f"--file={file}", environment=await _environment_of(database))


async def restore(database: Database, file: Path) -> None:
    """Fill an empty database with what was dumped, all of it or nothing. Raises :class:`SourceError`.

    Tables that a newer fedsearch has besides are made when it next opens them.
    """
    if not await database.is_empty():
        raise Misconfigured(NOT_EMPTY)
    environment = await _environment_of(database)
    await _run(RESTORE, f"--dbname={environment['PGDATABASE']}", str(file), environment=environment)


async def replace(database: Database, file: Path) -> None:
    """Put what was dumped in the place of what is there. Where that fails, all is as it was. Raises :class:`SourceError`.

    Whoever wrote what is there may be newer than this program, so that no table is looked at.
    """
    environment = await _environment_of(database)
    async with database.bare() as connection:
        for last in (*(False,) * LEAVING, True):  # who has just said goodbye is still there for a moment
            if not (others := await connection.fetchval(OTHERS)):
                break
            if last:
                raise Misconfigured(IN_USE.filled(count=others))
            await asyncio.sleep(PAUSE)
        if await connection.fetchval("SELECT to_regnamespace($1) IS NOT NULL", ASIDE):
            raise Misconfigured(LEFT_ASIDE.filled(schema=ASIDE))
        async with connection.transaction():
            await connection.execute(f"ALTER SCHEMA public RENAME TO {ASIDE}; CREATE SCHEMA public")
            await _move_extensions(connection, ASIDE, "public")
        try:
            await _run(RESTORE, f"--dbname={environment['PGDATABASE']}", str(file), environment=environment)
        except BaseException:
            async with connection.transaction():
                await _move_extensions(connection, "public", ASIDE)
                await connection.execute(f"DROP SCHEMA public CASCADE; ALTER SCHEMA {ASIDE} RENAME TO public")
            raise
        await connection.execute(f"DROP SCHEMA {ASIDE} CASCADE")


async def _move_extensions(connection: Any, source: str, target: str) -> None:
    for row in await connection.fetch(EXTENSIONS, source):
        name = row["extname"].replace('"', '""')
        await connection.execute(f'ALTER EXTENSION "{name}" SET SCHEMA {target}')


async def _environment_of(database: Database) -> dict[str, str]:
    if database.is_pooled:  # which lends its connections for a transaction, and these programs set them up first
        raise Misconfigured(POOLED)
    return libpq_environment(await database.options())


def libpq_environment(options: Mapping[str, str]) -> dict[str, str]:
    """An address for programs of PostgreSQL, so that no password stands among the arguments that everybody sees."""
    parts = dict(options)
    if dsn := parts.pop("dsn", ""):
        url = urlsplit(dsn)
        said = {"host": url.hostname, "port": url.port, "user": url.username, "password": url.password}
        parts = {
            name: unquote(str(value)) for name, value in {**said, "database": url.path.lstrip("/")}.items() if value
        }
        parts |= dict(parse_qsl(url.query))
    if unknown := parts.keys() - VARIABLES.keys():
        raise Misconfigured(UNKNOWN_PART.filled(name=min(unknown)))
    return {"PGDATABASE": "postgres", **{VARIABLES[name]: value for name, value in parts.items()}}


async def _run(command: tuple[str, ...], *more: str, environment: Mapping[str, str]) -> None:
    program = _program(command[0])
    process = await asyncio.create_subprocess_exec(
        program,
        *command[1:],
        *more,
        env={**os.environ, **environment},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, said = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        raise Unavailable(FAILED.filled(program=command[0], said=quote(lines[-1] if lines else process.returncode)))


def _program(name: str) -> str:
    found = installation() / "bin" / name
    if not found.is_file():
        raise Misconfigured(NO_PROGRAM.filled(program=name, folder=found.parent))
    return str(found)
