"""Texts that cost a request each are read of the best hits alone; what cannot be read costs nothing else."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Hit, HitPage
from connectors.errors import Unavailable
from orchestrator.best_hits import AMONG, LEAST, Texts, TextsBeside
from orchestrator.gather import Asking, Care, Deadline, Gate, PageCache, Source, fan_out
from orchestrator.model import Evidence, HitList, Outcome, Principal, Result, Status
from tests.unit.orchestrator.gather.conftest import LIMITS, Pretend, page, plan_of, step
from translators.query import Category, Kind
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Sequence

MANY = 30


class Heads(Pretend):
    """Its searches return titles; ``failing``: what asking it for texts raises."""

    completes = True

    def __init__(self, name: str, *ids: str, failing: Exception | None = None, limits: Any = LIMITS) -> None:
        super().__init__(name, {"q": _of(name, page(*ids))}, limits=limits)
        self.failing = failing
        self.read: list[str] = []

    async def complete(self, hits: Sequence[Hit], call: Call) -> HitPage:
        if self.failing:
            raise self.failing
        for hit in hits:
            await call.turn()
            self.read.append(hit.id)
        return HitPage(tuple(replace(hit, snippet=f"all of {hit.id}") for hit in hits))


def _of(name: str, found: HitPage) -> HitPage:
    return replace(found, hits=tuple(replace(hit, source=name) for hit in found.hits))


async def read(*connectors: Pretend, order: Sequence[str]) -> dict[str, Outcome]:
    """What the sources say, and the texts of the best where ``order`` is that of all hits."""
    sources = {each.name: Source(each, Gate(each.manifest.limits)) for each in connectors}
    asking = Asking(Principal("kim"), Care(PageCache(0.0), 0, hedge=False), 3)
    deadline = Deadline.of(3.0, 0.15, 0.1)

    async def best(outcomes: Sequence[Outcome]) -> tuple[Result, ...]:
        hits = {hit.id: hit for outcome in outcomes for hit in outcome.hits}
        return tuple(Result(hits[each], (Evidence(hits[each].source, 1),)) for each in order)

    plan = plan_of(*(step(each.name, limit=MANY) for each in connectors))
    found = [each async for each in fan_out(plan, sources, deadline, replace(asking, heads=True))]
    return {each.source: each for each in await Texts(best).read(found, sources, deadline, asking)}


async def beside(*connectors: Pretend, order: Sequence[str]) -> dict[str, Outcome]:
    """What there is when no time is left, of sources of which one says nothing."""
    sources = {each.name: Source(each, Gate(each.manifest.limits)) for each in connectors}
    asking = Asking(Principal("kim"), Care(PageCache(0.0), 0, hedge=False), 3)
    deadline = Deadline.of(3.0, 0.15, 0.1)
    outcomes: list[Outcome] = []

    async def best(found: Sequence[Outcome]) -> tuple[Result, ...]:
        hits = {hit.id: hit for outcome in found for hit in outcome.hits}
        return tuple(Result(hits[each], (Evidence(hits[each].source, 1),)) for each in order if each in hits)

    plan = plan_of(*(step(each.name, limit=MANY) for each in connectors))
    async with aclosing(TextsBeside(Texts(best), outcomes, sources, deadline, asking)) as reading:
        async for each in fan_out(plan, sources, deadline, replace(asking, heads=True)):
            outcomes.append(each)  # noqa: PERF401 - one after the other, as they arrive
        return {each.source: each for each in await reading.outcomes()}


def test_a_source_that_hangs_costs_the_others_no_text(in_virtual_time: Any) -> None:
    wiki, chat = Heads("wiki", "a1", "a2"), Pretend("chat", {"q": page("c1")}, delay=60.0)
    found = in_virtual_time(beside(wiki, chat, order=["a1", "a2"]))
    assert [hit.snippet for hit in found["wiki"].hits] == ["all of a1", "all of a2"]
    assert found["chat"].status is Status.TIMED_OUT


def test_where_all_answer_in_time_nothing_is_read_beside_them(in_virtual_time: Any) -> None:
    wiki = Heads("wiki", "a1")
    found = in_virtual_time(beside(wiki, order=["a1"]))
    assert (wiki.read, found["wiki"].hits[0].snippet) == ([], "")


def test_the_best_of_all_are_read_and_a_few_of_each_source(in_virtual_time: Any) -> None:
    """The order of all hits says which; a source whose titles tell little is read as well."""
    many, few, talk = [f"a{n}" for n in range(MANY)], [f"b{n}" for n in range(4)], [f"c{n}" for n in range(AMONG)]
    wiki, files = Heads("wiki", *many), Heads("files", *few)
    chat = Pretend("chat", {"q": _of("chat", page(*talk))})
    found = in_virtual_time(read(wiki, files, chat, order=[*many[:3], *talk, *few, *many[3:]]))
    assert wiki.read == many[:3]
    assert files.read == few[:LEAST]
    assert [hit.snippet for hit in found["wiki"].hits[:4]] == [*(f"all of {each}" for each in many[:3]), ""]
    assert [hit.rank for hit in found["wiki"].hits] == [hit.rank for hit in found["wiki"].lists[0].hits]
    assert (found["wiki"].requests, found["files"].requests) == (1 + 3, 1 + LEAST), "the receipt counts them"
    in_virtual_time(read(wiki, order=many))
    assert len(wiki.read) == 3 + AMONG


@pytest.mark.parametrize("failing", [Unavailable("gone"), ValueError("a bug")])
def test_hits_whose_texts_cannot_be_read_stay_as_they_are(in_virtual_time: Any, failing: Exception) -> None:
    found = in_virtual_time(read(Heads("wiki", "a", failing=failing), order=["a"]))
    assert [(hit.id, hit.snippet) for hit in found["wiki"].hits] == [("a", "")]
    assert any("were not read" in str(note) for note in found["wiki"].notes), "the receipt says so"


def test_where_turns_are_short_fewer_are_read(in_virtual_time: Any) -> None:
    many = [f"a{n}" for n in range(MANY)]
    wiki = Heads("wiki", *many, limits=LIMITS.model_copy(update={"rate": 4}))
    in_virtual_time(read(wiki, order=many))
    assert wiki.read == many[:3]


def test_texts_that_hang_are_given_up_in_time(in_virtual_time: Any) -> None:
    class Hanging(Heads):
        async def complete(self, hits: Sequence[Hit], call: Call) -> HitPage:
            await asyncio.sleep(1000)
            raise AssertionError("cancelled long before")

    async def timed() -> tuple[float, str]:
        found = await read(Hanging("wiki", "a"), order=["a"])
        return asyncio.get_running_loop().time(), found["wiki"].hits[0].id

    took, there = in_virtual_time(timed())
    assert (took <= 3.0, there) == (True, "a")


def test_a_text_that_is_kept_beside_the_source_takes_no_request(in_virtual_time: Any) -> None:
    class Kept:
        """A mirror of one page, which it has read since the source answered."""

        def kept(self, hit: Hit) -> Hit | None:
            return replace(hit, snippet="kept") if hit.id == "a" else None

    async def reading() -> tuple[list[str], list[str]]:
        connector = Heads("wiki", "a", "b")
        source = Source(connector, Gate(connector.manifest.limits))
        object.__setattr__(source, "mirror", Kept())
        hits = [Hit("wiki", each, Kind.PAGE) for each in ("a", "b")]

        async def best(outcomes: Sequence[Outcome]) -> tuple[Result, ...]:
            return tuple(Result(hit, (Evidence("wiki", 1),)) for hit in hits)

        found = replace(plan_outcome(), lists=(HitList(Translation(NativeQuery("plain", "q")), tuple(hits)),))
        asking = Asking(Principal("kim"), Care(PageCache(0.0), 0, hedge=False), 3)
        (told,) = await Texts(best).read([found], {"wiki": source}, Deadline.of(3.0, 0.15, 0.1), asking)
        return connector.read, [hit.snippet for hit in told.hits]

    def plan_outcome() -> Outcome:
        return Outcome("wiki", "Wiki", Category.WIKI, Status.OK)

    assert in_virtual_time(reading()) == (["b"], ["kept", "all of b"])
