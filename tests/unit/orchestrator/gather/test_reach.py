"""A source that cannot get ready costs its own part of the answer, inside the deadline, and comes back by itself."""

import asyncio
from contextlib import aclosing

import pytest

from connectors.contract import SourceDirectory
from connectors.errors import Misconfigured, Unavailable
from orchestrator.gather import Deadline, DirectoryCache, OwnSource, People, Reaches, fan_out
from orchestrator.gather.reach import READYING
from orchestrator.model import Status
from translators.query import Person
from translators.said import Said, said_in

DOWN = Said.given({"en": "the database cannot be reached", "ko": "데이터베이스에 연결할 수 없습니다"})


def waking(kit, name, *attempts, delay=0.2):
    """A source whose attempts to get ready go as told: seconds until it is, or what it raises; then at once."""
    source = kit.Pretend(
        name, {"q": kit.page(f"{name}-1"), "directory": SourceDirectory((Person("Kim", "U1"),))}, delay
    )
    source.attempts = list(attempts)
    source.prepared = 0

    async def prepare():
        source.prepared += 1
        turn = source.attempts.pop(0) if source.attempts else 0.0
        if isinstance(turn, Exception):
            raise turn
        await asyncio.sleep(turn)

    source.prepare = prepare
    return source


async def outcomes(kit, sources, budget=3.0):
    plan = kit.plan_of(*(kit.step(name) for name in sources))
    async with aclosing(fan_out(plan, sources, Deadline.of(budget, 0.2, 0.1), kit.asking(enough=1))) as arriving:
        return {each.source: each async for each in arriving}


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (Unavailable(DOWN), Status.FAILED, "unavailable"),
        (Misconfigured(DOWN), Status.NOT_CONNECTED, "misconfigured"),
        (ImportError("secret-in-a-text"), Status.FAILED, "connector_bug"),
    ],
)
def test_a_failure_costs_its_own_source_at_once(kit, in_virtual_time, failure, status, code):
    dead, well = waking(kit, "dead", *[failure] * 9), waking(kit, "well")

    async def story():
        found = await outcomes(kit, kit.sources(dead, well))
        return found, asyncio.get_running_loop().time()

    found, took = in_virtual_time(story())
    assert [hit.id for hit in found["well"].hits] == ["well-1"]
    assert (found["dead"].status, found["dead"].problem.code) == (status, code)
    assert "secret" not in found["dead"].problem.message
    assert said_in(found["dead"].problem.message, "ko")
    assert took == pytest.approx(0.2)  # what the other took


def test_silence_costs_its_own_source_the_budget_and_no_more(kit, in_virtual_time):
    silent, well = waking(kit, "silent", 1000.0), waking(kit, "well")

    async def story():
        sources = kit.sources(silent, well)
        found = await outcomes(kit, sources)
        took = asyncio.get_running_loop().time()
        await sources["silent"].aclose()
        return found, took

    found, took = in_virtual_time(story())
    assert found["well"].status is Status.OK
    assert found["silent"].status is Status.TIMED_OUT
    assert found["silent"].problem.code == "not_ready"
    assert "still getting ready after 2.8 s" in found["silent"].problem.message
    assert "아직 준비 중" in said_in(found["silent"].problem.message, "ko")
    assert took == pytest.approx(2.8)


def test_what_takes_longer_than_a_question_is_ready_for_a_later_one(kit, in_virtual_time):
    """No question's deadline ends it, nor does it begin anew."""
    slow = waking(kit, "slow", 7.0)

    async def story():
        sources = kit.sources(slow)
        return [(await outcomes(kit, sources))["slow"].status for _ in range(3)]

    assert in_virtual_time(story()) == [Status.TIMED_OUT, Status.TIMED_OUT, Status.OK]
    assert slow.prepared == 1


def test_it_is_tried_again_by_itself_ever_more_rarely(kit, in_virtual_time):
    dead = waking(kit, "dead", *[Unavailable(DOWN)] * 6)

    async def story():
        sources = kit.sources(dead)
        seen = []
        for _ in range(200):
            found = (await outcomes(kit, sources))["dead"]
            seen.append((asyncio.get_running_loop().time(), found.status))
            await asyncio.sleep(0.5)
        return seen

    seen = in_virtual_time(story())
    well = [at for at, status in seen if status is Status.OK]
    assert dead.prepared == 7  # at 0, 1, 3, 7, 15, 31 and 61 s, whatever is asked meanwhile
    assert 61.0 <= well[0] <= 62.0
    assert {status for at, status in seen if at < 61.0} == {Status.FAILED}


