"""Digests over the engine and the database of the local index."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import index_told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime, tzinfo

    from connectors.local.store import IndexStore
    from orchestrator.digests import Book, Clock
    from orchestrator.digests.desk import Desk, Office
    from orchestrator.engine import Engine
    from orchestrator.settings import Settings


def book_of(settings: Settings) -> Book:
    """What is defined. Raises :class:`Misconfigured` for a schedule or zone that is none."""
    from orchestrator.digests import SEARCHES, Book

    searches = {f"{SEARCHES}{name}": each for name, each in settings.searches.items()}
    book = Book({**settings.digests, **searches}, settings.scheduled, _zone(settings))
    book.check()
    return book


def store_of(settings: Settings) -> IndexStore:
    """The index's database without its models; nothing is started yet."""
    from connectors.embedding import EmbedderSettings
    from connectors.local.store import IndexSettings, index_from
    from connectors.reranking import RerankerSettings

    told = {
        **index_told(settings),
        "embedder": EmbedderSettings(model="none"),
        "reranker": RerankerSettings(model="none"),
    }
    return index_from(IndexSettings.model_validate(told))


def desk_of(settings: Settings, engine: Engine, store: IndexStore, clock: Clock | None = None) -> Desk:
    """Everything about digests. ``clock`` is the machine's by default."""
    from datetime import UTC, datetime

    from orchestrator.digests import Clock, Deliveries, Keeping, Runs, ways_of
    from orchestrator.digests.delivery.slack import ToSlack
    from orchestrator.digests.desk import Desk
    from orchestrator.packaged import config_dir
    from orchestrator.rank import RankingConfig

    book, keeping = book_of(settings), Keeping(store.database)
    time = clock or Clock(lambda: datetime.now(UTC))
    ranking = RankingConfig.load(config_dir() / "ranking.toml")
    bot = settings.bot
    slack = ("slack", lambda wished: ToSlack(bot.token, bot.base_url, wished))
    ways = ways_of(settings.storage.path / "digests", settings.smtp, slack)
    runs = Runs(book, engine, keeping, ranking, time)
    deliveries = Deliveries(book, keeping, ways, time)
    return Desk(book, engine, runs, deliveries, keeping=keeping, ranking=ranking, clock=time)


@asynccontextmanager
async def open_digests(settings: Settings, now: datetime | None = None) -> AsyncIterator[Office]:
    """Digests with an engine of their own, as if it were ``now``. The database is started when first needed."""
    from orchestrator.digests import Clock
    from orchestrator.digests.desk import Office

    store = store_of(settings)
    try:
        async with build_engine(settings) as engine:
            clock = None if now is None else Clock(lambda: now)
            yield Office(desk_of(settings, engine, store, clock), store)
    finally:
        await store.aclose()


@asynccontextmanager
async def digests_beside(settings: Settings, engine: Engine) -> AsyncIterator[Desk]:
    """Digests for a server, over its engine."""
    store = store_of(settings)
    try:
        yield desk_of(settings, engine, store)
    finally:
        await store.aclose()


def _zone(settings: Settings) -> tzinfo:
    from datetime import UTC, datetime

    return settings.locale.timezone or datetime.now(UTC).astimezone().tzinfo or UTC
