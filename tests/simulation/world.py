"""A world of unreliable sources in virtual time, made from a seed: what each does, who asks what and when, who leaves."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from connectors.contract import Call, Health, Hit, HitPage, LeftOut
from connectors.errors import BadReply, SourceError, Unavailable
from connectors.http import HttpRequest, HttpSource, Page, Reply, reply_from_text
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from orchestrator.model import Lane, Plan, Rung, Step
from translators.query import Category, Kind, Query
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Sequence

# What a source may do with a request, and how often a sick one does it.
MANNERS = {
    "answer": 6, "empty": 2, "duplicates": 1, "reordered": 1, "slow": 2, "drip": 1, "hang": 2, "reset": 2, "short": 1,
    "html": 1, "truncated": 1, "throttle": 2, "throttle untold": 1, "500": 2, "503": 2, "401": 1, "bug": 1,
}  # fmt: skip
KNOWING = 0.7  # of the sources
SHARE = 0.85  # of the time: what a source that takes several searches waits for all of them
EPSILON = 1e-6  # seconds that sums of floats may be off
LOST_CONNECTION = {"reset": "connection reset", "short": "the reply ended before its Content-Length"}


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it reached a source."""

    at: float
    principal: str
    bucket: str = ""


@dataclass(slots=True)
class Nature:
    """What one source is like: well or sick, how quick, what it holds, what the vendor allows."""

    name: str
    healthy: bool
    latency: float
    hits: int
    rung: int  # the first rung that finds anything
    limits: Limits
    recovers_at: float
    rng: random.Random
    by_asker: bool = True  # whether it knows who asks, and shows each what they may see
    parts: tuple[str, ...] = ()  # its searches, each with a limit of its own, where one question takes several
    seen: list[Seen] = field(default_factory=list)
    # From when until when each of its limits is to be left alone.
    quiet: dict[str, tuple[float, float]] = field(default_factory=dict)
    disturbed: int = 0

    def manner(self, now: float) -> str:
        """What it does with a request that comes now."""
        if self.healthy or now >= self.recovers_at:
            return "answer"
        return self.rng.choices(list(MANNERS), list(MANNERS.values()))[0]


class Wire:
    """The transport to one source: bytes as they would come over a socket, in virtual time."""

    def __init__(self, nature: Nature) -> None:
        self._nature = nature

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """One exchange."""
        nature, now = self._nature, asyncio.get_running_loop().time()
        nature.seen.append(Seen(now, call.principal, request.bucket))
        begun, ends = nature.quiet.get(request.bucket, (0.0, 0.0))
        nature.disturbed += begun < now < ends
        manner = nature.manner(now)
        await asyncio.sleep(self._pause(manner))
        if manner in LOST_CONNECTION:
            raise Unavailable(LOST_CONNECTION[manner])
        if manner == "bug":
            raise RuntimeError("a connector's bug with a secret in it: planted-secret")
        return reply_from_text(*self._bytes(manner, request))

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """The sources of this world need no second requests."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """Nothing is open."""

    def _pause(self, manner: str) -> float:
        match manner:
            case "hang":
                return 1e6
            case "slow":
                return self._nature.latency * self._nature.rng.uniform(3, 20)
            case "drip":
                return 60.0
            case _:
                return self._nature.latency

    def _bytes(self, manner: str, request: HttpRequest) -> tuple[int, bytes, dict[str, str]]:
        good = json.dumps({"items": self._items(manner, request)}).encode()
        match manner:
            case "html":
                return 200, b"<!doctype html><title>Sign in</title>", {"Content-Type": "text/html"}
            case "truncated":
                return 200, good[: len(good) // 2], {}
            case "throttle":
                wait = round(self._nature.rng.uniform(0.1, 20), 1)
                now = asyncio.get_running_loop().time()
                _, ends = self._nature.quiet.get(request.bucket, (0.0, 0.0))
                self._nature.quiet[request.bucket] = (now, max(now + wait - EPSILON, ends))
                return 429, b"", {"Retry-After": str(wait)}
            case "throttle untold":
                return 429, b"", {}
            case "500" | "503" | "401":
                return int(manner), b'{"error": "no"}', {}
            case _:
                return 200, good, {}

    def _items(self, manner: str, request: HttpRequest) -> list[str]:
        nature = self._nature
        rung = int(str(request.params["rung"]))
        count = 0 if manner == "empty" or rung < nature.rung else nature.hits
        items = [f"{nature.name}-{number}" for number in range(count)]
        if manner == "duplicates":
            items += items
        if manner == "reordered":
            nature.rng.shuffle(items)
        return items


class Simulated(HttpSource):
    """A source with everything that HttpSource does for real ones, on such a wire."""

    manifest: ClassVar[Manifest]
    settings_type = SourceSettings

    def __init__(self, nature: Nature) -> None:
        self.manifest = Manifest(  # type: ignore[misc] — each has limits of its own
            name="simulated",
            title="Simulated",
            category=Category.CHAT,
            dialect="simulated",
            kinds=(Kind.MESSAGE,),
            default_url="https://simulated.example",
            limits=nature.limits,
            by_asker=nature.by_asker,
            auth=Auth(help="none", kinds=("none",)),
        )
        super().__init__(nature.name, SourceSettings(kind="simulated"))
        self._parts = nature.parts
        self._transport = Wire(nature)

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A rung is all there is to ask for."""
        return HttpRequest("GET", "search", {"rung": native.text, "limit": str(page.limit)})

    def parse(self, reply: Reply) -> HitPage:
        """Hits by their ids."""
        if not isinstance(reply.data, dict):
            raise BadReply("no items")
        return HitPage(tuple(Hit("", each, Kind.MESSAGE, title=each, complete=True) for each in reply.data["items"]))

    async def probe(self, call: Call) -> Health:
        """Nobody asks."""
        raise NotImplementedError


