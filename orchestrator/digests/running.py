"""Runs of digests and saved searches, and what is done with what they make: previewed, or kept, planned and delivered."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from connectors.errors import Throttled, Unavailable
from orchestrator.digests.alerts import has_changed, told_by
from orchestrator.digests.collecting import PERIODS, Since, collect, principal_of
from orchestrator.digests.content import Alert, Digest
from orchestrator.digests.definitions import short_name
from orchestrator.digests.delivery import kept_destination
from orchestrator.digests.message import as_data, from_data
from orchestrator.digests.run_repository import NewRun, PlannedRun
from orchestrator.digests.schedules import following, next_occasion, zone_name
from orchestrator.model import Ask, Lane, NotReady
from orchestrator.settings.digests import DigestSettings, SearchSettings
from storage.logs import log_of
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from orchestrator.digests.collecting import Asks, Collected
    from orchestrator.digests.definition_repository import DefinitionCatalogue
    from orchestrator.digests.definitions import Definition, Definitions
    from orchestrator.digests.run_repository import RunRepository
    from orchestrator.rank import RankingConfig

AGAIN = 1.0  # seconds: runs are told apart by theirs

log = log_of(__name__)


@record
class Clock:
    """``now``: the aware moment; ``taken_up``: when a job that is due then is to be taken up by the database's clock."""

    now: Callable[[], datetime]
    taken_up: Callable[[datetime], datetime] = lambda moment: moment


