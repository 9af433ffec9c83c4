"""What the surfaces use of digests: look, run, list, work on schedule.

How definitions stand, and what they say, as JSON; nothing in it is a secret.
"""

from __future__ import annotations

import asyncio
from datetime import (
    date,
    datetime,
    time,
    timedelta,
)
from typing import TYPE_CHECKING, Any

from connectors.errors import SourceError
from orchestrator.digests.collecting import (
    PERIODS,
    Since,
    collect,
    principal_of,
)
from orchestrator.digests.definitions import defined_by, shown_name
from orchestrator.digests.delivery import kept_destination
from orchestrator.digests.run_repository import DELIVER, RUN
from orchestrator.digests.wording import say
from orchestrator.model import Ask, BadAsk
from orchestrator.settings.digests import SearchSettings
from storage.logs import log_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.digests.collecting import Asks
    from orchestrator.digests.content import Digest
    from orchestrator.digests.defining import Defining
    from orchestrator.digests.definition_repository import DefinitionCatalogue
    from orchestrator.digests.definitions import DefinedBy, Definition
    from orchestrator.digests.delivering import Deliveries
    from orchestrator.digests.run_repository import Outgoing, RunRepository, StoredRun
    from orchestrator.digests.running import Clock, Runs
    from orchestrator.rank import RankingConfig
    from orchestrator.settings.digests import DigestSettings
    from storage.jobs.working import Duties, Pace


def standing_document(standing: DefinitionStatus) -> dict[str, Any]:
    """One definition; addresses as people may see them."""
    wished, last = standing.wished, standing.last
    return {
        "name": shown_name(standing.name),
        "origin": standing.origin,
        "person": wished.person,
        "kind": "search" if isinstance(wished, SearchSettings) else "digest",
        "title": wished.title,
        "schedule": wished.schedule,
        "zone": wished.zone,
        "paused": wished.paused,
        "due": _moment(standing.due),
        "last": None if last is None else {name: _moment(getattr(last, name)) for name in ("made", "since", "until")},
        "waiting": [outgoing_document(each) for each in standing.waiting],
        "dead": [outgoing_document(each) for each in standing.dead],
    }


def definition_document(standing: DefinitionStatus) -> dict[str, Any]:
    """What a definition says; of a webhook's address its host only, and of its secret whether there is one."""
    wished = standing.wished
    said = wished.model_dump(mode="json", exclude={"deliver", "secret"})
    places = [kept_destination(each).shown for each in wished.deliver]
    return {**standing_document(standing), "settings": {**said, "deliver": places, "signed": wished.secret is not None}}


def outgoing_document(out: Outgoing) -> dict[str, Any]:
    """One delivery."""
    return {
        "status": out.status,
        "key": out.key,
        "due": _moment(out.due),
        "place": out.place,
        "attempts": out.attempts,
        "problem": out.problem,
        "changed": _moment(out.changed),
    }


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None


PLANNING = 60.0  # seconds between two looks at whether everything is planned
FORGETTING = 1440  # such looks between two at what is old
STATUSES = ("waiting", "sent", "dead")

log = log_of(__name__)
NO_TIME = Said("{words} names no time that has begun; write one such as yesterday, last Monday, 지난주, 2026-11-16")


@record
class DefinitionStatus:
    """How a definition stands: what it is, when it runs next and ran last, what of it has not been delivered.

    ``name`` in full.
    """

    name: str
    origin: DefinedBy
    wished: Definition
    due: datetime | None
    last: StoredRun | None
    waiting: tuple[Outgoing, ...]
    dead: tuple[Outgoing, ...]


