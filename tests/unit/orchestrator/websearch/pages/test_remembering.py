"""Values are made once, kept for a while, and not kept when they failed."""

from __future__ import annotations

import asyncio

import pytest

from orchestrator.websearch.pages.remembering import ExpiringCache, Remembered


class World:
    """A memory with a clock of its own, and what it had made."""

    def __init__(self, ttl: float = 900.0, most: int = 2) -> None:
        self.now = 0.0
        self.made: list[str] = []
        self.released = asyncio.Event()
        self.cancelled = 0
        self.memory: ExpiringCache[str] = ExpiringCache(ttl, most, lambda: self.now)

    async def make(self, key: str, fault: Exception | None = None) -> str:
        self.made.append(key)
        try:
            await self.released.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if fault:
            raise fault
        return key.upper()

    async def get(self, key: str, fault: Exception | None = None) -> Remembered[str]:
        return await self.memory.get(key, lambda: self.make(key, fault))


async def test_fifteen_minutes_and_not_longer() -> None:
    world = World()
    world.released.set()
    assert await world.get("a") == Remembered("A", 0.0)
    world.now = 899.0
    assert await world.get("a") == Remembered("A", 899.0)
    world.now = 900.0
    assert await world.get("a") == Remembered("A", 0.0)
    assert world.made == ["a", "a"]


async def test_many_at_once_are_one() -> None:
    world = World()
    asking = [asyncio.create_task(world.get("a")) for _ in range(50)]
    await asyncio.sleep(0)
    world.released.set()
    assert {each.value for each in await asyncio.gather(*asking)} == {"A"}
    assert world.made == ["a"]


async def test_a_failure_is_for_all_who_waited_and_is_not_remembered() -> None:
    world = World()
    asking = [asyncio.create_task(world.get("a", ValueError("no"))) for _ in range(3)]
    await asyncio.sleep(0)
    world.released.set()
    assert [str(each) for each in await asyncio.gather(*asking, return_exceptions=True)] == ["no"] * 3
    assert (await world.get("a")).value == "A"


async def test_who_leaves_does_not_take_it_from_the_others() -> None:
    world = World()
    first, second = (asyncio.create_task(world.get("a")) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    world.released.set()
    assert (await second).value == "A"
    assert world.cancelled == 0


async def test_the_last_who_leaves_ends_it_and_the_next_begins_anew() -> None:
    world = World()
    first = asyncio.create_task(world.get("a"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    second = asyncio.create_task(world.get("a"))
    await asyncio.sleep(0)
    world.released.set()
    assert (await second).value == "A"
    assert (world.cancelled, world.made) == (1, ["a", "a"])


async def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    world = World(most=2)
    world.released.set()
    for key in ("a", "b", "a", "c", "a", "b"):
        await world.get(key)
    assert world.made == ["a", "b", "c", "b"]


async def test_closing_ends_what_is_being_made() -> None:
    world = World()
    asking = asyncio.create_task(world.get("a"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await world.memory.aclose()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert world.cancelled == 1
