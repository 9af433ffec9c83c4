"""All that an installation keeps, in one file and back: the database (index, vault, digests, the bot) and the data folder."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import database_of
from orchestrator.settings import KEY_FILE
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from orchestrator.settings import Settings
    from storage.database import Database
    from storage.migrations import Migrations

FORMAT = 1
SAYS, DUMPED, FOLDER = "backup.json", "database.dump", "data"
THE_DATABASE = "the database"
PRIVATE = 0o600
# The embedded server's own, since what is in it is dumped; 62 MB of a model, which are written anew; and what opens sealed secrets, which are not there either.
LEFT_OUT = frozenset({"postgresql", "models", KEY_FILE})
REMEMBERED = "pages.sqlite"  # pages of the web, which are read again, and what SQLite keeps beside them
LOCKS = ".lock"
BEING_MADE = ".backup-"  # the folder of a backup that is not whole yet
NOT_A_BACKUP = Said("{file} is no backup of fedsearch, or is not whole")
NEWER = Said("{file} was written by a newer fedsearch ({version}); update this one")
IN_THE_WAY = Said("{file} is there already; restore into an empty data folder")


async def back_up(settings: Settings, file: Path) -> tuple[str, ...]:
    """Write a backup to an absolute path; what is in it. Others may go on working. Raises :class:`SourceError` and ``OSError``."""
    from storage.dumping import dump

    database = database_of(settings, 2)
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=BEING_MADE) as folder:
            dumped = Path(folder) / DUMPED
            if database.is_made:
                await dump(database, dumped)
            return await asyncio.to_thread(_packed, file, dumped, settings.storage.path)
    finally:
        await database.aclose()


def _packed(file: Path, dumped: Path, data: Path) -> tuple[str, ...]:
    kept = sorted(_kept(data))
    says = {"format": FORMAT, "version": version("fedsearch"), "made": datetime.now(UTC).isoformat()}
    unfinished = dumped.with_name("whole")
    with os.fdopen(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE), "w+b") as raw:
        with tarfile.open(fileobj=raw, mode="w") as packed:
            note = dumped.with_name(SAYS)
            note.write_text(json.dumps(says), "utf-8")
            packed.add(note, SAYS)
            if dumped.exists():
                packed.add(dumped, DUMPED)
            for path in kept:
                packed.add(_steady(path, dumped.parent), f"{FOLDER}/{path.relative_to(data).as_posix()}")
        raw.flush()
        os.fsync(raw.fileno())
    unfinished.replace(file)
    return (*([THE_DATABASE] if dumped.exists() else []), *(path.relative_to(data).as_posix() for path in kept))


def _kept(data: Path) -> Iterator[Path]:
    if not data.is_dir():
        return
    for path in data.rglob("*"):
        inside = path.relative_to(data).parts
        left_out = inside[0] in LEFT_OUT or path.name.startswith(REMEMBERED) or path.suffix == LOCKS
        left_out = left_out or any(part.startswith(BEING_MADE) for part in inside)
        if not left_out and path.is_file() and not path.is_symlink() and not _is_backup(path):
            yield path


def _is_backup(path: Path) -> bool:
    """Whether it is another one: the image's one volume is the data folder, and they lie in it too."""
    try:
        with tarfile.open(path, "r:") as packed:
            first = packed.next()
    except tarfile.TarError:
        return False
    return first is not None and first.name == SAYS


def _steady(path: Path, folder: Path) -> Path:
    """A file that nobody writes any more: of a SQLite database a copy of one moment, of what is only added to itself."""
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\x00":
            return path
    copy = folder / "copy.sqlite"
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as live, closing(sqlite3.connect(copy)) as made:
        live.backup(made)
    return copy


