"""The way to the database that an installation has: a server by its address, else its own in the data folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from storage.database import Database
from storage.places import IN_DATA_FOLDER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def database_at(address: str, folder: Path, size: int = 8, *, durable: bool = True, copying: bool = True) -> Database:
    """A server by its address, else our own, which keeps its data in ``folder``. Nothing is opened yet.

    ``copying``: before our own is brought up from an older version, a backup of it is written to ``folder``; a server by
    its address has an administrator, who sees to that.
    """
    from storage.supervisor import Cluster

    if address:
        return Database(address, size)
    before = partial(_copied_before, folder.expanduser().absolute()) if copying else None
    return Database(Cluster(folder / IN_DATA_FOLDER, durable=durable), size, before)


async def _copied_before(folder: Path, database: Database, steps: Sequence[str]) -> None:
    from storage.backups import copied_before

    await copied_before(database, folder, steps)