class DigestService:
    """Digests as a surface sees them."""

    def __init__(
        self, catalogue: DefinitionCatalogue, engine: Asks, runs: Runs, deliveries: Deliveries, *, run_repository: RunRepository,
        defining: Defining, ranking: RankingConfig, clock: Clock,
    ) -> None:  # fmt: skip
        self.catalogue = catalogue
        self.defining = defining
        self.runs = runs
        self.deliveries = deliveries
        self.run_repository = run_repository
        self._engine = engine
        self._ranking = ranking
        self._clock = clock

    @property
    def has_schedules(self) -> bool:
        """Whether the settings have any; those of people are known to the database alone."""
        return any(each.runs_by_itself for each in self.catalogue.fixed.by_name.values())

    @property
    def is_used(self) -> bool:
        """Whether there may be any definition; no database is started to find out."""
        return bool(self.catalogue.fixed.by_name) or self.run_repository.database.is_made

    @property
    def duties(self) -> Duties:
        """The kinds of job of digests, for a worker."""
        from storage.jobs.working import Duty

        return {RUN: Duty(self.runs.run, RUN), DELIVER: Duty(self.deliveries.deliver, DELIVER)}

    async def since(self, words: str, wished: DigestSettings, name: str) -> Digest:
        """A digest from the time on that ``words`` name, in either language. Keeps nothing. Raises :class:`BadAsk`."""
        zone = self.catalogue.fixed.zone_for(wished)
        now = self._clock.now().astimezone(zone)
        span = Since(await self._first(words, now, wished), now)
        numbers = self.catalogue.fixed.numbers
        if not wished.title and not _is_about(now - span.first, PERIODS[wished.period]):
            wished = wished.model_copy(update={"title": f"{say(wished.language, 'spanning')}: {name}"})
        made = await collect(self._engine, name, wished, span, zone=zone, ranking=self._ranking, numbers=numbers)
        return made.digest

    async def standings(self, people: Sequence[str] | None = None) -> tuple[DefinitionStatus, ...]:
        """Every definition (of these ``people``), in the order of their names."""
        definitions = await self.catalogue.definitions(people)
        return tuple(
            [
                await self._standing(name, wished)
                for name, wished in sorted(definitions.by_name.items())
                if people is None or wished.person in people
            ]
        )

    async def standing(self, name: str) -> DefinitionStatus:
        """One definition by its full name. Raises :class:`Misconfigured` where there is none."""
        return await self._standing(name, (await self.catalogue.knowing(name)).find(name))

    async def _standing(self, name: str, wished: Definition) -> DefinitionStatus:
        planned = await self.run_repository.due(name)
        last = await self.run_repository.runs([name], [wished.person], 1)
        out = await self.run_repository.outbox([name], ["waiting", "dead"], people=[wished.person])
        waiting, dead = (tuple(each for each in out if each.status == status) for status in ("waiting", "dead"))
        due = planned[1] if planned else None
        return DefinitionStatus(name, defined_by(name), wished, due, last[0] if last else None, waiting, dead)

    async def deliver(self, name: str, due: datetime) -> tuple[Outgoing, ...]:
        """Deliver a run here and now, unless a worker does already; how each delivery stands then."""
        for each in await self.run_repository.outbox([name], ["waiting"], 1000):
            if each.due == due:
                async with self.run_repository.database.held(f"outbox/{each.key}") as mine:
                    if mine:
                        await self.deliveries.deliver(key=each.key)
        return tuple(each for each in await self.run_repository.outbox([name], STATUSES, 1000) if each.due == due)

    async def work(self, pace: Pace | None = None) -> None:
        """Run what is due and deliver what waits, until cancelled."""
        from storage.jobs.working import DEFAULT_PACE, working

        async with working(self.run_repository.database, self.duties, pace or DEFAULT_PACE):
            await self._keep_planned()

    async def _keep_planned(self) -> None:
        looks = 0
        while True:
            try:
                await self.runs.plan()
                if looks % FORGETTING == 0:
                    await self.run_repository.forget(
                        self._clock.now() - timedelta(days=self.catalogue.fixed.numbers.keep)
                    )
            except SourceError as failure:
                log.warning("digests cannot be planned", reason=failure.message)
            looks += 1
            await asyncio.sleep(PLANNING)

    async def _first(self, words: str, now: datetime, wished: DigestSettings) -> datetime:
        """The moment at which the time that words name begins."""
        said = words.strip()
        if (moment := _written(said, now)) is not None and moment < now:
            return moment
        for question in (said, f"after:{said}", f"since {said}", f"{said}부터"):
            window = (await self._engine.understand(Ask(question, now, principal_of(wished)))).window
            if window is not None and window.start is not None and (first := _midnight(window.start, now)) < now:
                return first
        raise BadAsk(NO_TIME.filled(words=repr(words)))


def _written(said: str, now: datetime) -> datetime | None:
    """A moment that is written out as such."""
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _is_about(span: timedelta, period: timedelta) -> bool:
    """Whether a time is as long as what it is called by: "yesterday" begins up to two days ago."""
    return period / 2 < span < 2 * period


def _midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time(), now.tzinfo)
