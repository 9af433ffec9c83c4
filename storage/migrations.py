"""Tables that rooms bring along: each its own SQL files, applied in order and once, whichever process comes first.

The record of what was applied has a line for each room and file. Up to migration 0013 one sequence of numbers was shared by
all rooms and the record named no room: whoever finds such a record gives each line to the room that has the file now.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from storage.errors import Misconfigured
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
    from importlib.resources.abc import Traversable

LOCK = 0x6665_6473  # the number of the advisory lock: "feds"
HOLD = "SELECT pg_advisory_xact_lock($1)"
RECORD = """
    CREATE TABLE IF NOT EXISTS migrations (
        name text NOT NULL, applied timestamptz NOT NULL DEFAULT now(), room text NOT NULL DEFAULT '', PRIMARY KEY (room, name)
    )
"""
NAMES_ROOMS = """
    SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'migrations'::regclass AND attname = 'room' AND NOT attisdropped)
"""
NAME_ROOMS = """
    ALTER TABLE migrations DROP CONSTRAINT migrations_pkey, ADD COLUMN room text NOT NULL DEFAULT '', ADD PRIMARY KEY (room, name)
"""
CLAIM = "UPDATE migrations SET room = $1 WHERE room = '' AND name = ANY($2::text[])"
APPLIED = "SELECT name FROM migrations WHERE room = $1"
IS_THERE = "SELECT to_regclass('migrations') IS NOT NULL"
ALL_APPLIED = "SELECT coalesce(to_jsonb(m) ->> 'room', '') AS room, name FROM migrations m"
APPLY = "INSERT INTO migrations (room, name) VALUES ($1, $2)"


async def _nothing(_: Any) -> None: ...


async def _none(_: Any) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Migrations:
    """What ``room`` keeps in the database: the SQL files in the folder ``schema`` of ``package``, in the order of their names.

    ``after``: rooms whose tables these files or the room's questions need; theirs come first. ``then``: what else has to
    be there, seen to inside the same transaction whenever a process begins, and ``ahead``: which steps of that are still to come.
    ``settings``: what the room's questions want said of the database.
    """

    room: str
    package: str
    after: tuple[Migrations, ...] = ()
    then: Callable[[Any], Awaitable[None]] = _nothing
    ahead: Callable[[Any], Awaitable[Sequence[str]]] = _none
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def files(self) -> Sequence[Traversable]:
        """In the order in which they are applied."""
        folder = resources.files(self.package) / "schema"
        return sorted((each for each in folder.iterdir() if each.name.endswith(".sql")), key=lambda each: each.name)


def with_room(rooms: Iterable[Migrations], room: Migrations) -> tuple[Migrations, ...]:
    """``rooms`` and one more, behind those that it needs; each stands there once."""
    known = tuple(rooms)
    for each in room.after:
        known = with_room(known, each)
    return known if room in known else (*known, room)


async def steps_done(connection: Any) -> frozenset[tuple[str, str]]:
    """What has been done there, as the record has it: each step with its room, where it names rooms."""
    if not await connection.fetchval(IS_THERE):
        return frozenset()
    return frozenset((row["room"], row["name"]) for row in await connection.fetch(ALL_APPLIED))


async def steps_ahead(connection: Any, rooms: Iterable[Migrations], *, older: bool = False) -> tuple[str, ...]:
    """What :func:`bring_up` would still do: names of steps, each with its room. ``older``: of rooms alone that have tables by now."""
    done = await steps_done(connection)
    ahead: list[str] = []
    for each in rooms:
        files = [path.name for path in each.files()]
        missing = [name for name in files if not {(each.room, name), ("", name)} & done]
        if not older or len(missing) < len(files):
            ahead += [f"{each.room}/{name}" for name in (*missing, *await each.ahead(connection))]
    return tuple(ahead)


async def bring_up(
    connection: Any, rooms: Iterable[Migrations], before: Callable[[Sequence[str]], Awaitable[None]] = _nothing
) -> None:
    """Bring every room's tables up to date, one process at a time; all of it happens or nothing.

    ``before``: what is seen to first where tables of an older version are brought up, told by which steps; whoever waits
    for their turn finds them done. Raises :class:`Misconfigured` where a newer fedsearch has been there.
    """
    rooms = tuple(rooms)
    async with connection.transaction():
        await connection.execute(HOLD, LOCK)
        if steps := await steps_ahead(connection, rooms, older=True):
            await before(steps)
        await connection.execute(RECORD)
        if not await connection.fetchval(NAMES_ROOMS):
            await connection.execute(NAME_ROOMS)
        for each in rooms:
            await _bring_up(connection, each)


async def _bring_up(connection: Any, room: Migrations) -> None:
    files = {path.name: path for path in room.files()}
    await connection.execute(CLAIM, room.room, list(files))
    done = {row["name"] for row in await connection.fetch(APPLIED, room.room)}
    if newer := done - set(files):
        raise Misconfigured(
            Said("the database was written by a newer fedsearch ({names}); update this one").filled(
                names=", ".join(sorted(newer))
            )
        )
    for name, path in files.items():
        if name not in done:
            await connection.execute(path.read_text("utf-8"))
            await connection.execute(APPLY, room.room, name)
    await room.then(connection)
