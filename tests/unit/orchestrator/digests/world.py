"""A workplace in memory whose events are known to the second: sources that filter time exactly, by days, or not at all."""

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from connectors.contract import Health, Hit, HitPage, SourceDirectory
from connectors.errors import Throttled, Unavailable
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from orchestrator.engine import Engine
from orchestrator.gather import Breaker, Gate, Source
from orchestrator.packaged import config_dir
from orchestrator.plan import SourceProfile
from orchestrator.rank import RankingConfig
from orchestrator.settings import load_settings
from orchestrator.understand import load_lexicon
from translators.capabilities import Capabilities, Fidelity
from translators.query import Category, Compare, Field, Kind, Op, Person, Sort, conjuncts
from translators.translator import NativeQuery, Translation

START = datetime(2026, 3, 1, tzinfo=UTC)
RANKING = RankingConfig.load(config_dir() / "ranking.toml")


class Dated:
    """A dialect that says from when until when, and leaves the rest to us. ``by``: how exactly it can."""

    name: ClassVar[str] = "dated"

    def __init__(self, by):
        fidelity = {"second": Fidelity.EXACT, "day": Fidelity.WIDER, "nothing": Fidelity.NONE}[by]
        self.by = by
        self.can = Capabilities(fields={Field.TIME: fidelity}, sorts=frozenset(Sort))

    def translate(self, query, can):
        args = {}
        for part in conjuncts(query.where):
            if isinstance(part, Compare) and part.field is Field.TIME and self.by != "nothing":
                moment = part.value.astimezone(UTC)
                if self.by == "day":
                    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
                    moment = midnight + timedelta(days=part.op is Op.LT)
                args["since" if part.op is Op.GE else "until"] = moment.isoformat()
        return Translation(NativeQuery(self.name, "", args), query.where)


@dataclass
class Diary:
    """A source over ``events``. ``trouble``: what happens instead of an answer, asked before each request."""

    name: str
    events: list[Hit]
    by: str = "second"
    newest_first: bool = True
    page: int = 5
    trouble: object = lambda: None
    asked: int = 0
    settings_type: ClassVar[type[SourceSettings]] = SourceSettings
    manifest: Manifest = field(init=False)

    def __post_init__(self):
        self.manifest = Manifest(
            name="diary", title=self.name.title(), category=Category.CHAT, dialect="dated", kinds=(Kind.MESSAGE,),
            default_url="http://127.0.0.1", limits=Limits(rate=10**6, period=1.0, page=self.page),
            auth=Auth(help="none needed"),
        )  # fmt: skip

    async def search(self, native, call):
        await call.turn()
        self.asked += 1
        if (failure := self.trouble()) is not None:
            raise failure
        since, until = (
            datetime.fromisoformat(native.args[n]) if n in native.args else None for n in ("since", "until")
        )
        found = [
            hit for hit in self.events
            if (since is None or hit.created >= since) and (until is None or hit.created < until)
        ]  # fmt: skip
        if self.newest_first:
            found.sort(key=lambda hit: hit.created, reverse=True)
        first = int(call.cursor or 0)
        last = first + min(call.limit, self.page)
        return HitPage(tuple(found[first:last]), str(last) if last < len(found) else None)

    async def prepare(self): ...

    async def directory(self, call):
        return SourceDirectory()

    async def probe(self, call):
        return Health(ok=True)

    async def aclose(self): ...


def event(source, number, when, text=None, **more):
    """Something said; each about something else."""
    words = text or f"{source} note {number} {random.Random(f'{source}{number}').randbytes(6).hex()}"
    place = {"author": Person("Ann Lee"), **more}
    return Hit(
        source, str(number), Kind.MESSAGE, "", f"https://{source}.example/{number}", words, True, created=when, **place
    )


def events_of(source, seed, days=30, most=200):
    """Some things at random moments, now and then several in one second."""
    rng = random.Random(f"{source}{seed}")
    moments = [START + timedelta(seconds=rng.randrange(days * 86400)) for _ in range(rng.randrange(1, most))]
    moments += [rng.choice(moments) for _ in range(len(moments) // 10)]
    return [event(source, number, when) for number, when in enumerate(moments)]


def troubled(rng, share):
    """Refuses, or is away, in a ``share`` of requests."""

    def trouble():
        if rng.random() >= share:
            return None
        return rng.choice((Throttled("slow down", 120.0), Unavailable("away")))

    return trouble


def engine_over(*diaries):
    """A real engine; a new one is what a process that has just started has."""
    settings = load_settings({"ranking": {"semantic": "off"}, "cache": {"results": 0}}, {})
    profiles = [
        SourceProfile(each.name, each.manifest.title, Category.CHAT, (dialect := Dated(each.by)), dialect.can)
        for each in diaries
    ]
    sources = {each.name: Source(each, Gate(each.manifest.limits, each.name), Breaker(each.name)) for each in diaries}
    return Engine(settings, profiles, sources, load_lexicon(), RANKING)
