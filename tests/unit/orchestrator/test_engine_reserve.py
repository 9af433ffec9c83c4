"""Where many ask at once and answering takes its time, that is kept back of the next questions' time."""

import asyncio
from datetime import UTC, datetime

import pytest

from orchestrator.assembly.searching import build_engine
from orchestrator.gather import Gate, Reserve, Source
from orchestrator.model import Ask, Principal
from orchestrator.reaching import Reaching
from orchestrator.settings import load_settings
from tests.unit.orchestrator.gather.conftest import LIMITS, Pretend

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
BUDGET, CROWD, STEP = 3.0, 12, 0.1


class Busy:
    """Two processes that think, each step of a question for a while."""

    def __init__(self, thinking):
        self.thinking, self.free = thinking, asyncio.Semaphore(2)

    async def run(self, function, *arguments, about=None):
        async with self.free:
            await asyncio.sleep(STEP)
            return await self.thinking.run(function, *arguments, about=about)

    def ahead(self, function, *arguments, about):
        """Others are waited for."""

    async def aclose(self):
        await self.thinking.aclose()


async def crowds(tmp_path):
    """How long the answers took to a dozen questions at once, five times, by a source that never answers."""
    sources = {"linear": {"kind": "linear", "token": "lin_api_example"}}
    settings = {
        "sources": sources,
        "ranking": {"semantic": "off"},
        "search": {"learn_names": False},  # which are kept by threads, that know no virtual time
        "storage": {"data_dir": str(tmp_path)},
    }
    async with build_engine(load_settings(settings, {})) as engine:
        silent = Source(Pretend("linear", {}, delay=1e6), Gate(LIMITS.model_copy(update={"rate": 100_000})))
        engine._reaching = Reaching(engine.profiles, {"linear": silent}, 100.0)
        engine._thinking = Busy(engine._thinking)

        async def took(number):
            return (await engine.search(Ask("Okta rollout", NOW, Principal(f"p{number}"), budget=BUDGET))).took

        return [await asyncio.gather(*(took(number) for number in range(CROWD))) for _ in range(5)]


def test_a_crowd_is_answered_within_its_budget_once_it_is_known_how_long_answers_take(tmp_path, in_virtual_time):
    first, *later = in_virtual_time(crowds(tmp_path))
    assert max(first) > BUDGET, "or this shows nothing"
    assert max(map(max, later)) <= BUDGET + 0.001


def test_what_is_kept_back_is_a_quarter_more_than_the_longest_of_late_and_half_of_the_budget_at_most():
    reserve = Reserve(0.15)
    assert reserve.of(3.0) == 0.15
    for seconds in (0.1, 0.8, 0.2):
        reserve.add(seconds)
    assert reserve.of(3.0) == 1.0
    assert reserve.of(1.0) == 0.5
    for _ in range(32):
        reserve.add(0.1)
    assert reserve.of(3.0) == 0.15
    assert Reserve(2.0).of(3.0) == pytest.approx(2.0), "what is set holds"
