"""People's own sources: opened for each, never shared, closed when quiet; in virtual time."""

import asyncio
from dataclasses import dataclass

import pytest

from connectors.contract import SourceDirectory
from connectors.errors import Unavailable
from connectors.manifest import Limits
from orchestrator.gather import Gate, OwnSource, People, Reaches, Source
from translators.query import Person


@dataclass(frozen=True)
class Account:
    """One signing in."""

    id: str


class Store:
    """Accounts by principal and source, and ways to fail."""

    def __init__(self, **accounts):
        self.accounts = {name: {"slack": Account(number)} for name, number in accounts.items()}
        self.broken = {}
        self.failure = None
        self.wait = 0.0
        self.closed = 0

    async def open(self):
        if self.failure:
            raise self.failure

    async def of(self, principal):
        await asyncio.sleep(self.wait)
        if self.failure:
            raise self.failure
        return dict(self.accounts.get(principal, {})), self.broken

    async def aclose(self):
        self.closed += 1


class Connector:
    """Knows one name, and whether it has been closed."""

    name = "slack"

    def __init__(self, principal, account):
        self.whose = (principal, account.id)
        self.closed = 0

    async def prepare(self):
        """Nothing to load."""

    async def directory(self, call):
        return SourceDirectory((Person(self.whose[0], native_id="U1"),))

    async def aclose(self):
        self.closed += 1


class Rooms:
    """What has been opened."""

    def __init__(self):
        self.opened = []

    def __call__(self, principal, account):
        connector = Connector(principal, account)
        self.opened.append(connector)
        return Source(connector, Gate(Limits(rate=10, period=1.0, page=10)), account=account.id)

    @property
    def open(self):
        return [each.whose for each in self.opened if not each.closed]


def people(store, rooms, **more):
    return People({"slack": OwnSource(rooms, "connect it")}, store, **more)


async def ask(them, principal):
    async with them.of(principal) as own:
        return dict(own.sources), dict(own.missing)


@pytest.fixture
def rooms():
    return Rooms()


def test_each_has_their_own_and_keeps_it(in_virtual_time, rooms):
    async def scenario():
        them = people(Store(alice="1", bob="2"), rooms)
        (alice, _), (bob, _) = await asyncio.gather(ask(them, "alice"), ask(them, "bob"))
        assert alice["slack"] is not bob["slack"]
        assert alice["slack"].gate is not bob["slack"].gate
        assert alice["slack"].breaker is not bob["slack"].breaker
        assert (await ask(them, "alice"))[0]["slack"] is alice["slack"]
        assert await ask(them, "carol") == ({}, {"slack": "connect it"})
        await them.aclose()
        await them.aclose()
        assert rooms.open == []

    in_virtual_time(scenario())


def test_another_account_is_opened_anew_and_the_old_one_closed_when_it_is_done(in_virtual_time, rooms):
    async def scenario():
        store = Store(alice="1")
        them = people(store, rooms)
        async with them.of("alice") as first:
            store.accounts["alice"]["slack"] = Account("2")
            async with them.of("alice") as second:
                assert second.sources["slack"].account == "2"
                assert second.sources["slack"] is not first.sources["slack"]
            await asyncio.sleep(0.1)
            assert rooms.open == [("alice", "1"), ("alice", "2")]  # the first question still asks with it
        await asyncio.sleep(0.1)
        assert rooms.open == [("alice", "2")]
        del store.accounts["alice"]["slack"]
        assert await ask(them, "alice") == ({}, {"slack": "connect it"})
        await asyncio.sleep(0.1)
        assert rooms.open == []
        await them.aclose()

    in_virtual_time(scenario())


def test_who_is_quiet_is_closed_and_who_asks_is_not(in_virtual_time, rooms):
    async def scenario():
        them = people(Store(alice="1", bob="2"), rooms, idle=60.0)
        await ask(them, "alice")
        async with them.of("bob"):
            await asyncio.sleep(300)
            assert rooms.open == [("bob", "2")]
        await asyncio.sleep(59)
        assert rooms.open == [("bob", "2")]
        await asyncio.sleep(120)
        assert (rooms.open, len(them)) == ([], 0)
        await them.aclose()

    in_virtual_time(scenario())


def test_there_are_never_more_open_than_are_wanted(in_virtual_time, rooms):
    async def scenario():
        names = [f"p{number}" for number in range(50)]
        them = people(Store(**{name: name for name in names}), rooms, most=5)
        for name in names:
            await ask(them, name)
            await asyncio.sleep(0.01)
            assert len(rooms.open) <= 5
        assert [name for name, _ in rooms.open] == names[-5:]
        await asyncio.gather(*(ask(them, name) for name in names))
        await asyncio.sleep(0.1)
        assert len(rooms.open) == len(them) == 5
        await them.aclose()

    in_virtual_time(scenario())


def test_a_store_that_fails_or_hangs_costs_its_sources_and_not_the_question(in_virtual_time, rooms):
    async def scenario():
        store = Store(alice="1")
        them = people(store, rooms)
        store.failure = Unavailable("password=hunter2")
        sources, missing = await ask(them, "alice")
        assert (sources, "hunter2" in missing["slack"]) == ({}, False)
        await them.prepare()
        store.failure, store.wait = None, 100.0
        started = asyncio.get_running_loop().time()
        assert "does not answer" in (await ask(them, "alice"))[1]["slack"]
        assert asyncio.get_running_loop().time() - started < 3
        store.wait, store.broken = 0.0, {"slack": "sealed with another key"}
        store.accounts.clear()
        assert await ask(them, "alice") == ({}, {"slack": "sealed with another key"})
        await them.aclose()

    in_virtual_time(scenario())


def test_names_of_one_are_not_known_to_another(in_virtual_time, rooms):
    async def scenario():
        reaches = Reaches({}, 100.0, people(Store(alice="1", bob="2"), rooms))
        for name in ("alice", "bob"):
            async with reaches.of(name) as reach:
                await reach.load(1.0)
                assert [person.name for person in reach.known["slack"].people] == [name]
                assert reach.named["slack"].people["U1"].name == name
        async with reaches.of("carol") as reach:
            assert (dict(reach.known), dict(reach.unread), reach.missing) == ({}, {}, {"slack": "connect it"})
        await reaches.aclose()

    in_virtual_time(scenario())
