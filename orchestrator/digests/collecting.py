"""One digest from the sources to its content: what is read, of whom, since when. Changes nothing."""

from __future__ import annotations

import asyncio
from dataclasses import field
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from orchestrator.digests.content import About, Coverage
from orchestrator.digests.making import make
from orchestrator.digests.matters import event_of, find_matters
from orchestrator.digests.reader import Reader, ReaderNames
from orchestrator.digests.scanning import Gathers, ScanOptions, ScanWindow, scan
from orchestrator.digests.schedules import zone_name
from orchestrator.model import Ask, Lane, Principal
from orchestrator.plan import called
from translators.query import (
    EVERYTHING,
    Category,
    Compare,
    Container,
    Field,
    Op,
    Person,
    State,
    all_of,
    any_of,
)
from translators.records import record
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, tzinfo

    from connectors.contract import Hit
    from orchestrator.digests.content import Digest
    from orchestrator.digests.matters import ToldEvent
    from orchestrator.digests.scanning import ScanResult
    from orchestrator.model import Answer
    from orchestrator.plan import SourceProfile
    from orchestrator.rank import RankingConfig
    from orchestrator.settings.digests import DefinitionSettings, DigestSettings, Scheduled
    from translators.query import Clause, Query

PERIODS = {"daily": timedelta(days=1), "weekly": timedelta(days=7)}
NOBODY = "local"
NO_MARKS: Mapping[str, datetime] = MappingProxyType({})


class Asks(Gathers, Protocol):
    """What digests need of :class:`orchestrator.engine.Engine`."""

    async def understand(self, ask: Ask) -> Query: ...

    async def profiles_for(self, asker: Principal) -> tuple[SourceProfile, ...]: ...

    async def search(self, ask: Ask) -> Answer: ...


@record
class Since:
    """Where each source was read up to (``marks``; ``first`` where it never was), and what was told of the time before.

    ``overlap``: how much of that time is looked at again, but of nothing before ``began``. ``until``: the end of what is to
    be read.
    """

    first: datetime
    until: datetime
    marks: Mapping[str, datetime] = field(default_factory=lambda: NO_MARKS)
    told: frozenset[ToldEvent] = frozenset()
    overlap: timedelta = timedelta()
    began: datetime | None = None

    def of(self, source: str) -> datetime:
        """From when on a source is to be told of."""
        return min(self.marks.get(source, self.first), self.until)


@record
class Collected:
    """A digest, how far each source was read for it, and every event in it."""

    digest: Digest
    marks: Mapping[str, datetime]
    events: tuple[ToldEvent, ...]


async def collect(
    engine: Asks,
    name: str,
    wished: DigestSettings,
    since: Since,
    *,
    zone: tzinfo,
    ranking: RankingConfig,
    numbers: Scheduled,
) -> Collected:
    """Read every source and make the digest of it."""
    now, principal = since.until.astimezone(zone), principal_of(wished)
    there = await engine.profiles_for(principal)
    named = called(wished.sources, there)
    profiles = [each for each in there if not each.public and (not wished.sources or each.name in named)]
    where = await _where(engine, wished, now, principal)
    reading = ScanOptions(principal, now, wished.language, where, numbers.budget, numbers.hits)
    spans = [_span(each.name, since) for each in profiles if not each.missing]
    found = await scan(engine, reading, spans)
    reader = reader_of(wished, now, profiles)
    work = await _open_work(engine, wished, reading, profiles)
    query = reading.query(EVERYTHING)
    matters = await asyncio.to_thread(find_matters, found, query, now, ranking, lambda event: event not in since.told)
    events = tuple(dict.fromkeys(event for each in matters for hit in each.hits if (event := event_of(hit))))
    coverage = _coverage(profiles, found, since, wished.language)
    start = min((each.since for each in coverage if each.asked), default=since.first)
    about = About(name, wished.title, wished.language, zone_name(zone, now), wished.period, start, since.until)
    digest = await asyncio.to_thread(make, about, matters, work, coverage, reader, mine=wished.mine)
    marks = {each.span.source: max(each.covered, since.of(each.span.source)) for each in found}
    return Collected(digest, marks, events)


def principal_of(wished: DefinitionSettings) -> Principal:
    """With whose rights a digest is read."""
    return Principal(wished.person, wished.name, wished.email)


def reader_of(wished: DigestSettings, now: datetime, profiles: Sequence[SourceProfile]) -> Reader:
    """Whom it is for, by all names that the sources may use."""
    person = wished.person if wished.person != NOBODY and ":" not in wished.person else ""
    called = [each for each in (wished.name, wished.email, person, *wished.aliases) if each]
    titles = {each.name: each.title for each in profiles}
    known = frozenset(each.casefold() for each in called)
    return Reader(ReaderNames(called), known, now.date(), titles, wished.language, wished.ahead)


def _span(source: str, since: Since) -> ScanWindow:
    begin = since.of(source)
    if source in since.marks:
        again = begin - since.overlap
        begin = again if since.began is None else min(begin, max(again, since.began))
    return ScanWindow(source, begin, since.until)


async def _where(engine: Asks, wished: DigestSettings, now: datetime, principal: Principal) -> Clause:
    """What it is limited to. What is asked for in words means what it means in a question."""
    parts: list[Clause] = []
    if wished.about:
        parts.append((await engine.understand(Ask(wished.about, now, principal))).where)
    if wished.places:
        places = (Container(each.lstrip("#")) for each in wished.places)
        parts.append(any_of(Compare(Field.CONTAINER, Op.EQ, each) for each in places))
    return all_of(parts)


async def _open_work(
    engine: Asks, wished: DigestSettings, reading: ScanOptions, profiles: Sequence[SourceProfile]
) -> tuple[Hit, ...]:
    """What the reader has to do, whenever it was written down; a tracker that fails is a gap already."""
    trackers = tuple(each.name for each in profiles if each.category is Category.TRACKER and not each.missing)
    if not trackers or not (wished.name or wished.email):
        return ()
    person = Person(wished.name, email=wished.email or None)
    mine = all_of((Compare(Field.ASSIGNEE, Op.EQ, person), Compare(Field.STATE, Op.EQ, State.OPEN)))
    ask = Ask("digest", reading.now, reading.principal, trackers, reading.hits, reading.budget, Lane.DIGEST)
    _, outcomes = await engine.gather(ask, reading.query(mine), reading.hits)
    return tuple(hit for outcome in outcomes for hit in outcome.hits)


def _coverage(
    profiles: Sequence[SourceProfile], found: Sequence[ScanResult], since: Since, language: str
) -> tuple[Coverage, ...]:
    by_source = {each.span.source: each for each in found}
    made = []
    for profile in profiles:
        begin = since.of(profile.name)
        one = by_source.get(profile.name)
        if one is None:
            missing = said_in(profile.missing, language)
            made.append(Coverage(profile.name, profile.title, begin, begin, since.until, problem=missing, asked=False))
        else:
            covered = max(begin, one.covered)
            again = one.span.since if one.span.since < begin else None
            made.append(
                Coverage(profile.name, profile.title, begin, covered, since.until, problem=one.problem, again=again)
            )
    return tuple(made)
