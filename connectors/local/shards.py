"""Reading an index that lies on several servers (Citus) while one of them is gone: from the others, saying which share was not looked at.

Citus answers whole or not at all. But its coordinator knows where each shard lies, and hands a single server whatever it is told to
(``master_run_on_worker``). So each server that lives is asked by itself, for the shards that lie there as if they were all. What is
counted of the index, and what every server holds, the coordinator answers itself.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from connectors.errors import Rejected, Unavailable
from translators.plain import quote
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from storage.database import Database

ResultT = TypeVar("ResultT")

# Seconds of reading after which it is looked whether a server is gone: it may have left without a word.
SUSPICIOUS = 0.5
REACHED = 400  # milliseconds in which a server that lives lets the coordinator in
AGAIN = 2.0  # seconds after which a server that was gone is tried again, beside the questions
ATTEMPTS = 3  # whole, without one server, and without a second

NOT_LOOKED_AT = Said("{count} of {total} shards of the index were not searched, as {servers} cannot be reached")
REFUSED = Said("a server of the index refused a part of the question ({server}: {said})")
GONE = Said("a server of the index cannot be reached")
IS_DIVIDED = "SELECT to_regclass('pg_dist_node') IS NOT NULL"
# Of each server and table the shards that lie there, and whether others lie elsewhere.
PLACED = """
    SELECT n.nodename AS host, n.nodeport AS port, c.relname AS name, p.partmethod = 'h' AS divided,
        array_agg(shard_name(s.logicalrelid, s.shardid) ORDER BY s.shardid) AS shards
    FROM pg_dist_node n JOIN pg_dist_placement l USING (groupid) JOIN pg_dist_shard s USING (shardid)
        JOIN pg_dist_partition p USING (logicalrelid) JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE n.noderole = 'primary' AND n.shouldhaveshards
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3
"""
PATIENCE = f"SET LOCAL citus.node_connection_timeout = {REACHED}"
LIVES = "SELECT citus_check_connection_to_node($1, $2)"
TELL = "SELECT node_name, node_port, success, result FROM master_run_on_worker($1::text[], $2::integer[], $3::text[], true)"
PARAMETER = re.compile(r"\$([0-9]{1,5})")


@dataclass(frozen=True)
class IndexServer:
    """``tables``: the shards of each table that lie there. ``divided``: the tables of which others lie elsewhere."""

    host: str
    port: int
    tables: Mapping[str, Sequence[str]]
    divided: frozenset[str]

    @property
    def shards(self) -> int:
        """How many of each table that is divided: as many of one as of the other."""
        return max((len(self.tables[name]) for name in self.divided), default=0)

    def told(self, statement: str) -> str:
        """A statement as this server is told it: each table is the shards that lie there, and the rows come as one text."""
        tables = ", ".join(
            f"{name} AS NOT MATERIALIZED ({' UNION ALL '.join(f'SELECT * FROM {each}' for each in shards)})"  # noqa: S608 — names of ours
            for name, shards in self.tables.items()
        )
        return f"WITH {tables} SELECT coalesce(json_agg(found), '[]') FROM ({statement}) found"  # noqa: S608


@dataclass(frozen=True)
class ShardPlacement:
    """Where the shards lie: on servers that live, and on servers that are gone."""

    living: tuple[IndexServer, ...] = ()
    gone: tuple[IndexServer, ...] = ()

    @property
    def is_in_part(self) -> bool:
        """Whether some of it can be read, and some not."""
        return bool(self.living and self.gone)

    @property
    def missing(self) -> Said:
        """Which share is not looked at, and whose it is; empty where all is."""
        if not self.gone:
            return UNSAID
        servers = ", ".join(f"{each.host}:{each.port}" for each in self.gone)
        lost = sum(each.shards for each in self.gone)
        total = lost + sum(each.shards for each in self.living)
        return NOT_LOOKED_AT.filled(count=lost, total=total, servers=servers)


class IndexReader:
    """Reads a database: as a whole, or what is left of it where one of several servers is gone. Raises only :class:`SourceError`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._is_divided: bool | None = None  # not known yet
        self._placement = ShardPlacement()
        self._looking: asyncio.Task[None] | None = None
        self._until = 0.0
        self._in_part, self._missing = 0.0, UNSAID

    async def run(self, work: Callable[[Any], Awaitable[ResultT]]) -> ResultT:
        """``work`` with a connection. For what may be done twice, as :meth:`Database.run` says."""
        if self._is_divided is None:
            self._is_divided = await self._database.run(lambda each: each.fetchval(IS_DIVIDED))
        if not self._is_divided:
            return await self._database.run(work)
        if self._placement.gone and self._now >= self._until:
            self._begin_to_look()
        attempts = ATTEMPTS
        while True:
            known = self._placement
            try:
                return await self._watched(work, known)
            except (Unavailable, Rejected):  # of a server that ends while it is asked, Citus tells a failure of its own
                attempts -= 1
                if self._placement is known:
                    await self._look()
                if not attempts or self._placement is known or not (self._placement.gone or known.gone):
                    raise

    def missing(self, since: float) -> Said:
        """What was not looked at of what was read after a moment of the loop's clock; empty where all was."""
        return self._missing if self._in_part >= since else UNSAID

    def is_in_part(self) -> bool:
        """Whether a server is gone, as far as is known."""
        return self._placement.is_in_part

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def _watched(self, work: Callable[[Any], Awaitable[ResultT]], known: ShardPlacement) -> ResultT:
        """``work``, unless it takes long and a server is found to be gone that was there: that one would never answer."""
        used: list[Any] = []
        is_given_up = False

        async def read(connection: Any) -> ResultT:
            if is_given_up:
                raise Unavailable(GONE)
            used.append(connection)
            try:
                return await work(LivingServers(connection, known) if known.is_in_part else connection)
            finally:
                used.remove(connection)

        reading, patience = asyncio.ensure_future(self._database.run(read)), SUSPICIOUS
        try:
            while not (await asyncio.wait({reading}, timeout=patience))[0]:
                looking = self._begin_to_look()
                await asyncio.wait({reading, looking}, return_when=asyncio.FIRST_COMPLETED)
                if reading.done():
                    break
                looking.result()
                patience *= 2
                if any(each not in known.gone for each in self._placement.gone):
                    is_given_up = True
                    for each in used:
                        each.terminate()  # the coordinator hears of nothing while it waits for the other
            result = await reading
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        if known.is_in_part:
            self._in_part, self._missing = self._now, known.missing
        return result

    async def aclose(self) -> None:
        """Look no longer."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    # ---- who is there

    async def _look(self) -> None:
        """Find out who is gone now: what was asked before may have been told of a server that still was there."""
        if self._looking is not None:
            await asyncio.wait({self._looking})
        await asyncio.shield(self._begin_to_look())

    def _begin_to_look(self) -> asyncio.Task[None]:
        """Find out which servers are gone; once for all who want to know."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._looked(), name="look-for-index-servers")
            self._looking.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._looking

    async def _looked(self) -> None:
        # A connection of its own: over one that asked before, the coordinator would ask as it did then, and wait.
        async with self._database.bare() as connection:
            found = await _placement(connection)
        if found != self._placement:
            self._placement = found
        self._until = self._now + AGAIN


