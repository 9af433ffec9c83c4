"""Runs of digests and saved searches, and what is done with what they make: previewed, or kept, planned and delivered."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from connectors.errors import Misconfigured, Unavailable
from orchestrator.digests.alerts import has_changed, told_by
from orchestrator.digests.collecting import PERIODS, Since, collect, principal_of
from orchestrator.digests.content import Alert, Digest
from orchestrator.digests.delivery import place_of
from orchestrator.digests.keeping import Plan, Run
from orchestrator.digests.message import as_data, from_data
from orchestrator.digests.occasions import check_cron, following, next_occasion
from orchestrator.digests.zones import zone_name, zone_of
from orchestrator.model import Ask, Lane
from orchestrator.settings.digests import DigestSettings, SearchSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import tzinfo

    from orchestrator.digests.collecting import Asks, Collected
    from orchestrator.digests.keeping import Keeping
    from orchestrator.rank import RankingConfig
    from orchestrator.settings.digests import Planned, Scheduled

log = structlog.get_logger()

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SEARCHES = "search/"  # what begins so is a saved search, wherever both stand by name
Definition = DigestSettings | SearchSettings


@dataclass(frozen=True, slots=True)
class Book:
    """Every definition by name, those of saved searches with ``search/`` before it; ``zone`` for those without their own."""

    definitions: Mapping[str, Definition]
    numbers: Scheduled
    zone: tzinfo

    def zone_for(self, wished: Planned) -> tzinfo:
        """The zone of a definition. Raises :class:`Misconfigured`."""
        return zone_of(wished.zone) if wished.zone else self.zone

    def find(self, name: str) -> Definition:
        """Raises :class:`Misconfigured` where there is none of that name."""
        found = self.definitions.get(name) or self.definitions.get(f"{SEARCHES}{name}")
        if found is None:
            known = ", ".join(sorted(self.definitions)) or "none"
            raise Misconfigured(
                f"no digest is called {name!r}; there are: {known}; see docs/how-to/schedule-a-digest.md"
            )
        return found

    def name_of(self, name: str) -> str:
        """In full, with what it is before it."""
        return name if name in self.definitions else f"{SEARCHES}{name}"

    def owned(self, name: str, person: str) -> Definition | None:
        """A definition of this person's, if it is: it is read with their rights, and is nobody else's."""
        wished = self.definitions.get(self.name_of(name))
        return wished if wished is not None and wished.person == person else None

    def check(self) -> None:
        """Raises :class:`Misconfigured` for a schedule or a zone that is none."""
        for name, wished in self.definitions.items():
            if wished.schedule:
                check_cron(wished.schedule, f"{name}.schedule")
                if not wished.zone and getattr(self.zone, "key", None) is None:
                    raise Misconfigured(
                        f"{name} has a schedule but no time zone: set its zone, or locale.zone, to one like Asia/Seoul"
                    )
            self.zone_for(wished)


@dataclass(frozen=True, slots=True)
class Clock:
    """``now``: the aware moment; ``taken_up``: when a job that is due then is to be taken up by the database's clock."""

    now: Callable[[], datetime]
    taken_up: Callable[[datetime], datetime] = lambda moment: moment