async def upgrade(settings: Settings, file: Path) -> tuple[str, ...]:
    """Bring every room's tables up to what this program works with, after a backup into ``file``; what was done.

    Nothing is done, and nothing written, where there is nothing to do. Raises :class:`SourceError` and ``OSError``.
    """
    database = database_of(settings, 2)
    try:
        if not database.is_made or await database.is_empty():
            return ()
        done = {*await database.brought_up()}  # an old record names no room
        wanted = ((room.room, path.name) for room in every_room() for path in room.files())
        missing = sorted(f"{room}/{name}" for room, name in wanted if not {f"{room}/{name}", name} & done)
        async with database.bare() as connection:
            missing += [f"{room.room}/{step}" for room in every_room() for step in await room.ahead(connection)]
        if not missing:
            return ()
        await back_up(settings, file)
        for room in every_room():
            database.register(room)
        async with database.connection():
            pass
        return tuple(missing)
    finally:
        await database.aclose()


def every_room() -> tuple[Migrations, ...]:
    """Everybody who keeps something in the database."""
    from connectors.local.tables import INDEX
    from orchestrator.access.vault import VAULT
    from orchestrator.digests.run_repository import DIGESTS
    from orchestrator.surfaces.bot.kept import MEMORY
    from storage.jobs.schema import JOBS

    return (JOBS, INDEX, DIGESTS, VAULT, MEMORY)


async def roll_back(settings: Settings, file: Path, aside: Path) -> tuple[str, ...]:
    """Put a backup in the place of what is there, of which one is written to ``aside`` first; what was in it.

    The database is replaced in whole or not at all, and before any file. Raises :class:`SourceError` and ``OSError``.
    """
    from storage.dumping import replace

    data = settings.storage.path
    with tempfile.TemporaryDirectory(prefix="fedsearch-rollback-") as folder:
        unpacked = Path(folder)
        names = await asyncio.to_thread(_unpacked, file, unpacked)
        await back_up(settings, aside)
        filled = await _filled(settings, unpacked, replace)
        await asyncio.to_thread(_clear, data)
        await asyncio.to_thread(_put_back, unpacked / FOLDER, data, names)
        return (*filled, *names)


def _clear(data: Path) -> None:
    """Away with what a backup holds; whatever it leaves out stays."""
    for path in tuple(_kept(data)):
        path.unlink()


async def _filled(
    settings: Settings, unpacked: Path, fill: Callable[[Database, Path], Awaitable[None]]
) -> tuple[str, ...]:
    """Fill the database, where the backup holds one; its name then."""
    if not (dumped := unpacked / DUMPED).exists():
        return ()
    database = database_of(settings, 2)
    try:
        await fill(database, dumped)
    finally:
        await database.aclose()
    return (THE_DATABASE,)


async def bring_back(settings: Settings, file: Path) -> tuple[str, ...]:
    """Fill an empty data folder and database from a backup; what was in it. Raises :class:`SourceError` and ``OSError``."""
    from connectors.errors import Misconfigured
    from storage.dumping import restore

    data = settings.storage.path
    with tempfile.TemporaryDirectory(prefix="fedsearch-restore-") as folder:
        unpacked = Path(folder)
        names = await asyncio.to_thread(_unpacked, file, unpacked)
        if there := next((each for name in names if (each := data / name).exists()), None):
            raise Misconfigured(IN_THE_WAY.filled(file=there))
        filled = await _filled(settings, unpacked, restore)
        await asyncio.to_thread(_put_back, unpacked / FOLDER, data, names)
        return (*filled, *names)


def _unpacked(file: Path, into: Path) -> tuple[str, ...]:
    """What is to stand in the data folder, looked at before anything is changed."""
    from connectors.errors import Misconfigured

    try:
        with tarfile.open(file, "r:") as packed:
            packed.extractall(into, filter="data")
        says = json.loads((into / SAYS).read_text("utf-8"))
        made_by, form = str(says["version"]), int(says["format"])
    except FileNotFoundError as failure:
        if failure.filename == str(file):
            raise
        raise Misconfigured(NOT_A_BACKUP.filled(file=file)) from None
    except (tarfile.TarError, EOFError, ValueError, KeyError, TypeError):
        raise Misconfigured(NOT_A_BACKUP.filled(file=file)) from None
    if form > FORMAT:
        raise Misconfigured(NEWER.filled(file=file, version=made_by))
    folder = into / FOLDER
    return tuple(sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()))


def _put_back(folder: Path, data: Path, names: tuple[str, ...]) -> None:
    for name in names:
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            file.write((folder / name).read_bytes())
