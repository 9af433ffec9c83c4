"""An index over several servers while one is gone: what the others are told, and how that is found out. With real servers: ``tests/e2e/test_divided_index.py``."""

import asyncio
import re
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from connectors.errors import Unavailable
from connectors.local.shards import IS_DIVIDED, LIVES, PLACED, TELL, IndexReader, IndexServer, ShardPlacement
from translators.said import said_in

FIRST = IndexServer("db-1", 5432, {"chunks": ["chunks_1", "chunks_2"], "documents": ["documents_9"]}, frozenset({"chunks"}))  # fmt: skip
SECOND = IndexServer("db-2", 5432, {"chunks": ["chunks_3"], "documents": ["documents_9"]}, frozenset({"chunks"}))
ASKED = "SELECT c.id FROM chunks c WHERE c.id = $1 OR c.id <> $1"


class Coordinator:
    """As far as it is asked: answers whole, unless one of the servers is ``dead``, or ``silent``."""

    def __init__(self, servers=(FIRST, SECOND)):
        self.servers, self.dead, self.silent, self.said, self.connections = servers, set(), set(), [], []

    async def run(self, work):
        return await work(self.connected())

    @asynccontextmanager
    async def bare(self):
        yield self.connected()

    def connected(self):
        self.connections.append(Connection(self))
        return self.connections[-1]


class Connection:
    def __init__(self, coordinator):
        self.coordinator, self.ended = coordinator, asyncio.Event()

    async def fetchval(self, statement, *values):
        if statement == IS_DIVIDED:
            return bool(self.coordinator.servers)
        assert statement == LIVES
        return values[0] not in self.coordinator.dead | self.coordinator.silent

    async def fetch(self, statement, *values):
        self.coordinator.said.append((statement, values))
        if statement == PLACED:
            return [
                {"host": each.host, "port": each.port, "name": name, "divided": name in each.divided, "shards": shards}
                for each in self.coordinator.servers
                for name, shards in each.tables.items()
            ]
        if statement == TELL:
            return [{"node_name": each, "node_port": 5432, "success": True, "result": each} for each in values[0]]
        if statement.startswith("SELECT found.*"):
            return list(values[0])
        if "FROM chunks" in statement and self.coordinator.silent:
            await self.ended.wait()
            raise Unavailable("the connection was closed")
        if "FROM chunks" in statement and self.coordinator.dead:
            raise Unavailable("connection to the remote node failed")
        return ["whole"]

    async def fetchrow(self, statement, *values):
        assert statement == "SELECT quote_nullable($1::int8)"
        return [f"'{values[0]}'"]

    async def prepare(self, _):
        number = SimpleNamespace(name="int8")
        return SimpleNamespace(
            get_parameters=lambda: [number], get_attributes=lambda: [SimpleNamespace(name="id", type=number)]
        )

    async def execute(self, statement): ...

    def terminate(self):
        self.ended.set()

    @asynccontextmanager
    async def transaction(self):
        yield


def test_a_database_of_one_server_is_asked_as_it_is(in_virtual_time):
    async def story():
        coordinator = Coordinator(())
        reader = IndexReader(coordinator)
        assert await reader.run(lambda each: each.fetch(ASKED, 7)) == ["whole"]
        coordinator.dead.add("db-1")
        with pytest.raises(Unavailable, match="remote node failed"):
            await reader.run(lambda each: each.fetch(ASKED, 7))
        assert len(coordinator.said) == 2
        assert not reader.missing(0.0)

    in_virtual_time(story())