class Runs:
    """Makes and keeps runs. Raises only :class:`connectors.errors.SourceError`."""

    def __init__(self, book: Book, engine: Asks, keeping: Keeping, ranking: RankingConfig, clock: Clock) -> None:
        self._book = book
        self._engine = engine
        self._keeping = keeping
        self._ranking = ranking
        self._clock = clock

    # ---- by hand

    async def preview(self, name: str) -> Digest | Alert:
        """What would be sent now; nothing is kept."""
        return (await self._made(self._book.name_of(name), self._book.find(name)))[0]

    async def now(self, name: str) -> Run:
        """A run out of turn; what it tells is not told again when its turn comes."""
        name, due = self._book.name_of(name), self._clock.now().astimezone(UTC).replace(microsecond=0)
        wished = self._book.find(name)
        async with self._alone(name):
            run = await self._run(name, wished, due)
            if not await self._keeping.keep(run, None):
                raise Unavailable("it was run in this very second; wait a moment")
        return run

    # ---- on schedule

    async def plan(self) -> None:
        """See to it that each definition with a schedule has its next run planned, and no other; and each delivery a job."""
        await self._keeping.reawaken()
        await self._keeping.unplan([name for name, each in self._book.definitions.items() if each.schedule])
        for name, wished in self._book.definitions.items():
            if not wished.schedule:
                continue
            schedule, planned = self._schedule(wished), await self._keeping.due(name)
            if planned is None or planned[0] != schedule:
                due = following(wished.schedule, self._book.zone_for(wished), self._clock.now())
            elif await self._keeping.is_waiting(name, planned[1]):
                continue
            else:  # its job failed for good, or went with a database that was restored
                due = planned[1]
            await self._keeping.plan(name, self._plan(schedule, due))

    async def run(self, *, digest: str, due: str) -> None:
        """One job: the run that is due, unless the plan has changed meanwhile."""
        moment, wished = datetime.fromisoformat(due), self._book.definitions.get(digest)
        planned = await self._keeping.due(digest)
        if wished is None or not wished.schedule or planned is None or planned != (self._schedule(wished), moment):
            return
        async with self._alone(digest):
            now, zone = self._clock.now(), self._book.zone_for(wished)
            plan = self._plan(self._schedule(wished), next_occasion(wished.schedule, zone, moment, now))
            late = now - moment
            if wished.misfire == "skip" and late > timedelta(seconds=wished.grace):
                log.warning(
                    "a digest is left out, as it is too late for it", digest=digest, late=round(late.total_seconds())
                )
                await self._keeping.plan(digest, plan)
                return
            if not await self._keeping.keep(await self._run(digest, wished, moment), plan):
                await self._keeping.plan(digest, plan)

    # ---- one run

    @asynccontextmanager
    async def _alone(self, name: str) -> AsyncIterator[None]:
        """Nobody else makes this digest meanwhile. Raises :class:`connectors.local.jobs.working.Busy`."""
        from connectors.local.jobs.working import Busy

        async with self._keeping.database.held(f"making/{name}") as mine:
            if not mine:
                raise Busy(f"{name} is being made elsewhere; it comes by itself, or wait a moment")
            yield

    async def _run(self, name: str, wished: Definition, due: datetime) -> Run:
        content, collected = await self._made(name, wished)
        places = [] if _is_silent(content, wished) else [place_of(each) for each in dict.fromkeys(wished.deliver)]
        if isinstance(content, Alert) and not content.changed and content.before is not None:
            content = replace(content, now=content.before)  # what was told last is what the next is compared with
        base = Run(name, due, wished.person, due, due, as_data(content), places=places)
        if collected is None:
            return base
        digest = collected.digest
        return replace(base, since=digest.since, until=digest.until, marks=collected.marks, events=collected.events)

    async def _made(self, name: str, wished: Definition) -> tuple[Digest | Alert, Collected | None]:
        if isinstance(wished, SearchSettings):
            return await self._asked(name, wished), None
        zone, numbers = self._book.zone_for(wished), self._book.numbers
        since = await self._since(name, wished)
        collected = await collect(self._engine, name, wished, since, zone=zone, ranking=self._ranking, numbers=numbers)
        return collected.digest, collected

    async def _since(self, name: str, wished: DigestSettings) -> Since:
        numbers, now = self._book.numbers, self._clock.now()
        until, overlap = now - timedelta(seconds=numbers.settle), timedelta(seconds=numbers.overlap)
        marks = dict(await self._keeping.marks(name))
        if any(mark > until for mark in marks.values()) and (again := await self._keeping.starting_over(name, until)):
            # The clock was put back: what happened since may lie in a time that counts as read.
            marks = {source: min(mark, again) for source, mark in marks.items()}
        first = until - PERIODS[wished.period]
        oldest = min(marks.values(), default=first) - overlap
        told, began = await self._keeping.told(name, oldest), await self._keeping.began(name)
        return Since(first, until, marks, told, overlap, began)

    async def _asked(self, name: str, wished: SearchSettings) -> Alert:
        zone = self._book.zone_for(wished)
        now = self._clock.now().astimezone(zone)
        principal = principal_of(wished)
        ask = Ask(
            wished.question,
            now,
            principal,
            wished.sources,
            budget=min(60.0, self._book.numbers.budget),
            lane=Lane.DIGEST,
        )
        told = told_by(await self._engine.search(ask))
        last = await self._keeping.latest(name, wished.person)
        known = from_data(last) if last is not None else None
        before = known.now if isinstance(known, Alert) and known.question == wished.question else None
        changed = has_changed(told, before)
        short = name.removeprefix(SEARCHES)
        return Alert(
            short, wished.title, wished.language, zone_name(zone, now), wished.question, now, told, before, changed
        )

    def _plan(self, schedule: str, due: datetime) -> Plan:
        return Plan(schedule, due, self._clock.taken_up(due))

    def _schedule(self, wished: Planned) -> str:
        return f"{wished.schedule} {wished.zone or zone_name(self._book.zone, EPOCH)}"


def _is_silent(content: Digest | Alert, wished: Definition) -> bool:
    """Nothing to tell: an answer that is the same, or a quiet digest without news or gaps."""
    if isinstance(content, Alert):
        return not content.changed
    return isinstance(wished, DigestSettings) and wished.quiet and content.is_empty and not content.gaps
