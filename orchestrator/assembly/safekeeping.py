"""All that an installation keeps, in one file and back: the database (index, vault, digests, the bot) and the data folder."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import database_of
from storage.backups import DUMPED, FOLDER, FORMAT, PRIVATE, SAYS, THE_DATABASE, back_up_of, kept
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from orchestrator.settings import Settings
    from storage.database import Database
    from storage.migrations import Migrations

NOT_A_BACKUP = Said("{file} is no backup of fedsearch, or is not whole")
NEWER = Said("{file} was written by a newer fedsearch ({version}); update this one")
TANGLED = (FileExistsError, NotADirectoryError, IsADirectoryError)  # two files of one name, or one below another
IN_THE_WAY = Said("{file} is there already; restore into an empty data folder")


async def back_up(settings: Settings, file: Path) -> tuple[str, ...]:
    """Write a backup to an absolute path; what is in it. Others may go on working. Raises :class:`SourceError` and ``OSError``."""
    database = database_of(settings, 2)
    try:
        return await back_up_of(database, settings.storage.path, file)
    finally:
        await database.aclose()


async def upgrade(settings: Settings, file: Path) -> tuple[str, ...]:
    """Bring every room's tables up to what this program works with, after a backup into ``file``; what was done.

    Nothing is done, and nothing written, where there is nothing to do. Raises :class:`SourceError` and ``OSError``.
    """
    from storage.migrations import steps_ahead

    database = database_of(settings, 2, copying=False)
    try:
        if not database.is_made or await database.is_empty():
            return ()
        async with database.bare() as connection:
            missing = sorted(await steps_ahead(connection, every_room()))
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
    for path in tuple(kept(data)):
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
            _extracted(packed, into)
        says = json.loads((into / SAYS).read_text("utf-8"))
        made_by, form = str(says["version"]), int(says["format"])
    except FileNotFoundError as failure:
        if failure.filename == str(file):
            raise
        raise Misconfigured(NOT_A_BACKUP.filled(file=file)) from None
    except (tarfile.TarError, EOFError, ValueError, KeyError, TypeError, *TANGLED):
        raise Misconfigured(NOT_A_BACKUP.filled(file=file)) from None
    if form > FORMAT:
        raise Misconfigured(NEWER.filled(file=file, version=made_by))
    folder = into / FOLDER
    return tuple(sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()))


def _extracted(packed: tarfile.TarFile, into: Path) -> None:
    """Every file, which lies below ``into``; a backup of ours holds nothing else. Raises :class:`tarfile.TarError` and ``OSError``.

    ``extractall(filter="data")`` would do, but Python has it from 3.11.4 on, and Debian 12 has 3.11.2.
    """
    for member in packed:
        inside = PurePosixPath(member.name)
        if member.isdir():
            continue  # of somebody who has packed it anew
        if not member.isreg() or inside.is_absolute() or ".." in inside.parts:
            raise tarfile.ExtractError
        path, found = into / inside, packed.extractfile(member)
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            if found is not None:
                shutil.copyfileobj(found, file)


def _put_back(folder: Path, data: Path, names: tuple[str, ...]) -> None:
    for name in names:
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            file.write((folder / name).read_bytes())
