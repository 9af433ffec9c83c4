"""Sources that are exchanged while questions are under way: each question goes on with its own, and what nobody uses is closed."""

from __future__ import annotations

import asyncio

from orchestrator.gather import Gate, Source
from orchestrator.model import Principal
from orchestrator.reaching import Reaching, probe
from tests.unit.orchestrator.gather.conftest import LIMITS, Pretend
from translators.said import said_in


class Closing(Pretend):
    closed = 0

    async def aclose(self) -> None:
        self.closed += 1


def source(name: str) -> Source:
    return Source(Closing(name, {}), Gate(LIMITS, name))  # type: ignore[arg-type]


def closed(*sources: Source) -> list[int]:
    return [each.connector.closed for each in sources]  # type: ignore[attr-defined]


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_question_keeps_its_sources_and_the_next_one_has_the_new_ones() -> None:
    kept, gone, new = source("kept"), source("gone"), source("new")
    reaching = Reaching((), {"kept": kept, "gone": gone}, 60.0)
    async with reaching.of("minji") as before:
        await reaching.exchange((), {"kept": kept, "new": new})
        assert before.sources.keys() == {"kept", "gone"}
        async with reaching.of("minji") as after:
            assert after.sources == {"kept": kept, "new": new}
        await settled()
        assert closed(kept, gone, new) == [0, 0, 0]
    await settled()
    assert closed(kept, gone, new) == [0, 1, 0]
    await reaching.aclose()
    assert closed(kept, gone, new) == [1, 1, 1]


async def test_what_came_and_went_twice_is_closed_when_the_last_question_leaves_it() -> None:
    one, two = source("one"), source("two")
    reaching = Reaching((), {"one": one}, 60.0)
    async with reaching.of("minji"):
        await reaching.exchange((), {"one": one, "two": two})
        async with reaching.of("jiho"):
            await reaching.exchange((), {})
            await settled()
        await settled()
        assert closed(one, two) == [0, 1]
    await settled()
    assert closed(one, two) == [1, 1]
    await reaching.aclose()


class Hanging(Closing):
    async def probe(self, call: object) -> None:
        await asyncio.Event().wait()


async def test_a_source_that_says_nothing_is_told_in_the_language_of_whoever_looks() -> None:
    hanging = Source(Hanging("slow", {}), Gate(LIMITS, "slow"))  # type: ignore[arg-type]
    health = await probe(hanging, Principal("minji"), 0.01)
    assert (health.ok, health.detail) == (False, "no answer within 0.0 s")
    assert said_in(health.detail, "ko") == "0.0초 안에 답이 없었습니다"
