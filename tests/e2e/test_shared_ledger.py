"""Several processes and one real Valkey: limits hold over all of them, and its loss costs nothing but the sharing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path

import pytest
from redis import Redis

from connectors.contract import Hit, HitPage
from connectors.errors import Misconfigured, Throttled
from connectors.manifest import Limits
from orchestrator.assembly.searching import make_sources
from orchestrator.gather import Breaker, Gate, PageCache, near_ledger, redis_ledger, store_link
from orchestrator.gather.breaker import Suspended
from orchestrator.gather.gate import LONGEST_PAUSE
from orchestrator.gather.redis_ledger import RedisLedger
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.a_valkey import a_valkey
from translators.query import Kind

PROCESSES, RATE, PERIOD, PASSES = 4, 10, 0.5, 12

WORKER = """
import asyncio, sys
from connectors.manifest import Limits
from orchestrator.gather import Gate, redis_ledger, store_link
from tests.clock import HANGING

store_link.PATIENCE = HANGING

async def main(uri, rate, period, passes):
    ledger = redis_ledger.RedisLedger(uri)
    gate = Gate(Limits(rate=int(rate), period=float(period), page=1), "slack:k", ledger)
    for _ in range(int(passes)):
        await gate.enter()
    await ledger.aclose()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """On a busy machine a store that is there would pass for lost."""
    monkeypatch.setattr(store_link, "PATIENCE", HANGING)
    monkeypatch.setattr(redis_ledger, "SILENT", HANGING)
    monkeypatch.setattr(redis_ledger, "UNHEARD_SHARERS", 1)


@pytest.fixture
def valkey():
    with a_valkey() as server:
        yield server


@pytest.fixture(params=["valkey", "near"])
async def shared_uri(request, tmp_path):
    """A store that processes share: a server of its own, or what one of the processes keeps."""
    if request.param == "valkey":
        with a_valkey() as server:
            yield server.connection_url
        return
    async with await near_ledger.keep_book(str(tmp_path / "ledger"), near_ledger.LedgerBook()):
        yield near_ledger.near_uri(tmp_path / "ledger", 2)


@asynccontextmanager
async def ledger(uri):
    """A ledger of one process."""
    made = near_ledger.NearLedger(uri) if uri.startswith(near_ledger.SCHEME) else RedisLedger(uri)
    try:
        yield made
    finally:
        await made.aclose()


def gate(shared, rate=5, period=HANGING):
    """A gate of one process."""
    return Gate(Limits(rate=rate, period=period, page=1), "slack:k", shared)


def test_four_processes_never_exceed_the_rate_together(valkey):
    command = [sys.executable, "-c", WORKER, valkey.connection_url, str(RATE), str(PERIOD), str(PASSES)]
    with Redis.from_url(valkey.connection_url) as store, store.monitor() as told:
        workers = [subprocess.Popen(command) for _ in range(PROCESSES)]
        for worker in workers:
            assert worker.wait(HANGING) == 0
        noted = (each["command"].split() for each in told.listen())
        # By the clock of the store, which counts: a busy machine may tell a process late.
        passes = (words for words in noted if words[0] == "ZADD" and ":passes:" in words[1])
        times = [int(words[2]) / 1e6 for words in islice(passes, PROCESSES * PASSES)]
    assert min(last - first for first, last in zip(times, times[RATE:], strict=False)) >= PERIOD


async def test_a_pause_told_to_one_process_is_kept_by_the_others(shared_uri):
    async with ledger(shared_uri) as mine, ledger(shared_uri) as theirs:
        told, other = gate(mine), gate(theirs)
        await told.pause(LONGEST_PAUSE)
        await told.pause(1.0)
        with pytest.raises(Throttled) as refusal:
            await other.enter()
        assert 1 < refusal.value.retry_after <= LONGEST_PAUSE
        await gate(theirs).enter("another bucket")


async def test_a_source_that_one_process_found_ill_is_left_alone_by_the_others_until_it_works(shared_uri):
    async with ledger(shared_uri) as mine, ledger(shared_uri) as theirs:
        found, heard = Breaker("slack:k", mine), Breaker("slack:k", theirs)
        for _ in range(3):
            await found.failed("unavailable", "HTTP 503")
        with pytest.raises(Suspended, match="HTTP 503"):
            await heard.check()
        await found.worked()
        await heard.check()
        await Breaker("slack:k", theirs).check()


async def test_a_page_that_one_process_read_serves_the_others_with_its_age(shared_uri):
    page = HitPage(
        (Hit("slack", "1", Kind.MESSAGE, title="배포 \ud800", facts={"labels": ("a", "b")}),), "next", 7, ("n",)
    )
    async with ledger(shared_uri) as mine, ledger(shared_uri) as theirs:
        await PageCache(HANGING, ledger=mine).put("key", page, 1)
        other = PageCache(HANGING, ledger=theirs)
        read, age = await other.get("key", 1)
        assert read == page
        assert 0 <= age < HANGING
        assert await other.get("another", 1) is None
        await theirs.put("page:strange", b"{}", 60.0)
        assert await other.get("strange", 1) is None


async def test_a_lost_store_is_told_costs_no_question_and_is_found_again(valkey, monkeypatch):
    monkeypatch.setattr("orchestrator.gather.store_link.RETREAT", 0.2)
    async with ledger(valkey.connection_url) as shared:
        passes = gate(shared, rate=100)
        await passes.enter()
        assert passes.trouble == ""
        port = valkey.port
        valkey.stop()
        await passes.enter()
        assert "keeps to its share" in passes.trouble
        for _ in range(40):
            await passes.enter()
        with a_valkey(port):
            async with asyncio.timeout(HANGING):
                while passes.trouble:
                    await asyncio.sleep(0.05)
                    await passes.enter()