def test_a_server_does_not_wait_for_the_slowest(kit, in_virtual_time):
    """It is ready when every source has been tried once, and in any case after a while."""
    dead, slow, silent = (
        waking(kit, "dead", *[Unavailable(DOWN)] * 3),
        waking(kit, "slow", 4.0),
        waking(kit, "silent", 1000.0),
    )

    async def story(*connectors):
        reaches = Reaches(kit.sources(*connectors), 900.0)
        await reaches.prepare()
        took = asyncio.get_running_loop().time()
        await reaches.aclose()
        return took

    assert in_virtual_time(story(dead, slow)) == pytest.approx(4.0)
    assert in_virtual_time(story(silent)) == pytest.approx(READYING)


def test_in_a_process_that_was_not_prepared_questions_wait_once(kit, in_virtual_time):
    """What is imported and started at the first question is not its sources' time, within reason."""
    silent, other = waking(kit, "silent", 1000.0), waking(kit, "other", 1000.0)

    async def story():
        reaches = Reaches(kit.sources(silent, other), 900.0)
        loop, waits = asyncio.get_running_loop(), []
        for _ in range(2):
            began = loop.time()
            await reaches.begin({"silent"}, 3.0)
            waits.append(loop.time() - began)
        await reaches.aclose()
        return waits

    assert in_virtual_time(story()) == [pytest.approx(3.0), 0.0]
    assert (silent.prepared, other.prepared) == (1, 0)


def test_names_are_not_read_from_what_is_not_ready_or_rests(kit, in_virtual_time):
    dead, resting = waking(kit, "dead", *[Unavailable(DOWN)] * 9), waking(kit, "resting")

    async def story():
        sources = kit.sources(dead, resting)
        for _ in range(3):
            await sources["resting"].breaker.failed("unavailable", "HTTP 503")
        cache = DirectoryCache(sources, ttl=900.0)
        await cache.load(sources, patience=1.0)
        early = dict(cache.known)
        await asyncio.sleep(61)
        await cache.load(["resting"], patience=1.0)
        for each in sources.values():
            await each.aclose()
        return early, set(cache.known)

    assert in_virtual_time(story()) == ({}, {"resting"})
    assert (dead.listed, resting.listed) == (0, 1)


def test_a_listing_that_never_ends_is_given_up_and_tried_again(kit, in_virtual_time):
    stuck = waking(kit, "stuck", delay=10_000.0)

    async def story():
        cache = DirectoryCache(kit.sources(stuck), ttl=900.0)
        await cache.load(["stuck"], patience=30.0)
        gave_up = "could not be read" in cache.unread["stuck"]
        stuck.delay = 0.2
        await asyncio.sleep(61)
        await cache.load(["stuck"], patience=1.0)
        return gave_up, set(cache.known)

    assert in_virtual_time(story()) == (True, {"stuck"})


class Silent:
    """A store of accounts that does not answer, until it does."""

    def __init__(self):
        self.asked = 0
        self.answers = False

    async def open(self):
        await asyncio.sleep(1000)

    async def of(self, principal):
        self.asked += 1
        await asyncio.sleep(0.01 if self.answers else 1000)
        return {}, {}

    async def aclose(self):
        pass


def test_a_store_of_accounts_that_is_silent_is_left_alone_for_a_while(in_virtual_time):
    """Each question would else lose two of its seconds to it."""

    async def story():
        store = Silent()
        people = People({"slack": OwnSource(None, Said.given({"en": "connect", "ko": "연결"}))}, store)
        waits, loop = [], asyncio.get_running_loop()
        for _ in range(6):
            began = loop.time()
            async with people.of("kim") as own:
                said = own.missing["slack"]
            waits.append(round(loop.time() - began, 2))
        store.answers = True
        await asyncio.sleep(10)
        async with people.of("kim") as own:
            return waits, store.asked, said, own.missing["slack"]

    waits, asked, said, later = in_virtual_time(story())
    assert (waits, asked) == ([2.0, 2.0, 2.0, 0.0, 0.0, 0.0], 4)
    assert "does not answer" in said
    assert later == "connect"
