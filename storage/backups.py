"""All that an installation keeps as one file, and the copy that is made of it before an older embedded database is brought up."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING

from storage.dumping import dump
from storage.errors import Unavailable
from storage.logs import log_of
from storage.places import IN_DATA_FOLDER, SEALING_KEY
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from storage.database import Database

log = log_of(__name__)

FORMAT = 1
SAYS, DUMPED, FOLDER = "backup.json", "database.dump", "data"
THE_DATABASE = "the database"
PRIVATE = 0o600
# The embedded server's own, since what is in it is dumped; 62 MB of a model, which are written anew; and what opens sealed secrets, which are not there either.
LEFT_OUT = frozenset({IN_DATA_FOLDER, "models", SEALING_KEY})
REMEMBERED = "pages.sqlite"  # pages of the web, which are read again, and what SQLite keeps beside them
LOCKS = ".lock"
BEING_MADE = ".backup-"  # the folder of a backup that is not whole yet

AUTOMATIC = "automatic-before-"  # what the name of a copy begins with that nobody asked for
MOST_AUTOMATIC = 2
APART = 86_400.0  # seconds between two: rooms are brought up one by one, as programs start, and the first copy holds all of them
SIZE = "SELECT pg_database_size(current_database())"
INSTEAD = Said("make room there, or name a file on another disk: `fedsearch upgrade --backup FILE`")
NO_ROOM = Said(
    "a database of an older version is copied before it is brought up, and {folder} has no room for that: "
    "{free} MB are free, and {size} may be needed; {instead}"
)
NOT_WRITTEN = Said(
    "a database of an older version is copied before it is brought up, and the copy cannot be written to "
    "{folder} ({why}); {instead}"
)


async def back_up_of(database: Database, data: Path, file: Path) -> tuple[str, ...]:
    """Write a backup of a database and a data folder to an absolute path; what is in it. Others may go on working.

    Raises :class:`SourceError` and ``OSError``.
    """
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=BEING_MADE) as folder:
        dumped = file.parent / folder / DUMPED
        if database.is_made:
            await dump(database, dumped)
        return await asyncio.to_thread(_packed, file, dumped, data)


async def copied_before(database: Database, data: Path, steps: Sequence[str]) -> None:
    """A backup in the data folder before ``steps`` are done to the database, unless one is there that is not a day old.

    Nothing may be done to the database where none can be written. Raises :class:`SourceError`.
    """
    if (there := automatic_backups(data)) and time.time() - there[-1].stat().st_mtime < APART:
        return
    async with database.bare() as connection:
        size = int(await connection.fetchval(SIZE))
    file = data / f"{AUTOMATIC}{version('fedsearch')}-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar"
    log.warning("copying older database", file=str(file), steps=", ".join(steps))
    try:
        if (free := await asyncio.to_thread(_free, data)) < size:
            told = {"free": free // 1_000_000, "size": size // 1_000_000 + 1}
            raise Unavailable(NO_ROOM.filled(folder=data, instead=INSTEAD, **told))
        await back_up_of(database, data, file)
    except OSError as failure:
        raise Unavailable(
            NOT_WRITTEN.filled(folder=data, why=failure.strerror or type(failure).__name__, instead=INSTEAD)
        ) from None
    for old in automatic_backups(data)[:-MOST_AUTOMATIC]:
        old.unlink(missing_ok=True)
    log.warning("older database copied", file=str(file), undo=f"fedsearch rollback {file}")


def _free(data: Path) -> int:
    data.mkdir(parents=True, exist_ok=True)  # the database lies elsewhere where its user may not get into it
    return shutil.disk_usage(data).free


def automatic_backups(data: Path) -> tuple[Path, ...]:
    """The copies that nobody asked for, oldest first."""
    return tuple(sorted(data.glob(f"{AUTOMATIC}*.tar"), key=lambda each: each.stat().st_mtime))


def _packed(file: Path, dumped: Path, data: Path) -> tuple[str, ...]:
    paths = sorted(kept(data))
    says = {"format": FORMAT, "version": version("fedsearch"), "made": datetime.now(UTC).isoformat()}
    unfinished = dumped.with_name("whole")
    with os.fdopen(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE), "w+b") as raw:
        with tarfile.open(fileobj=raw, mode="w") as packed:
            note = dumped.with_name(SAYS)
            note.write_text(json.dumps(says), "utf-8")
            packed.add(note, SAYS)
            if dumped.exists():
                packed.add(dumped, DUMPED)
            for path in paths:
                packed.add(_steady(path, dumped.parent), f"{FOLDER}/{path.relative_to(data).as_posix()}")
        raw.flush()
        os.fsync(raw.fileno())
    unfinished.replace(file)
    return (*([THE_DATABASE] if dumped.exists() else []), *(path.relative_to(data).as_posix() for path in paths))


def kept(data: Path) -> Iterator[Path]:
    """What of a data folder a backup holds."""
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
