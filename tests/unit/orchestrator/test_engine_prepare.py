"""What a server loads before it is ready stays out of the sight of Python's garbage collector."""

import functools

from orchestrator import engine, process
from orchestrator.assembly.searching import build_engine
from orchestrator.settings import load_settings
from orchestrator.thinking import workers


class Collector:
    """Notes what it is told, as :mod:`gc` would be."""

    def __init__(self):
        self.told = []

    def collect(self):
        self.told.append("collect")

    def freeze(self):
        self.told.append("freeze")

    def set_threshold(self, young):
        self.told.append(young)


async def test_rubbish_goes_first_and_the_rest_is_frozen_once_in_a_process(monkeypatch):
    collector = Collector()
    monkeypatch.setattr(process, "gc", collector)
    monkeypatch.setattr(engine, "_settle", functools.cache(engine._settle.__wrapped__))
    monkeypatch.setattr(workers, "warm", lambda: None)
    async with build_engine(load_settings({"ranking": {"semantic": "off"}}, {})) as built:
        await built.prepare()
        assert collector.told == ["collect", "freeze", "collect", process.YOUNG]
        await built.prepare()
        assert collector.told == ["collect", "freeze", "collect", process.YOUNG]
