"""The way to the database: our own embedded one or any by its address, connected when first needed, mended when it broke."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from storage.errors import Gone, Hindered, Misconfigured, SourceError, Unavailable, error_of
from storage.loading import load
from storage.migrations import HOLD as TURN
from storage.migrations import LOCK, bring_up, with_room
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

    import asyncpg

    from storage.migrations import Migrations
    from storage.supervisor import Cluster

ResultT = TypeVar("ResultT")

OLDEST_SERVER = 150_000  # server_version_num of PostgreSQL 15
CONNECTING = 10.0  # seconds in which a server must let us in and say which it is
ENDING = 5.0  # seconds that a server which is stopping is given
HOLD = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))"
HOLD_IN_TRANSACTION = "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))"
# In an address, as PgBouncer says it: https://www.pgbouncer.org/config.html#pool_mode
POOLED = ("pool_mode", "transaction")
CLOSED = Said("the database was closed while it was being opened")


class Database:
    """A pool of connections, all of which find the newest tables of every room that is registered. Raises only :class:`SourceError`.

    ``where``: a running cluster of ours, or the address of a server. ``size``: connections at most. ``before``: what is done
    before tables of an older version are brought up, told by which steps; where it fails, they are not. Where the address ends
    with ``?pool_mode=transaction`` there is a pooler before the server that lends one of its connections for a transaction
    at a time: everything is then done inside one, and nothing is left behind on a connection.
    """

    def __init__(
        self,
        where: Cluster | str,
        size: int = 8,
        before: Callable[[Database, Sequence[str]], Awaitable[None]] | None = None,
    ) -> None:
        self._where: Cluster | str = where
        self._before = before
        self._is_being_brought_up = False
        self._is_pooled = False
        if isinstance(where, str):
            self._where, self._is_pooled = _address(where)
        self._size = max(2, size)  # who holds a lock works over another connection
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._opening: asyncio.Task[None] | None = None
        self._rooms: tuple[Migrations, ...] = ()
        self._brought_up: tuple[Migrations, ...] = ()
        self._said_each_time: Mapping[str, str] = {}

    def register(self, room: Migrations) -> None:
        """Have a room's tables, and those that they need, brought up before the next connection is given."""
        self._rooms = with_room(self._rooms, room)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        """A connection for as long as the context lasts; what the database complains of becomes an error of ours."""
        pool = await self._open()
        first: BaseException | None = None
        try:
            async with pool.acquire() as connection, self._block(connection):
                try:
                    yield connection
                except BaseException as failure:
                    first = failure  # where the connection breaks on its way back, too, that hides no cancellation
                    raise
        except BaseException as failure:
            if first is not None and not _is_databases(first) and not isinstance(failure, asyncio.CancelledError):
                raise first  # noqa: B904 — it has its own cause
            if not _is_databases(failure):
                raise
            raise error_of(failure) from None

    async def run(self, work: Callable[[Any], Awaitable[ResultT]]) -> ResultT:
        """``work`` with a connection; again, once, on a new server where the old one is gone, or where it was undone.

        For what may be done twice: reading, and writing that is all or nothing and says the same again.
        """
        used = self._pool
        try:
            async with self.connection() as connection:
                return await work(connection)
        except Gone:
            await self._over(used)
        except Hindered:
            pass
        async with self.connection() as connection:
            return await work(connection)

    @asynccontextmanager
    async def held(self, key: str) -> AsyncIterator[bool]:
        """Whether nobody holds ``key``; if so it is ours until the context ends, or this process does, however it ends."""
        failure: BaseException | None = None
        asked = False
        try:
            async with self.connection() as connection:
                hold = HOLD_IN_TRANSACTION if self._is_pooled else HOLD
                mine = await connection.fetchval(hold, f"fedsearch/{key}")
                asked = True
                try:
                    yield mine
                except BaseException as found:  # noqa: BLE001 — raised below, where it is not taken for the database's
                    failure = found
                if not self._is_pooled:
                    await _let_go(connection)
        except SourceError:
            if not asked:  # later it is the connection that broke meanwhile, and took the lock with it
                raise
        if failure is not None:
            raise failure

    @property
    def is_pooled(self) -> bool:
        """Whether a pooler stands before the server."""
        return self._is_pooled

    @property
    def is_made(self) -> bool:
        """Whether there is anything: a server of somebody's, or an embedded one that has been used."""
        return isinstance(self._where, str) or self._where.is_made

    async def is_empty(self) -> bool:
        """Whether no fedsearch has made a table there yet; none is made to find out."""
        async with self.bare() as connection:
            return await connection.fetchval("SELECT to_regclass('migrations')") is None

    @asynccontextmanager
    async def bare(self) -> AsyncIterator[Any]:
        """A connection of its own, before which nothing is brought up: to look at, or to put something in its place."""
        await load("asyncpg")
        import asyncpg

        try:
            async with asyncio.timeout(CONNECTING):
                connection = await asyncpg.connect(**await self.options())
            try:
                yield connection
            finally:
                await _goodbye(connection.close())
        except BaseException as failure:
            if not _is_databases(failure):
                raise
            raise error_of(failure) from None

    async def aclose(self) -> None:
        """Give the connections back, and the cluster with them.

        An older database that is being brought up is brought up first: cut short it would begin anew with each question at a command line.
        """
        try:
            await self._end_opening()
            await self._close_pool()
        finally:
            if not isinstance(self._where, str):
                await asyncio.to_thread(self._where.release)

    async def _end_opening(self) -> None:
        if self._opening is None:
            return
        try:
            if self._is_being_brought_up:
                await asyncio.wait({self._opening})
        finally:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)

    # ---- opening

    async def _open(self) -> asyncpg.Pool[asyncpg.Record]:
        """One attempt for all who wait. Whoever gives up leaves it running: a server that starts slowly gets there."""
        while self._pool is None or self._brought_up != self._rooms:
            if self._opening is None or self._opening.done():
                self._opening = asyncio.create_task(self._begin(), name="open-index-database")
                self._opening.add_done_callback(lambda task: task.cancelled() or task.exception())
            opening = self._opening
            await asyncio.wait({opening})
            if opening.cancelled():
                raise Unavailable(CLOSED)
            opening.result()
        return self._pool

    async def _begin(self) -> None:
        await load("asyncpg")
        import asyncpg

        rooms, pool = self._rooms, self._pool or await self._made()
        try:
            async with asyncio.timeout(CONNECTING):
                await pool
                connection = await pool.acquire()
                async with self._block(connection):
                    await _check(connection)
            try:
                async with self._block(connection):
                    await bring_up(
                        connection, rooms, self._seeing_to
                    )  # may build an index anew, which takes as long as it takes
                    settings = {name: value for each in rooms for name, value in each.settings.items()}
                    heard = await _said(connection, settings) and not self._is_pooled
                self._said_each_time = {} if heard else settings
            finally:
                self._is_being_brought_up = False
                await _goodbye(pool.release(connection))
            await pool.expire_connections()  # what is said of a database is heard by later connections
        except asyncpg.ClientConfigurationError:  # it may quote the address, and the password in it
            raise Misconfigured(
                Said("index.database_url cannot be read; write postgresql://user:password@host:5432/database")
            ) from None
        except BaseException as failure:
            self._pool = None
            await _cut_off(pool)
            if not _is_databases(failure):
                raise
            raise error_of(failure) from None
        self._pool, self._brought_up = pool, rooms

    async def _seeing_to(self, steps: Sequence[str]) -> None:
        self._is_being_brought_up = True
        if self._before is not None:
            await self._before(self, steps)

    async def _made(self) -> asyncpg.Pool[asyncpg.Record]:
        import asyncpg

        options = await self.options()
        return asyncpg.create_pool(min_size=0, max_size=self._size, setup=self._set_up, reset=_as_it_is, **options)

    async def options(self) -> dict[str, Any]:
        """How a client reaches it; a server of ours is started for that."""
        if isinstance(self._where, str):
            # What was prepared on one of the pooler's connections is not known on the next.
            return {"dsn": self._where, **({"statement_cache_size": 0} if self._is_pooled else {})}
        address = await asyncio.to_thread(self._where.ensure)
        names = ("host", "user", "password", "database")
        return {name: getattr(address, name) for name in names}

    async def _set_up(self, connection: Any) -> None:
        if self._said_each_time and not self._is_pooled:
            said = (f"SET {name} = '{value}'" for name, value in self._said_each_time.items())
            await connection.execute("; ".join(said))

    @asynccontextmanager
    async def _block(self, connection: Any) -> AsyncIterator[None]:
        """A transaction where only that keeps a connection of the server to us; else nothing."""
        if not self._is_pooled:
            yield
            return
        async with connection.transaction():
            if self._said_each_time:
                said = (f"SET LOCAL {name} = '{value}'" for name, value in self._said_each_time.items())
                await connection.execute("; ".join(said))
            yield

    async def _over(self, used: asyncpg.Pool[asyncpg.Record] | None) -> None:
        """Wait for a server of ours that is stopping, and forget one that has: the next connection starts another.

        Unless somebody has meanwhile: the pool is no longer the one that was ``used``.
        """
        if isinstance(self._where, str):
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ENDING):
                while self._where.pid is not None and used in {None, self._pool}:  # noqa: ASYNC110 — nobody tells
                    await asyncio.sleep(0.02)
        if self._where.pid is None and used in {None, self._pool}:
            await self._close_pool()

    async def _close_pool(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            async with asyncio.timeout(2):
                await pool.close()
        except BaseException as failure:
            await _cut_off(pool)
            if not _is_databases(failure):  # a server that is gone takes no goodbye
                raise

    def __repr__(self) -> str:
        return f"Database({'a server of its own' if isinstance(self._where, str) else str(self._where.folder)!r})"


def _address(told: str) -> tuple[str, bool]:
    """What asyncpg takes, and whether a pooler lends the server's connections for a transaction at a time."""
    parts = urlsplit(told)
    said = parse_qsl(parts.query, keep_blank_values=True)
    if POOLED not in said:
        return told, False
    return urlunsplit(parts._replace(query=urlencode([each for each in said if each != POOLED]))), True


def _is_databases(failure: BaseException) -> bool:
    """Whether an exception is the database's, or the way's to it, and not a bug of ours or a cancellation."""
    import asyncpg

    return isinstance(failure, asyncpg.PostgresError | asyncpg.InterfaceError | asyncpg.InternalClientError | OSError)


# ---- the server


async def _check(connection: Any) -> None:
    """Raises :class:`Misconfigured` on a server that is too old."""
    version = int(await connection.fetchval("SHOW server_version_num"))
    if version < OLDEST_SERVER:
        raise Misconfigured(
            Said(
                "the database must be PostgreSQL 15 or newer, and this is {what}; set index.database_url to a newer one"
            ).filled(what=version // 10000)
        )


async def _said(connection: Any, settings: Mapping[str, str]) -> bool:
    """Say settings of the database, since a pool forgets what was `SET`; ``False`` where that is not ours to say."""
    import asyncpg

    name = await connection.fetchval("SELECT quote_ident(current_database())")
    try:
        async with connection.transaction():  # two who say it at once: "tuple concurrently updated"
            await connection.execute(TURN, LOCK)
            for setting, value in settings.items():
                if await connection.fetchval("SELECT current_setting($1, true)", setting) != value:
                    await connection.execute(f"ALTER DATABASE {name} SET {setting} = '{value}'")
    except asyncpg.InsufficientPrivilegeError:
        return False
    return True


async def _let_go(connection: Any) -> None:
    """Give locks back; where even that is cut short, the connection goes, and its locks with it."""
    try:
        await connection.execute("SELECT pg_advisory_unlock_all()")
    except BaseException:
        connection.terminate()
        raise


async def _goodbye(closing: Awaitable[None]) -> None:
    """Where a server is gone it takes none, which harms nobody."""
    try:
        await closing
    except BaseException as failure:
        if not _is_databases(failure):
            raise


async def _as_it_is(_: Any) -> None:
    """Nothing of ours outlives its statement or block but what is SET for good, so nothing is asked when it is given back."""


async def _cut_off(pool: asyncpg.Pool[asyncpg.Record]) -> None:
    """End a pool without a goodbye, and let its sockets close before anybody stops the loop."""
    pool.terminate()
    await asyncio.sleep(0)
