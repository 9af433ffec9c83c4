"""Signals: read ahead, read once, stop in time, say what was left out, and cost nothing where nobody asked for them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from connectors.contract import Hit
from connectors.errors import Unavailable
from connectors.models.reranking import RelevanceScore
from orchestrator.model import HitList, Outcome, Result, Status
from orchestrator.process import Need
from orchestrator.signals import NOTHING, Meaning, Signals
from orchestrator.signals import meaning as meaning_module
from translators.query import Category, Kind, Query
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

KOREAN = Query("결제 일정", language="ko")
ENGLISH = Query("payment schedule", language="en")


class Slow:
    """An embedder that takes ``pace`` seconds a text; a text about payments points one way, any other the other."""

    name, dimension = "slow", 2

    def __init__(self, pace: float = 0.0, *, ready: bool = True, broken: bool = False) -> None:
        self.pace, self._ready, self.broken = pace, ready, broken
        self.read: list[str] = []
        self.closed = False

    @property
    def ready(self) -> bool:
        return self._ready

    async def prepare(self) -> None:
        await asyncio.sleep(1)
        if self.broken:
            raise Unavailable("the model is gone")
        self._ready = True

    async def embed_queries(self, texts: Sequence[str]) -> Any:
        return await self.embed_passages(texts)

    async def embed_passages(self, texts: Sequence[str]) -> Any:
        if self.broken:
            raise Unavailable("the model is gone")
        await asyncio.sleep(self.pace * len(texts))
        self.read += texts
        return np.array([[1.0, 0.0] if "pay" in text or "결제" in text else [0.0, 1.0] for text in texts])

    async def aclose(self) -> None:
        self.closed = True


def outcome(source: str, *texts: str) -> Outcome:
    hits = tuple(Hit(source, str(place), Kind.PAGE, title="t", snippet=text) for place, text in enumerate(texts))
    made = (HitList(Translation(NativeQuery("test", "x")), hits),)
    return Outcome(source, source, Category.WIKI, Status.OK if hits else Status.EMPTY, made)


def meaning(embedder: Slow, **facts: Any) -> Meaning:
    return Meaning(embedder, **({"characters": 240, "results": 100} | facts))


async def nothing(_: object) -> tuple[Result, ...]:
    raise AssertionError("nobody reranks")


async def everything(_: object) -> tuple[Result, ...]:
    return RESULTS


async def what_was_read(heard: Any) -> tuple[Result, ...]:
    return RESULTS if heard.semantic else ()


async def hear(signals: Signals, query: Query, *outcomes: Outcome, within: float = 10.0) -> Any:
    return await signals.hear(query, outcomes, nothing, asyncio.get_running_loop().time() + within)


def test_nearness_by_source_and_id(in_virtual_time: Callable[[Any], Any]) -> None:
    signals = Signals(meaning(Slow()))
    heard = in_virtual_time(hear(signals, KOREAN, outcome("a", "payment", "lunch"), outcome("b", "pay day")))
    assert heard.semantic == {("a", "0"): 1.0, ("a", "1"): 0.0, ("b", "0"): 1.0}
    assert heard.notes == ()


def test_what_arrived_early_has_been_read_when_the_last_arrives(in_virtual_time: Callable[[Any], Any]) -> None:
    """No time is left at the end, and none is needed; nothing is read twice."""
    embedder = Slow(0.05)
    signals = Signals(meaning(embedder), budget=0.15)
    early = outcome("a", *(f"pay {number}" for number in range(20)))

    async def ask() -> Any:
        signals.arrived(KOREAN, early)
        await asyncio.sleep(2)
        before = signals.so_far(KOREAN, [early])
        return before, await hear(signals, KOREAN, early, outcome("b", "pay more"), within=0.3)

    before, heard = in_virtual_time(ask())
    assert before == NOTHING  # the question itself has not been read yet
    assert len(heard.semantic) == 21
    assert heard.notes == ()
    assert sorted(embedder.read) == sorted(set(embedder.read))


def test_an_answer_that_will_be_revised_waits_for_nothing(in_virtual_time: Callable[[Any], Any]) -> None:
    signals = Signals(meaning(Slow(0.01)))

    async def ask() -> Any:
        await hear(signals, KOREAN, outcome("a", "payment"))
        return signals.so_far(KOREAN, [outcome("a", "payment", "new")])

    assert in_virtual_time(ask()).semantic == {("a", "0"): 1.0}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (KOREAN, "결과 20개 중 8개만 의미를 비교했습니다: 남은 시간이 없었습니다"),
        (ENGLISH, "meaning was compared for 8 of 20 results: no time was left for the others"),
    ],
)
def test_in_time_pressure_the_first_of_each_source_are_read(
    in_virtual_time: Callable[[Any], Any], query: Query, said: str
) -> None:
    signals = Signals(meaning(Slow(0.01)), budget=0.15)
    word = "pay" if query is KOREAN else "결제"
    outcomes = [outcome(name, *(f"{word} {name} {number}" for number in range(10))) for name in "ab"]
    heard = in_virtual_time(hear(signals, query, *outcomes))
    assert {number for _, number in heard.semantic} == {"0", "1", "2", "3"}
    assert heard.notes == (said,)


def test_without_time_nothing_is_begun(in_virtual_time: Callable[[Any], Any]) -> None:
    embedder = Slow()
    heard = in_virtual_time(hear(Signals(meaning(embedder)), ENGLISH, outcome("a", "결제"), within=0.06))
    assert (heard.semantic, heard.notes) == (None, ("meaning was not compared: no time was left for it",))
    assert embedder.read == []


def test_the_model_is_loaded_beside_the_second_question(in_virtual_time: Callable[[Any], Any]) -> None:
    embedder = Slow(ready=False)
    signals = Signals(meaning(embedder))

    async def ask() -> list[Any]:
        heard = []
        for _ in range(3):
            await signals.begin()
            signals.arrived(ENGLISH, outcome("a", "결제"))
            heard.append(await hear(signals, ENGLISH, outcome("a", "결제")))
            await asyncio.sleep(5)
        return heard

    first, second, third = in_virtual_time(ask())
    loading = ("meaning was not compared: its model is not loaded yet",)
    assert (first.notes, second.notes, third.notes) == (loading, loading, ())
    assert third.semantic == {("a", "0"): 1.0}


def test_who_wants_it_at_once_waits(in_virtual_time: Callable[[Any], Any]) -> None:
    signals = Signals(meaning(Slow(ready=False)), wait=True)

    async def ask() -> Any:
        await signals.begin()
        return await hear(signals, ENGLISH, outcome("a", "결제"))

    assert in_virtual_time(ask()).semantic == {("a", "0"): 1.0}


def test_a_server_loads_it_before_it_is_ready(in_virtual_time: Callable[[Any], Any]) -> None:
    embedder = Slow(ready=False)
    in_virtual_time(Signals(meaning(embedder)).prepare())
    assert embedder.ready


def test_a_server_that_never_needed_it_loads_it_beside_the_first_question_across_languages(
    in_virtual_time: Callable[[Any], Any], tmp_path: Path
) -> None:
    embedder, need = Slow(ready=False), Need(tmp_path / "needed" / "meaning")
    signals = Signals(Meaning(embedder, characters=100, results=10, need=need))

    async def ask(snippet: str) -> Any:
        await signals.begin()
        signals.arrived(ENGLISH, outcome("a", snippet))
        await asyncio.sleep(5)
        return embedder.ready

    async def asked() -> list[Any]:
        await signals.prepare()
        return [await ask("payment"), await ask("payment"), await ask("결제")]

    assert in_virtual_time(asked()) == [False, False, True]
    later = Slow(ready=False)
    known = Meaning(later, characters=100, results=10, need=Need(tmp_path / "needed" / "meaning"))
    in_virtual_time(known.prepare())
    assert later.ready


@pytest.mark.parametrize("ready", [True, False])
def test_a_broken_model_costs_nobody_the_answer(in_virtual_time: Callable[[Any], Any], ready: bool) -> None:
    signals = Signals(meaning(Slow(ready=ready, broken=True)), wait=True)

    async def ask() -> Any:
        await signals.begin()
        signals.arrived(ENGLISH, outcome("a", "결제"))
        await asyncio.sleep(0)
        return await hear(signals, ENGLISH, outcome("a", "결제"))

    heard = in_virtual_time(ask())
    assert heard.semantic is None
    assert heard.notes == (
        "meaning was not compared: the model is gone"
        if ready
        else "meaning was not compared: its model is not loaded yet",
    )


def test_nothing_found_is_nothing_to_compare(in_virtual_time: Callable[[Any], Any]) -> None:
    assert in_virtual_time(hear(Signals(meaning(Slow())), ENGLISH, outcome("a"))).notes == ()
    assert in_virtual_time(hear(Signals(), ENGLISH, outcome("a", "결제"))) == NOTHING


def test_what_is_in_the_language_of_the_question_is_not_read(in_virtual_time: Callable[[Any], Any]) -> None:
    """Words tell more there, and nobody waits for what is of no use."""
    embedder = Slow(ready=False)
    signals = Signals(meaning(embedder))
    heard = in_virtual_time(hear(signals, KOREAN, outcome("a", "결제 API를 12월에 옮깁니다")))
    assert heard == NOTHING
    ready = Slow()
    in_virtual_time(hear(Signals(meaning(ready)), KOREAN, outcome("a", "결제 API를 옮깁니다", "the API moves")))
    assert ready.read == [KOREAN.text, "t\nthe API moves"]


def test_a_hundred_are_read_at_most_and_of_each_its_beginning(in_virtual_time: Callable[[Any], Any]) -> None:
    embedder = Slow()
    long = outcome("a", *(f"{number:03} {'가' * 5000}" for number in range(50)))
    heard = in_virtual_time(hear(Signals(meaning(embedder, characters=100, results=30)), ENGLISH, long))
    assert len(heard.semantic) == 30
    assert {len(text) for text in embedder.read} == {len(ENGLISH.text), 100}


def test_memory_is_bounded(in_virtual_time: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning_module, "REMEMBERED", 10)
    read = meaning(Slow())
    for number in range(5):
        in_virtual_time(
            hear(Signals(read), Query(f"q{number}"), outcome("a", *(f"결제 {number} {n}" for n in range(8))))
        )
    assert (len(read._vectors), len(read._questions)) == (10, 5)


def test_closing_stops_what_is_read_ahead(in_virtual_time: Callable[[Any], Any]) -> None:
    embedder = Slow(100.0)
    signals = Signals(meaning(embedder))

    async def leave() -> int:
        signals.arrived(KOREAN, outcome("a", "pay"))
        await asyncio.sleep(0)
        await signals.aclose()
        return len(asyncio.all_tasks())

    assert in_virtual_time(leave()) == 1
    assert embedder.closed
    assert embedder.read == []


# ---- reranking


class Judge:
    """Finds the last document the best, after ``pace`` seconds."""

    name = "judge"

    def __init__(self, pace: float = 0.0) -> None:
        self.pace = pace
        self.given: list[tuple[str, ...]] = []
        self.closed = False

    async def judge(self, query: str, documents: Sequence[Any], top_n: int) -> list[RelevanceScore]:
        await asyncio.sleep(self.pace)
        self.given.append(tuple(each.text for each in documents))
        return [RelevanceScore(each.id, (index + 1) / 100, index) for index, each in enumerate(documents)]

    async def aclose(self) -> None:
        self.closed = True


RESULTS = tuple(
    Result(
        Hit("a", f"C1:{number}", Kind.MESSAGE, snippet=f"text {number}", created=datetime(2025, 1, 1, tzinfo=UTC)), ()
    )
    for number in range(40)
)


def test_the_best_thirty_are_judged_by_source_and_id(in_virtual_time: Callable[[Any], Any]) -> None:
    judge = Judge()
    signals = Signals(None, judge, patience=2.0)

    async def ask() -> Any:
        return await signals.hear(ENGLISH, (), everything, asyncio.get_running_loop().time() + 5)

    heard = in_virtual_time(ask())
    assert len(heard.reranked) == 30
    assert heard.reranked["a", "C1:29"] == 0.3
    assert judge.given[0][0] == "text 0"
    assert signals.reserve == 2.0
    in_virtual_time(signals.aclose())
    assert judge.closed


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (KOREAN, "재순위에 실패하여 자체 순서를 따릅니다: no answer within 2 s"),
        (ENGLISH, "reranking failed, the order is our own: no answer within 2 s"),
    ],
)
def test_a_reranker_that_is_late_is_told_of(in_virtual_time: Callable[[Any], Any], query: Query, said: str) -> None:
    signals = Signals(meaning(Slow()), Judge(60.0), patience=2.0)

    async def ask() -> Any:
        until = asyncio.get_running_loop().time() + 5
        arrived = [outcome("a", "pay" if query is KOREAN else "결제")]
        return await signals.hear(query, arrived, what_was_read, until)

    heard = in_virtual_time(ask())
    assert heard.reranked is None
    assert heard.semantic == {("a", "0"): 1.0}
    assert heard.notes == (said,)