class SimulatedParts(Simulated):
    """One that takes several searches for a question; what one of them refuses is left out while another answers."""

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """All parts at once."""
        whole = self.request(native, Page(call.limit))
        requests = [replace(whole, bucket=part) for part in self._parts]
        outcomes = await self.send_each(requests, call, within=call.timeout * SHARE)
        failures = [each for each in outcomes if isinstance(each, SourceError)]
        if len(failures) == len(outcomes):
            raise failures[0]
        pages = [self.parse(each) for each in outcomes if isinstance(each, Reply)]
        hits = {hit.id: hit for page in pages for hit in page.hits}
        ranked = (hit.placed(self.name, rank) for rank, hit in enumerate(hits.values(), 1))
        left_out = tuple(
            LeftOut.by(each, Said.given({"en": "left out: {why}", "ko": "제외함: {why}"}).filled(why=each.message))
            for each in failures
        )
        return HitPage(tuple(ranked)[: call.limit], left_out=left_out)


@dataclass(frozen=True, slots=True)
class Question:
    """Somebody asks: when, for how long they wait, in which lane, and when they leave without waiting for the end."""

    at: float
    budget: float
    principal: str
    lane: Lane
    leaves_after: float | None
    plan: Plan


@dataclass(frozen=True, slots=True)
class World:
    """All of it."""

    seed: int
    natures: dict[str, Nature]
    questions: tuple[Question, ...]
    ahead: int
    hedge: bool
    ttl: float


def make_world(seed: int) -> World:
    """The same seed, the same world."""
    rng = random.Random(seed)
    natures = {name: _nature(name, rng) for name in (f"s{number}" for number in range(rng.randint(1, 6)))}
    rungs = rng.randint(1, 4)
    questions = tuple(_question(rng, natures, rungs) for _ in range(rng.randint(1, 10)))
    return World(
        seed,
        natures,
        tuple(sorted(questions, key=lambda question: question.at)),
        ahead=rng.choice((0, 1, 2, 3)),
        hedge=rng.random() < 0.5,
        ttl=rng.choice((0.0, 5.0, 60.0)),
    )


def _nature(name: str, rng: random.Random) -> Nature:
    period = rng.choice((1.0, 10.0, 60.0))
    limits = Limits(rate=rng.choice((3, 10, 100)), period=period, page=rng.choice((5, 20)))
    return Nature(
        name,
        healthy=rng.random() < 0.5,
        latency=rng.uniform(0.01, 0.8),
        hits=rng.randint(0, 30),
        rung=rng.choice((0, 0, 0, 1, 2)),
        limits=limits,
        recovers_at=rng.choice((1e9, rng.uniform(0, 60))),
        parts=rng.choice(((), (), ("one", "two"))),
        rng=(own := random.Random(rng.random())),
        by_asker=own.random() < KNOWING,
    )


def _question(rng: random.Random, natures: dict[str, Nature], rungs: int) -> Question:
    asked = rng.sample(sorted(natures), rng.randint(1, len(natures)))
    words = rng.choice(("", "x", "y"))
    steps = tuple(
        Step(name, name.title(), Category.CHAT, tuple(_rung(words, height) for height in range(rungs)), limit=20)
        for name in sorted(asked)
    )
    leaves = rng.uniform(0, 2) if rng.random() < 0.15 else None
    return Question(
        at=round(rng.choice((0.0, rng.uniform(0, 40))), 2),
        budget=rng.choice((0.3, 1.0, 3.0, 5.0)),
        principal=rng.choice(("kim", "lee")),
        lane=rng.choice(list(Lane)),
        leaves_after=leaves,
        plan=Plan(Query(words), steps),
    )


def _rung(words: str, height: int) -> Rung:
    native = NativeQuery("simulated", str(height), {"words": words} if words else {})
    return Rung((Translation(native),), ("less",) * height, height)