async def _placement(connection: Any) -> ShardPlacement:
    rows = await connection.fetch(PLACED)
    living: list[IndexServer] = []
    gone: list[IndexServer] = []
    async with connection.transaction():
        await connection.execute(PATIENCE)
        for (host, port), there in groupby(rows, key=lambda row: (row["host"], row["port"])):
            tables = list(there)
            divided = frozenset(row["name"] for row in tables if row["divided"])
            server = IndexServer(host, port, {row["name"]: row["shards"] for row in tables}, divided)
            (living if await connection.fetchval(LIVES, host, port) else gone).append(server)
    return ShardPlacement(tuple(living), tuple(gone))


class LivingServers:
    """A connection to the coordinator, as far as the searches use one: what lies on several servers is asked of those that live.

    Their rows come one server's after the other's, each as many as are asked for.
    """

    def __init__(self, connection: Any, placement: ShardPlacement) -> None:
        self._connection = connection
        self._servers = placement.living
        names = "|".join(sorted(frozenset().union(*(each.divided for each in self._servers))))
        self._divided = re.compile(rf"\b(?:FROM|JOIN)\s+(?:{names})\b")

    async def fetch(self, statement: str, *values: Any) -> Any:
        """The rows of a statement of ours."""
        if not self._divided.search(statement):
            return await self._connection.fetch(statement, *values)
        prepared = await self._connection.prepare(statement)
        told = await self._written_out(statement, [each.name for each in prepared.get_parameters()], values)
        hosts, ports = [each.host for each in self._servers], [each.port for each in self._servers]
        replies = await self._connection.fetch(TELL, hosts, ports, [each.told(told) for each in self._servers])
        for each in replies:
            if not each["success"]:
                server = f"{each['node_name']}:{each['node_port']}"
                raise Unavailable(REFUSED.filled(server=server, said=quote(each["result"] or "")))
        columns = ", ".join(f'"{each.name}" {each.type.name}' for each in prepared.get_attributes())
        return await self._connection.fetch(
            f"SELECT found.* FROM unnest($1::text[]) told, json_to_recordset(told::json) AS found({columns})",  # noqa: S608 — of a statement of ours
            [each["result"] for each in replies],
        )

    async def _written_out(self, statement: str, types: Sequence[str], values: Sequence[Any]) -> str:
        """With its values in it, as the database writes them: a server is told a text and nothing beside."""
        if not values:
            return statement
        literals = ", ".join(f"quote_nullable(${place}::{name})" for place, name in enumerate(types, 1))
        written = await self._connection.fetchrow(f"SELECT {literals}", *values)
        return PARAMETER.sub(partial(_written, types, written), statement)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def _written(types: Sequence[str], literals: Sequence[str], parameter: re.Match[str]) -> str:
    place = int(parameter[1]) - 1
    return f"{literals[place]}::{types[place]}"
