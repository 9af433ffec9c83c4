"""Pretend sources in virtual time: each waits, then answers, fails or hangs as a test says."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import ClassVar

import pytest

from connectors.contract import Health, Hit, HitPage, SourceDirectory
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from orchestrator.gather import Asking, Care, Deadline, Gate, PageCache, Source, fan_out
from orchestrator.model import Lane, Plan, Principal, Rung, Step
from translators.query import Category, Kind, Query
from translators.translator import NativeQuery, Translation

LIMITS = Limits(rate=100, period=60.0, page=100)


def manifest(limits=LIMITS):
    return Manifest(
        name="pretend",
        title="Pretend",
        category=Category.CHAT,
        dialect="plain",
        kinds=(Kind.MESSAGE,),
        default_url="http://127.0.0.1",
        limits=limits,
        auth=Auth(help="none needed"),
    )


class Pretend:
    """Answers each query text from ``replies``: a page, a list of pages, or an exception, after ``delay`` seconds."""

    settings_type: ClassVar[type[SourceSettings]] = SourceSettings

    def __init__(self, name, replies, delay=0.2, limits=LIMITS, *, stubborn=False):
        self.name = name
        self.manifest = manifest(limits)
        self.replies = replies
        self.delay = delay
        self.stubborn = stubborn
        self.calls = []
        self.cancelled = False
        self.listed = 0

    async def search(self, native, call):
        if not getattr(self.replies.get(native.text), "asked", True):  # it knows by itself that there is nothing to ask
            return self.replies[native.text]
        await call.turn()
        self.calls.append((native.text, call))
        try:
            await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.cancelled = True
            if self.stubborn:
                await asyncio.sleep(1000)
            raise
        reply = self.replies[native.text]
        if isinstance(reply, list):
            reply = reply[int(call.cursor or 0)]
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def prepare(self):
        pass

    async def directory(self, call):
        await call.turn()
        self.listed += 1
        await asyncio.sleep(self.delay)
        if isinstance(self.replies.get("directory"), Exception):
            raise self.replies["directory"]
        return self.replies.get("directory", SourceDirectory())

    async def probe(self, call):
        return Health(ok=True)

    async def aclose(self):
        pass


def page(*ids, cursor=None, notes=(), text=""):
    hits = tuple(Hit("pretend", each, Kind.MESSAGE, title=each, snippet=text, complete=True) for each in ids)
    return HitPage(hits, cursor, notes=notes)


def found(*texts):
    """A page whose hits say in their text what they are found by."""
    bare = page(*texts)
    return replace(bare, hits=tuple(replace(hit, snippet=hit.id) for hit in bare.hits))


def rung(*texts, dropped=(), residual=None):
    return Rung(tuple(Translation(NativeQuery("plain", text), residual) for text in texts), dropped)


def plan_of(*steps):
    return Plan(Query("q"), tuple(steps))


def step(source, *rungs, limit=20):
    ladder = tuple(replace(each, height=height) for height, each in enumerate(rungs or (rung("q"),)))
    return Step(source, source.title(), Category.CHAT, ladder, limit=limit)


class Kit:
    """What tests build with."""

    Pretend = Pretend
    page = staticmethod(page)
    found = staticmethod(found)
    rung = staticmethod(rung)
    step = staticmethod(step)
    plan_of = staticmethod(plan_of)
    Limits = Limits

    @staticmethod
    def asking(enough=3, *, ttl=0.0, ahead=0, hedge=False, lane=Lane.INTERACTIVE):
        """How sources are asked; nothing remembered and nothing sent in advance, unless a test wants it."""
        return Asking(Principal("kim"), Care(PageCache(ttl), ahead, hedge), enough, lane)

    @staticmethod
    def sources(*connectors):
        return {each.name: Source(each, Gate(each.manifest.limits)) for each in connectors}


async def gather(plan, sources, budget=3.0, enough=3, asking=None):
    """All outcomes with the virtual second each arrived at."""
    asking = asking or Asking(Principal("kim"), Care(PageCache(0.0), 0, hedge=False), enough)
    loop = asyncio.get_running_loop()
    arrived = {}
    deadline = Deadline.of(budget, 0.15, 0.1)
    async with aclosing(fan_out(plan, sources, deadline, asking)) as outcomes:
        async for outcome in outcomes:
            assert outcome.source not in arrived
            arrived[outcome.source] = (round(loop.time(), 2), outcome)
    await asyncio.sleep(0)
    return arrived, [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


@pytest.fixture
def kit():
    return Kit