@pytest.mark.parametrize("how", ["dead", "silent"])
def test_the_servers_that_live_are_asked_and_the_share_of_the_other_is_named(in_virtual_time, how):
    async def story():
        coordinator, clock = Coordinator(), asyncio.get_running_loop().time
        reader = IndexReader(coordinator)
        ask = lambda: reader.run(lambda each: each.fetch(ASKED, 7))  # noqa: E731
        assert await ask() == ["whole"]
        getattr(coordinator, how).add("db-2")
        began = clock()
        assert await ask() == ["db-1"]
        assert clock() - began <= 1.0
        assert reader.is_in_part()
        assert reader.missing(began) == "1 of 3 shards of the index were not searched, as db-2:5432 cannot be reached"
        assert said_in(reader.missing(began), "ko").startswith("색인의 샤드 3개 중 1개")
        assert not reader.missing(clock() + 1)
        assert await reader.run(lambda each: each.fetch("SELECT sum(chunks) FROM reader_sets")) == ["whole"]
        getattr(coordinator, how).clear()
        await asyncio.sleep(60)
        assert await ask() == ["db-1"], "nobody waits until it is found to be back"
        assert await ask() == ["whole"]
        assert not reader.is_in_part()
        await reader.aclose()

    in_virtual_time(story())


def test_a_server_that_dies_while_it_is_looked_who_lives_is_looked_for_again(in_virtual_time):
    class SlowConnection(Connection):
        async def fetchval(self, statement, *values):
            told = await super().fetchval(statement, *values)
            await asyncio.sleep(1.0 if statement == LIVES else 0.0)
            return told

    class SlowCoordinator(Coordinator):
        def connected(self):
            return SlowConnection(self)

    async def story():
        coordinator = SlowCoordinator()
        reader = IndexReader(coordinator)
        assert await reader.run(lambda each: each.fetch(ASKED, 7)) == ["whole"]
        long = asyncio.create_task(reader.run(lambda _: asyncio.sleep(2.0)))  # at .5 s it is looked who lives
        await asyncio.sleep(1.8)  # both have been found to
        coordinator.dead.add("db-2")
        assert await reader.run(lambda each: each.fetch(ASKED, 7)) == ["db-1"]
        await long
        await reader.aclose()

    in_virtual_time(story())


def test_what_a_server_is_told_names_its_shards_and_holds_every_value(in_virtual_time):
    async def story():
        coordinator = Coordinator()
        coordinator.dead.add("db-2")
        await IndexReader(coordinator).run(lambda each: each.fetch(ASKED, 7))
        (told,) = [values for statement, values in coordinator.said if statement == TELL]
        return told

    hosts, ports, statements = in_virtual_time(story())
    assert (hosts, ports) == (["db-1"], [5432])
    assert statements == [
        (
            "WITH chunks AS NOT MATERIALIZED (SELECT * FROM chunks_1 UNION ALL SELECT * FROM chunks_2), "
            "documents AS NOT MATERIALIZED (SELECT * FROM documents_9) "
            "SELECT coalesce(json_agg(found), '[]') FROM (SELECT c.id FROM chunks c WHERE c.id = '7'::int8 OR c.id <> '7'::int8) found"
        )
    ]


def test_what_has_come_is_not_kept_waiting_until_it_is_known_who_lives(in_virtual_time):
    class FarCoordinator(Coordinator):
        @asynccontextmanager
        async def bare(self):
            await asyncio.sleep(5.0)
            yield self.connected()

    async def story():
        reader, clock = IndexReader(FarCoordinator()), asyncio.get_running_loop().time

        async def slow(connection):
            await asyncio.sleep(0.7)
            return await connection.fetch(ASKED, 7)

        began = clock()
        assert await reader.run(slow) == ["whole"]
        assert clock() - began < 1.0
        await reader.aclose()

    in_virtual_time(story())


@pytest.mark.parametrize("gone", [{"db-1", "db-2"}, set()])
def test_what_no_server_is_the_cause_of_stays_a_failure(in_virtual_time, gone):
    """All of them are gone, or none is."""

    async def story():
        coordinator = Coordinator()
        coordinator.dead = gone
        reader = IndexReader(coordinator)

        async def broken(_):
            raise Unavailable("nothing helps")

        with pytest.raises(Unavailable, match="nothing helps"):
            await reader.run(broken)
        return reader.is_in_part()

    assert not in_virtual_time(story())


def test_nothing_is_missing_where_no_server_is():
    assert not ShardPlacement((FIRST, SECOND)).missing
    assert re.fullmatch("3 of 3 shards .* db-1:5432, db-2:5432 cannot be reached", ShardPlacement((), (FIRST, SECOND)).missing)  # fmt: skip