class Runs:
    """Makes and keeps runs. Raises only :class:`connectors.errors.SourceError`."""

    def __init__(
        self,
        catalogue: DefinitionCatalogue,
        engine: Asks,
        run_repository: RunRepository,
        ranking: RankingConfig,
        clock: Clock,
    ) -> None:
        self._catalogue = catalogue
        self._engine = engine
        self._run_repository = run_repository
        self._ranking = ranking
        self._clock = clock

    # ---- by hand

    async def preview(self, name: str) -> Digest | Alert:
        """What would be sent now; nothing is kept."""
        definitions = await self._catalogue.knowing(name)
        return (await self._made(definitions, definitions.name_of(name), definitions.find(name)))[0]

    async def now(self, name: str) -> NewRun:
        """A run out of turn; what it tells is not told again when its turn comes."""
        definitions = await self._catalogue.knowing(name)
        name, due = definitions.name_of(name), self._clock.now().astimezone(UTC).replace(microsecond=0)
        wished = definitions.find(name)
        async with self._alone(name):
            run = await self._run(definitions, name, wished, due)
            if not await self._run_repository.keep(run, None):
                raise Throttled("it was run in this very second; wait a moment", AGAIN)
        return run

    # ---- on schedule

    async def plan(self) -> None:
        """See to it that each definition with a schedule has its next run planned, and no other; and each delivery a job."""
        definitions = await self._catalogue.definitions()
        await self._run_repository.reawaken()
        await self._run_repository.unplan([name for name, each in definitions.by_name.items() if each.runs_by_itself])
        for name in definitions.by_name:
            await self._plan_one(definitions, name)

    async def plan_one(self, name: str) -> None:
        """The same for one definition, which may have been changed or taken away just now."""
        definitions = await self._catalogue.knowing(name)
        if name in definitions.by_name and definitions.by_name[name].runs_by_itself:
            await self._plan_one(definitions, name)
        else:
            await self._run_repository.drop_plan(name)

    async def _plan_one(self, definitions: Definitions, name: str) -> None:
        wished = definitions.by_name[name]
        if not wished.runs_by_itself:
            return
        schedule, planned = definitions.schedule_of(wished), await self._run_repository.due(name)
        if planned is None or planned[0] != schedule:
            due = following(wished.schedule, definitions.zone_for(wished), self._clock.now())
        elif await self._run_repository.is_waiting(name, planned[1]):
            return
        else:  # its job failed for good, or went with a database that was restored
            due = planned[1]
        await self._run_repository.plan(name, self._plan(schedule, due))

    async def run(self, *, digest: str, due: str) -> None:
        """One job: the run that is due, unless the plan has changed meanwhile."""
        definitions = await self._catalogue.knowing(digest)
        moment, wished = datetime.fromisoformat(due), definitions.by_name.get(digest)
        planned = await self._run_repository.due(digest)
        if wished is None or not wished.runs_by_itself or planned != (definitions.schedule_of(wished), moment):
            return
        async with self._alone(digest):
            now, zone = self._clock.now(), definitions.zone_for(wished)
            plan = self._plan(definitions.schedule_of(wished), next_occasion(wished.schedule, zone, moment, now))
            late = now - moment
            if wished.misfire == "skip" and late > timedelta(seconds=wished.grace):
                log.warning(
                    "a digest is left out, as it is too late for it", digest=digest, late=round(late.total_seconds())
                )
                await self._run_repository.plan(digest, plan)
                return
            if not await self._run_repository.keep(await self._run(definitions, digest, wished, moment), plan):
                await self._run_repository.plan(digest, plan)

    # ---- one run

    @asynccontextmanager
    async def _alone(self, name: str) -> AsyncIterator[None]:
        """Nobody else makes this digest meanwhile. Raises :class:`storage.jobs.working.Busy`."""
        from storage.jobs.working import Busy

        async with self._run_repository.database.held(f"making/{name}") as mine:
            if not mine:
                raise Busy(f"{name} is being made elsewhere; it comes by itself, or wait a moment")
            yield

    async def _run(self, definitions: Definitions, name: str, wished: Definition, due: datetime) -> NewRun:
        content, collected = await self._made(definitions, name, wished)
        places = (
            [] if _is_silent(content, wished) else [kept_destination(each) for each in dict.fromkeys(wished.deliver)]
        )
        if isinstance(content, Alert) and not content.changed and content.before is not None:
            content = replace(content, now=content.before)  # what was told last is what the next is compared with
        base = NewRun(name, due, wished.person, due, due, as_data(content), places=places)
        if collected is None:
            return base
        digest = collected.digest
        return replace(base, since=digest.since, until=digest.until, marks=collected.marks, events=collected.events)

    async def _made(
        self, definitions: Definitions, name: str, wished: Definition
    ) -> tuple[Digest | Alert, Collected | None]:
        try:
            return await self._content(definitions, name, wished)
        except NotReady as failure:
            raise Unavailable(str(failure)) from None

    async def _content(
        self, definitions: Definitions, name: str, wished: Definition
    ) -> tuple[Digest | Alert, Collected | None]:
        zone, numbers = definitions.zone_for(wished), definitions.numbers
        if isinstance(wished, SearchSettings):
            return await self._asked(definitions, name, wished), None
        since, shown = await self._since(definitions, name, wished), short_name(name)
        collected = await collect(self._engine, shown, wished, since, zone=zone, ranking=self._ranking, numbers=numbers)
        return collected.digest, collected

    async def _since(self, definitions: Definitions, name: str, wished: DigestSettings) -> Since:
        numbers, now = definitions.numbers, self._clock.now()
        until, overlap = now - timedelta(seconds=numbers.settle), timedelta(seconds=numbers.overlap)
        marks = dict(await self._run_repository.marks(name))
        if any(mark > until for mark in marks.values()) and (
            again := await self._run_repository.starting_over(name, until)
        ):
            # The clock was put back: what happened since may lie in a time that counts as read.
            marks = {source: min(mark, again) for source, mark in marks.items()}
        first = until - PERIODS[wished.period]
        oldest = min(marks.values(), default=first) - overlap
        told, began = await self._run_repository.told(name, oldest), await self._run_repository.began(name)
        return Since(first, until, marks, told, overlap, began)

    async def _asked(self, definitions: Definitions, name: str, wished: SearchSettings) -> Alert:
        zone = definitions.zone_for(wished)
        now = self._clock.now().astimezone(zone)
        principal = principal_of(wished)
        ask = Ask(
            wished.question,
            now,
            principal,
            wished.sources,
            budget=min(60.0, definitions.numbers.budget),
            lane=Lane.DIGEST,
        )
        told = told_by(await self._engine.search(ask))
        last = await self._run_repository.latest(name, wished.person)
        known = from_data(last) if last is not None else None
        before = known.now if isinstance(known, Alert) and known.question == wished.question else None
        changed = has_changed(told, before)
        short = short_name(name)
        return Alert(
            short, wished.title, wished.language, zone_name(zone, now), wished.question, now, told, before, changed
        )

    def _plan(self, schedule: str, due: datetime) -> PlannedRun:
        return PlannedRun(schedule, due, self._clock.taken_up(due))


def _is_silent(content: Digest | Alert, wished: Definition) -> bool:
    """Nothing to tell: an answer that is the same, or a quiet digest without news or gaps."""
    if isinstance(content, Alert):
        return not content.changed
    return isinstance(wished, DigestSettings) and wished.quiet and content.is_empty and not content.gaps
