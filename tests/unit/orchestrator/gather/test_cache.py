"""What is remembered, for how long, how much of it, and one request for all who want the same."""

import asyncio

import pytest

from orchestrator.gather import PageCache


def test_a_page_is_remembered_until_it_is_too_old(kit, in_virtual_time):
    async def story():
        cache = PageCache(60.0)
        await cache.put("k", kit.page("a"), 10)
        await asyncio.sleep(59.0)
        assert await cache.get("k", 10) == (kit.page("a"), pytest.approx(59.0))
        await asyncio.sleep(1.0)
        assert await cache.get("k", 10) is None
        assert len(cache) == 0

    in_virtual_time(story())


def test_the_least_recently_used_go_first(kit, in_virtual_time, monkeypatch):
    async def story():
        cache = PageCache(60.0, most=2)
        for key in "ab":
            await cache.put(key, kit.page(key), 10)
        await cache.get("a", 10)
        await cache.put("c", kit.page("c"), 10)
        assert [key for key in "abc" if await cache.get(key, 10)] == ["a", "c"]
        monkeypatch.setattr("orchestrator.gather.cache.MOST_CHARACTERS", 100)
        await cache.put("long", kit.page("d", text="배포 " * 30), 10)
        assert [key for key in ("a", "c", "long") if await cache.get(key, 10)] == ["c", "long"]
        await cache.put("huge", kit.page("e", text="x" * 101), 10)
        assert len(cache) == 0

    in_virtual_time(story())


def test_nothing_is_remembered_for_no_time(kit, in_virtual_time):
    async def story():
        cache = PageCache(0.0)
        await cache.put("k", kit.page("a"), 10)
        assert await cache.get("k", 10) is None

    in_virtual_time(story())


def test_equal_questions_at_the_same_time_are_one_request(kit, in_virtual_time):
    async def story():
        asked = []

        async def ask():
            asked.append(1)
            await asyncio.sleep(1.0)
            return kit.page("a")

        cache = PageCache(60.0)
        pages = await asyncio.gather(*(cache.once("k", ask) for _ in range(5)), cache.once("other", ask))
        assert pages == [kit.page("a")] * 6
        await cache.once("k", ask)
        return len(asked)

    assert in_virtual_time(story()) == 3


def test_whoever_leaves_leaves_alone_and_the_last_takes_the_request_along(kit, in_virtual_time):
    async def story():
        cancelled = []

        async def ask():
            try:
                await asyncio.sleep(1.0)
            except asyncio.CancelledError:
                cancelled.append(1)
                raise
            return kit.page("a")

        cache = PageCache(60.0)
        first, second = (asyncio.create_task(cache.once("k", ask)) for _ in range(2))
        await asyncio.sleep(0.1)
        first.cancel()
        assert await second == kit.page("a")
        assert cancelled == []
        alone = asyncio.create_task(cache.once("k", ask))
        await asyncio.sleep(0.1)
        alone.cancel()
        await asyncio.wait([alone])
        assert cancelled == [1]
        assert not cache._flights

    in_virtual_time(story())


def test_all_who_wait_share_a_failure_and_the_next_asks_anew(kit, in_virtual_time):
    async def story():
        replies = [ValueError("down"), kit.page("a")]

        async def ask():
            await asyncio.sleep(0.1)
            reply = replies.pop(0)
            if isinstance(reply, Exception):
                raise reply
            return reply

        cache = PageCache(60.0)
        failures = await asyncio.gather(*(cache.once("k", ask) for _ in range(3)), return_exceptions=True)
        assert [str(each) for each in failures] == ["down"] * 3
        assert await cache.once("k", ask) == kit.page("a")

    in_virtual_time(story())


def test_a_page_serves_who_wants_fewer_hits_and_whoever_wants_more_only_if_it_is_whole(kit, in_virtual_time):
    async def story():
        cache = PageCache(60.0)
        await cache.put("cut", kit.page("a", "b", cursor="2"), 2)
        await cache.put("whole", kit.page("a", "b"), 2)
        return [
            (key, limit) for key in ("cut", "whole") for limit in (1, 2, 3) if await cache.get(key, limit) is not None
        ], cache.holds("cut", 3)

    served, holds = in_virtual_time(story())
    assert served == [("cut", 1), ("cut", 2), ("whole", 1), ("whole", 2), ("whole", 3)]
    assert not holds
