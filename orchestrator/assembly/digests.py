"""Digests over the engine and the database of the local index."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import database_of
from orchestrator.assembly.searching import build_engine, ranking_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime, tzinfo

    from orchestrator.access import Seal
    from orchestrator.digests import Clock, Definitions
    from orchestrator.digests.delivering import Ways
    from orchestrator.digests.service import DigestService
    from orchestrator.engine import Engine
    from orchestrator.settings import Settings
    from storage.database import Database

CONNECTIONS = 8  # to the database
LOOKING = 5.0  # seconds between two looks at whether there is a database


def definitions_of(settings: Settings) -> Definitions:
    """What is defined. Raises :class:`Misconfigured` for a schedule or zone that is none."""
    from orchestrator.digests import SEARCHES, Definitions

    searches = {f"{SEARCHES}{name}": each for name, each in settings.searches.items()}
    definitions = Definitions({**settings.digests, **searches}, settings.scheduled, _zone(settings))
    definitions.check()
    return definitions


def digest_service(settings: Settings, engine: Engine, database: Database, clock: Clock | None = None) -> DigestService:
    """Everything about digests. ``clock`` is the machine's by default."""
    from datetime import UTC, datetime

    from orchestrator.digests import (
        Clock,
        Defining,
        DefinitionCatalogue,
        DefinitionRepository,
        Deliveries,
        RunRepository,
        Runs,
    )
    from orchestrator.digests.service import DigestService

    definition_repository, run_repository = DefinitionRepository(database, _seal(settings)), RunRepository(database)
    catalogue, time = (
        DefinitionCatalogue(definitions_of(settings), definition_repository, _let_in(settings)),
        clock or Clock(lambda: datetime.now(UTC)),
    )
    ranking = ranking_of(settings)
    runs = Runs(catalogue, engine, run_repository, ranking, time)
    deliveries = Deliveries(
        catalogue, run_repository, _ways(settings, theirs=False), _ways(settings, theirs=True), time
    )
    defining = Defining(catalogue, definition_repository, engine, runs, time)
    return DigestService(
        catalogue,
        engine,
        runs,
        deliveries,
        run_repository=run_repository,
        defining=defining,
        ranking=ranking,
        clock=time,
    )


def _ways(settings: Settings, *, theirs: bool) -> Ways:
    """How to deliver. What people defined themselves leads to where pages may be read from, and nowhere else."""
    from orchestrator.digests import ways_of
    from orchestrator.digests.delivery.slack import ToSlack
    from orchestrator.websearch.pages.addresses import AddressPolicy

    bot, web = settings.bot, settings.web
    slack = ("slack", lambda wished: ToSlack(bot.token, bot.base_url, wished))
    reach = AddressPolicy(frozenset(web.ports), web.networks) if theirs else None
    return ways_of(settings.storage.path / "digests", settings.smtp, slack, reach=reach)


def _seal(settings: Settings) -> Seal | None:
    from orchestrator.assembly.accounts import seal_of

    return seal_of(settings) if settings.accounts.secret.get_secret_value() else None


def _let_in(settings: Settings) -> Callable[[str], bool]:
    """Whether somebody may still ask: the holder of a key only while it opens."""
    from datetime import UTC, datetime

    from orchestrator.access import KEY_HOLDER
    from orchestrator.assembly.administration import key_ring

    ring = key_ring(settings)

    def is_let_in(person: str) -> bool:
        if not person.startswith(KEY_HOLDER):
            return True
        key = ring.named(person.removeprefix(KEY_HOLDER))
        return key is not None and bool(key.live(datetime.now(UTC)))

    return is_let_in


@asynccontextmanager
async def open_digests(settings: Settings, now: datetime | None = None) -> AsyncIterator[DigestService]:
    """Digests with an engine of their own, as if it were ``now``. The database is started when first needed."""
    from orchestrator.digests import Clock

    database = database_of(settings, CONNECTIONS)
    try:
        async with build_engine(settings) as engine:
            clock = None if now is None else Clock(lambda: now)
            yield digest_service(settings, engine, database, clock)
    finally:
        await database.aclose()


@asynccontextmanager
async def digests_beside(settings: Settings, engine: Engine) -> AsyncIterator[DigestService]:
    """Digests for a server, over its engine; with ``scheduled.worker`` on, their schedules are run as well."""
    import asyncio

    database = database_of(settings, CONNECTIONS)
    service = digest_service(settings, engine, database)
    working = asyncio.create_task(_work_where_needed(service, database)) if settings.scheduled.worker else None
    try:
        yield service
    finally:
        if working is not None:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
        await database.aclose()


async def _work_where_needed(service: DigestService, database: Database) -> None:
    """Run schedules as soon as there may be any: an embedded database that nobody needs is not started."""
    import asyncio

    while not (service.has_schedules or database.is_made):  # noqa: ASYNC110 - another process may make it
        await asyncio.sleep(LOOKING)
    await service.work()


def _zone(settings: Settings) -> tzinfo:
    from datetime import UTC, datetime

    return settings.locale.timezone or datetime.now(UTC).astimezone().tzinfo or UTC
