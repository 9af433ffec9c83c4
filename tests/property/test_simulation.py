"""A few hundred worlds of unreliable sources in every test run, and proof that the laws can be broken at all."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from connectors.contract import unheeded
from connectors.http import HttpSource
from orchestrator.gather import asking, fanout, gate
from orchestrator.gather.asking import Asker
from tests.simulation.run import Broken, run, same

WORLDS = 400
CHUNKS = 8


def run_all(seeds):
    """One world after the other."""
    for seed in seeds:
        run(seed)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_whatever_the_sources_do_the_laws_hold(chunk):
    run_all(range(chunk, WORLDS, CHUNKS))


def test_a_world_that_once_broke_a_law():
    """Questions that had waited for their turn with us were taken for a source's silence, and it was suspended."""
    run(37528)


@pytest.mark.parametrize("seed", range(1000, 1020))
def test_the_same_world_tells_the_same_story(seed):
    assert same(run(seed), run(seed)), f"seed {seed}"


def _loose_rate(monkeypatch):
    """The gate lets one more through than the vendor allows."""

    made = gate.Gate.__init__

    def looser(self, limits):
        made(self, limits.model_copy(update={"rate": limits.rate + 1}))

    monkeypatch.setattr(gate.Gate, "__init__", looser)


def _no_deadline(monkeypatch):
    """Whoever hangs is waited for."""
    monkeypatch.setattr(fanout.asyncio, "timeout_at", lambda _: asyncio.timeout(50.0))
    monkeypatch.setattr(fanout.Deadline, "left", property(lambda _: 50.0))


def _shared_memory(monkeypatch):
    """What one person was told is told to all."""
    key = Asker._key

    def shared(self, *asked):
        self._call = replace(self._call, principal="")
        return key(self, *asked)

    monkeypatch.setattr(Asker, "_key", shared)


def _left_running(monkeypatch):
    """What nobody needs any more goes on."""

    async def nothing(tasks):
        pass

    monkeypatch.setattr("orchestrator.gather.climb.let_go", nothing)
    monkeypatch.setattr(asking, "let_go", nothing)


def _impatient(monkeypatch):
    """Pauses are not kept."""

    async def carries_on(self, seconds, bucket=""):
        pass

    monkeypatch.setattr(gate.Gate, "pause", carries_on)


def _unheard(monkeypatch):
    """What one part of a search is refused for is told to nobody, as long as another part answers."""
    each = HttpSource.send_each

    async def untold(self, requests, call, **how):
        return await each(self, requests, replace(call, throttled=unheeded), **how)

    monkeypatch.setattr(HttpSource, "send_each", untold)


def _passed_over(monkeypatch):
    """What was left out, or leaves it open whether there is anything, is not looked at."""
    monkeypatch.setattr("orchestrator.gather.outcomes.Tally.read", lambda self, page: setattr(self, "asked", True))
    monkeypatch.setattr("orchestrator.gather.outcomes.Tally.doubt", lambda *_: None)


@pytest.mark.parametrize(
    ("sabotage", "law"),
    [
        (_passed_over, "said to hold nothing"),
        (_loose_rate, "got more than"),
        (_no_deadline, "s of"),
        (_shared_memory, "was shown what"),
        (_left_running, "outlive"),
        (_impatient, "wanted quiet"),
        (_unheard, "wanted quiet"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_broken_law_is_noticed(monkeypatch, sabotage, law):
    sabotage(monkeypatch)
    with pytest.raises(Broken, match=rf"seed \d+: .*{law}"):
        run_all(range(WORLDS))