async def test_a_near_store_that_ended_is_told_and_found_again_and_whoever_gives_up_spoils_no_answer(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("orchestrator.gather.store_link.RETREAT", 0.0)
    path = str(tmp_path / "ledger")
    async with ledger(near_ledger.near_uri(Path(path), 2)) as shared:
        async with await near_ledger.keep_book(path, near_ledger.LedgerBook()) as server:
            await shared.put("a", b"1", 60.0)
            leaving = asyncio.create_task(shared.get("a"))
            await asyncio.sleep(0)
            leaving.cancel()
            assert (await shared.get("b"), (await shared.get("a"))[0]) == (None, b"1")
            server.close()
            shared._speak.close()  # as the system does it when the other process ends
            assert await shared.get("a") is None
            assert "keeps to its share" in shared.trouble
            taken = [await shared.take("slack", 4, 60.0) for _ in range(2)]
            assert [each.wait > 0.0 for each in taken] == [True, True], "the others may have taken all of them"
        async with await near_ledger.keep_book(path, near_ledger.LedgerBook()):
            await shared.put("a", b"2", 60.0)
            assert (await shared.get("a"))[0] == b"2"
            assert shared.trouble == ""


async def test_a_store_that_was_never_there_does_not_stop_anybody():
    async with ledger("redis://127.0.0.1:1/0") as shared:
        async with asyncio.timeout(HANGING):
            await gate(shared, period=0.5).enter()
        assert shared.trouble


def test_an_address_of_another_kind_is_refused_and_no_password_shows():
    with pytest.raises(Misconfigured, match="must begin with redis://"):
        RedisLedger("http://user:planted@localhost")
    assert "planted" not in repr(RedisLedger("redis://user:planted@localhost:6379/0"))


async def taken(shared, rate, period=HANGING):
    """How many passes a process gets at once."""
    count = 0
    while (await shared.take("slack:k", rate, period)).wait == 0:
        count += 1
    return count


def counting_for_long(uri):
    """The store has counted for a whole period."""
    with Redis.from_url(uri) as store:
        store.set(redis_ledger.BEGINNING, 0)


def is_cut_off(shared, seconds):
    """A process that does not get through to the store for a while, and the others do."""
    shared._link._away_until = asyncio.get_running_loop().time() + seconds


async def test_two_processes_that_lose_the_store_stay_within_the_rate_together(valkey):
    async with ledger(valkey.connection_url) as mine, ledger(valkey.connection_url) as theirs:
        both = [await each.take("slack:k", 20, HANGING) for each in (mine, theirs, mine, theirs)]
        assert {each.wait for each in both} == {0}
        valkey.stop()
        assert await taken(mine, 20) + await taken(theirs, 20) == 6, "half of its share each, two of these taken before"


async def test_what_is_taken_in_a_moment_without_the_store_is_left_by_the_others_and_told_afterwards(shared_uri):
    async with ledger(shared_uri) as mine, ledger(shared_uri) as theirs:
        for each in (theirs, mine):
            await each.take("slack:k", 20, HANGING)
        if not shared_uri.startswith(near_ledger.SCHEME):
            counting_for_long(shared_uri)
        is_cut_off(mine, HANGING)
        alone = await taken(mine, 20)
        assert 0 < alone < 10
        assert await taken(theirs, 20) + alone + 2 == 20
        is_cut_off(mine, 0.0)
        assert await taken(mine, 20) == 0
        assert await taken(theirs, 20) == 0


async def test_a_store_that_comes_back_empty_does_not_give_the_rate_again(valkey):
    async with ledger(valkey.connection_url) as mine, ledger(valkey.connection_url) as theirs:
        for each in (mine, theirs) * 2:
            await each.take("slack:k", 20, HANGING)
        with Redis.from_url(valkey.connection_url) as store:
            store.flushall()
        await theirs.take("slack:k", 20, HANGING)
        assert await taken(mine, 20) + await taken(theirs, 20) == 15


async def test_the_first_to_ask_an_empty_store_is_not_the_only_one(valkey):
    async with ledger(valkey.connection_url) as mine, ledger(valkey.connection_url) as theirs:
        for each in (mine, theirs) * 2:
            await each.take("slack:k", 20, HANGING)
        theirs._living.cancel()
        with Redis.from_url(valkey.connection_url) as store:
            store.flushall()
        assert await taken(mine, 20) == 8


async def test_who_is_cut_off_is_left_its_share_and_forgotten_in_the_end(valkey, monkeypatch):
    async with ledger(valkey.connection_url) as mine:
        async with ledger(valkey.connection_url) as theirs:
            await theirs.take("slack:k", 20, HANGING)
            await mine.take("slack:k", 20, HANGING)
            theirs._living.cancel()
            monkeypatch.setattr(redis_ledger, "SILENT", 0.0)
            assert await taken(mine, 20) == 9, "ten are the other's, and one is taken"
        monkeypatch.setattr(redis_ledger, "SILENT", HANGING)
        counting_for_long(valkey.connection_url)
        assert await taken(mine, 20) == 9, "it said goodbye"


def test_the_index_is_no_vendor_s_and_each_server_counts_for_itself():
    settings = load_settings(
        {"sources": {"local": {"kind": "local"}, "slack": {"kind": "slack", "token": "xoxp-1"}}}, {}
    )
    shared = RedisLedger("redis://127.0.0.1:1/0")
    _, sources = make_sources(settings, shared, {})
    assert {name: each.gate._ledger is shared for name, each in sources.items()} == {"local": False, "slack": True}
