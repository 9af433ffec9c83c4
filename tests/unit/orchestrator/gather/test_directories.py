"""Names are loaded once, beside the questions, a source that cannot list them is left in peace for a while, and ids and handles become the names people know."""

import asyncio
from dataclasses import replace

from connectors.contract import Hit, SourceDirectory
from connectors.errors import Unavailable
from orchestrator.gather import DirectoryCache
from orchestrator.gather.directories import names_by_id, with_names
from orchestrator.model import HitList, Outcome, Status
from translators.query import Category, Container, Kind, Person
from translators.translator import NativeQuery, Translation

KNOWN = SourceDirectory((Person("이하늘", "U1"),))


def test_a_directory_is_loaded_once_and_kept(kit, in_virtual_time):
    source = kit.Pretend("s", {"directory": KNOWN})
    cache_sources = kit.sources(source)

    async def twice():
        cache = DirectoryCache(cache_sources, ttl=900.0)
        first = await cache.load(["s"], patience=1.0)
        await cache.load(["s"], patience=1.0)
        await asyncio.sleep(901)
        await cache.load(["s"], patience=1.0)
        return first

    assert in_virtual_time(twice()) == {"s": KNOWN}
    assert source.listed == 2


def test_a_question_waits_no_longer_than_its_patience_and_the_next_one_profits(kit, in_virtual_time):
    source = kit.Pretend("s", {"directory": KNOWN}, delay=5.0)

    async def impatient():
        cache = DirectoryCache(kit.sources(source), ttl=900.0)
        loop = asyncio.get_running_loop()
        first = dict(await cache.load(["s"], patience=0.4))
        waited = loop.time()
        both = await asyncio.gather(cache.load(["s"], patience=0.1), cache.load(["s"], patience=9.0))
        return first, waited, dict(both[1])

    assert in_virtual_time(impatient()) == ({}, 0.4, {"s": KNOWN})
    assert source.listed == 1


def test_a_failure_is_remembered_for_a_minute(kit, in_virtual_time):
    source = kit.Pretend("s", {"directory": Unavailable("down")})

    async def fail():
        cache = DirectoryCache(kit.sources(source), ttl=900.0)
        for _ in range(3):
            assert await cache.load(["s"], patience=1.0) == {}
        assert source.listed == 1
        source.replies["directory"] = KNOWN
        await asyncio.sleep(61)
        return await cache.load(["s", "unknown"], patience=1.0)

    assert in_virtual_time(fail()) == {"s": KNOWN}


def test_it_says_why_it_does_not_know_a_source_s_names(kit, in_virtual_time):
    """A source that failed to list them is as unknown as one that is being read: what must stay inside hangs on it."""
    slow, down = (
        kit.Pretend("slow", {"directory": KNOWN}, delay=5.0),
        kit.Pretend("down", {"directory": Unavailable("x")}),
    )

    async def look():
        cache = DirectoryCache(kit.sources(slow, down), ttl=900.0)
        never = dict(cache.unread)
        await cache.load(["slow", "down"], patience=1.0)
        early = dict(cache.unread)
        await cache.load(["slow", "down"], patience=9.0)
        return never, early, dict(cache.unread)

    never, early, late = in_virtual_time(look())
    assert never.keys() == early.keys() == {"slow", "down"}
    assert "still being read" in early["slow"]
    assert "could not be read" in early["down"]
    assert late.keys() == {"down"}


def test_closing_stops_a_load(kit, in_virtual_time):
    source = kit.Pretend("s", {"directory": KNOWN}, delay=500.0)

    async def close():
        cache = DirectoryCache(kit.sources(source), ttl=900.0)
        await cache.load(["s"], patience=0.1)
        await cache.aclose()
        await asyncio.sleep(0)
        return [task for task in asyncio.all_tasks() if task is not asyncio.current_task()], cache.known

    assert in_virtual_time(close()) == ([], {})


def test_a_bug_in_a_listing_is_logged_without_its_text_and_hurts_nobody(kit, in_virtual_time, capsys):
    source = kit.Pretend("s", {"directory": RuntimeError("token=xoxp-secret")})

    async def fail():
        return dict(await DirectoryCache(kit.sources(source), ttl=900.0).load(["s"], patience=1.0))

    assert in_virtual_time(fail()) == {}
    said = "".join(capsys.readouterr())
    assert "RuntimeError" in said
    assert "xoxp-secret" not in said


NAMES = names_by_id(
    SourceDirectory(
        (Person("최서연", "U1", "seoyeon@acme.test"), Person("seoyeon.choi", "U1"), Person("봇", "U2")),
        (Container("결제", "C1"), Container("payments", "C1")),
    )
)


def outcome(*people):
    hits = tuple(Hit("s", str(n), Kind.MESSAGE, author=person) for n, person in enumerate(people))
    lists = (HitList(Translation(NativeQuery("plain", "q")), hits),)
    return Outcome("s", "S", Category.CHAT, Status.OK, lists)


def test_a_handle_becomes_the_full_name_with_its_address():
    (hit,) = with_names(outcome(Person("seoyeon.choi", "U1")), NAMES).hits
    assert hit.author == Person("최서연", "U1", "seoyeon@acme.test")


def test_assignees_are_named_too():
    found = outcome(None)
    hit = replace(found.hits[0], assignee=Person("", "U2"))
    (named,) = with_names(replace(found, lists=(replace(found.lists[0], hits=(hit,)),)), NAMES).hits
    assert (named.author, named.assignee.name) == (None, "봇")


def test_who_is_not_in_the_directory_stays_as_the_source_said():
    strangers = (Person("someone", "U9"), Person("no id"), None)
    found = outcome(*strangers)
    assert tuple(hit.author for hit in with_names(found, NAMES).hits) == strangers
    assert with_names(found, None) is found


def test_a_hit_that_says_it_all_already_is_left_as_it_is():
    found = outcome(Person("최서연", "U1", "seoyeon@acme.test"))
    assert with_names(found, NAMES).hits[0] is found.hits[0]


def test_a_place_of_which_only_the_id_is_known_gets_its_name():
    found = outcome(None, None, None)
    places = Container("C1", "C1"), Container("billing", "C1"), Container("C9", "C9")
    hits = tuple(replace(hit, container=place) for hit, place in zip(found.hits, places, strict=True))
    named = with_names(replace(found, lists=(replace(found.lists[0], hits=hits),)), NAMES).hits
    assert [str(hit.container) for hit in named] == ["결제", "billing", "C9"]
