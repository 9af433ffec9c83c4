"""The local index's work: where it reads from when it takes over a source, and who does it."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from orchestrator.assembly.sources import (
    absent,
    asks_index,
    index_told,
    is_index_to_be_looked_into,
    ledger_key,
    ledger_of,
    missing_of,
    profile_of,
    raw_sources,
    source_settings,
    sources_of,
)
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from connectors.contract import Connector
    from connectors.local.ingest import IngestProgress, IngestReport, PageCrawler, SyncedSource
    from connectors.local.jobs.working import Pull
    from connectors.local.numbers import DocumentRecency
    from connectors.local.settings import LocalSettings
    from connectors.local.store import IndexStore
    from orchestrator.gather import Ledger
    from orchestrator.settings import Settings

SYNC_SECONDS = 600.0  # of one page with the texts of all that is on it, at the vendor's rate


def origin_of(
    settings: Settings, name: str, visible_to: tuple[str, ...], ledger: Ledger
) -> tuple[Connector, SyncedSource]:
    """A configured source as one to keep, at a rate that ``ledger`` counts. Raises :class:`Misconfigured` where it is none, or may not be kept."""
    from connectors.contract import Call
    from connectors.errors import Misconfigured
    from connectors.local.ingest import SyncedSource, check_storable
    from orchestrator.gather import Gate

    raw = dict(raw_sources(settings)).get(name)
    if raw is None:
        why = absent(settings, name) or Said("`fedsearch sources` shows what is configured")
        raise Misconfigured(Said("no source is called {name}; {why}").filled(name=repr(name), why=why))
    kind, options = source_settings(name, raw)
    check_storable(name, kind.manifest)
    if missing := missing_of(kind, options):
        raise Misconfigured(joined(": ", (name, missing)))
    connector: Connector = kind(name, options.read_whole)  # type: ignore[call-arg]
    profile = profile_of(name, kind, options)
    limits = options.described(kind.manifest).limits
    gate = Gate(limits, ledger_key(name, options), ledger)
    call = Call(limit=limits.page, timeout=SYNC_SECONDS, turn=gate.enter, throttled=gate.heed)
    return connector, SyncedSource(connector, profile.translator, profile.can, call, visible_to)


def pull_of(
    settings: Settings, index: IndexStore, on_progress: Callable[[IngestProgress], None] = lambda _: None
) -> Pull:
    """How a worker pulls a configured source into an index."""

    async def pull(source: str, visible_to: tuple[str, ...], *, whole: bool) -> IngestReport:
        from connectors.local.ingest import sync

        async with AsyncExitStack() as opened:
            ledger = ledger_of(settings)
            opened.push_async_callback(ledger.aclose)
            connector, origin = origin_of(settings, source, visible_to, ledger)
            opened.push_async_callback(connector.aclose)
            return await sync(index, origin, whole=whole, on_progress=on_progress)

    return pull


async def pulled(
    settings: Settings,
    name: str,
    visible_to: tuple[str, ...],
    *,
    whole: bool,
    on_progress: Callable[[IngestProgress], None],
) -> IngestReport:
    """A source as a job, done by a worker of this process or whoever takes it first; what came of it.

    Raises :class:`connectors.errors.SourceError`, at once where the source is none or may not be kept.
    """
    from connectors.local.ingest import IngestReport
    from connectors.local.jobs.queue import IndexQueue
    from connectors.local.jobs.working import index_worker
    from connectors.local.store import IndexSettings, open_index
    from orchestrator.gather import ALONE

    connector, _ = origin_of(settings, name, visible_to, ALONE)
    await connector.aclose()
    async with open_index(IndexSettings.model_validate(index_told(settings))) as index:
        queue = IndexQueue(index.database)
        job = await queue.sync(name, visible_to, whole=whole)
        async with index_worker(index, pull_of(settings, index, on_progress)):
            return IngestReport.of((await queue.finished(job)).raised())


async def worked(settings: Settings, *, once: bool) -> int:
    """Do the index's jobs until cancelled, or with ``once`` until none waits; how many parts got their vector."""
    from connectors.local.jobs.working import work_for_index, work_off
    from connectors.local.store import IndexSettings, open_index

    async with open_index(IndexSettings.model_validate(index_told(settings))) as index:
        pull = pull_of(settings, index)
        if once:
            return await work_off(index, pull)
        await work_for_index(index, pull)
        return 0


@asynccontextmanager
async def worker_beside(settings: Settings) -> AsyncIterator[None]:
    """A worker of the local index beside a server, where there is such an index and ``index.worker`` is on."""
    if settings.index.worker and asks_index(settings) and is_index_to_be_looked_into(settings):
        await _look_into(settings)
    if not (settings.index.worker and _has_index(settings)):
        yield
        return
    from connectors.local.jobs.working import index_worker
    from connectors.local.store import IndexSettings, index_from

    index = index_from(IndexSettings.model_validate(index_told(settings)))
    try:
        async with index_worker(index, pull_of(settings, index)):
            yield
    finally:
        await index.aclose()


async def _look_into(settings: Settings) -> None:
    """Find out whether something is in the index; from here on this machine knows."""
    from connectors.errors import SourceError
    from connectors.local.store import IndexSettings, open_index
    from storage.logs import log_of

    try:
        async with open_index(IndexSettings.model_validate(index_told(settings))):
            pass
    except SourceError as failure:
        log_of(__name__).warning("index not looked into", error=failure.message)


def ageing_of(settings: Settings) -> Mapping[str, DocumentRecency]:
    """The table by which documents age in each index that is asked; as shipped where there is none."""
    from connectors.local.numbers import default_numbers

    told = {name: options.numbers.recency for name, options in _indexes(settings)}
    return told or {"local": default_numbers().recency}


def _has_index(settings: Settings) -> bool:
    return any(True for _ in _indexes(settings))


def _indexes(settings: Settings) -> Iterator[tuple[str, LocalSettings]]:
    from connectors.local.settings import LocalSettings

    for name, _, options in sources_of(settings):
        if isinstance(options, LocalSettings) and options.enabled:
            yield name, options


@asynccontextmanager
async def page_reader(settings: Settings) -> AsyncIterator[PageCrawler]:
    """What reads single pages of the web for the index: as for people, from public addresses, where robots may go."""
    from connectors.local.ingest import CrawledPage
    from connectors.local.ingest.decoding import moment_of
    from connectors.local.ingest.drafts import Reason, Skip
    from orchestrator.assembly.web import page_fetcher, tiers_of
    from orchestrator.websearch import PageUnread, Refusal, TierJudge
    from orchestrator.websearch.urls import compared_url

    reasons = {
        Refusal.ADDRESS: Reason.UNSAFE,
        Refusal.TYPE: Reason.WRONG_TYPE,
        Refusal.SIZE: Reason.TOO_BIG,
        Refusal.TIMEOUT: Reason.TOO_SLOW,
        Refusal.EMPTY: Reason.EMPTY,
    }
    fetcher = page_fetcher(settings, TierJudge(tiers_of(settings)))

    async def read(url: str) -> CrawledPage:
        try:
            page = await fetcher.whole(url)
        except PageUnread as failure:
            reason = Reason.BROKEN if failure.gone else reasons.get(failure.refusal, Reason.UNREADABLE)
            raise Skip(reason, failure.message) from None
        return CrawledPage(
            compared_url(page.url), page.url, page.title, page.text, moment_of(page.published), page.description
        )

    try:
        yield read
    finally:
        await fetcher.aclose()
