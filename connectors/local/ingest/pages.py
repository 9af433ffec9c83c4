"""Single pages of the web in the index. Who reads them is handed in: reading what strangers publish is not ours."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

from connectors.errors import Misconfigured
from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.local.ingest.ledger import Stamp
from connectors.local.ingest.making import document_of, kept_id
from connectors.local.ingest.purpose import described
from connectors.local.ingest.report import IngestProgress, IngestReport, SkippedFile
from connectors.passages import DocumentSection
from translators.query import Kind
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from connectors.local.ingest.ledger import IngestLedger
    from connectors.local.store import IndexStore

PLACE = "pages of the web"


@record
class CrawledPage:
    """A page as it was read. ``key`` is its address without what does not count, ``url`` where it was in the end."""

    key: str
    url: str
    title: str
    text: str
    published: datetime | None = None
    description: str = ""


class PageCrawler(Protocol):
    """Reads a page. Raises :class:`Skip`; with :attr:`Reason.BROKEN` where its site says that it is gone."""

    async def __call__(self, url: str) -> CrawledPage: ...


@record
class GivenPages:
    """Which pages are added, and as what: see :class:`connectors.local.documents.Document` for the last two."""

    name: str
    urls: tuple[str, ...]
    visible_to: tuple[str, ...]
    description: str = ""
    examples: tuple[str, ...] = ()


async def add_pages(
    index: IndexStore,
    ledger: IngestLedger,
    given: GivenPages,
    read: PageCrawler,
    on_progress: Callable[[IngestProgress], None],
) -> IngestReport:
    """Add pages to a collection or bring them up to date; its other pages stay as they are. Raises :class:`Misconfigured`.

    A page that cannot be read stays as it was read before; one that is gone is removed.
    """
    told = {"visible_to": list(given.visible_to), "description": given.description, "examples": list(given.examples)}
    if not await ledger.begin(given.name, PLACE, told):
        raise Misconfigured(f"{given.name} is another place's name already; choose one with --name")
    there = await ledger.documents(given.name)
    report = IngestReport(given.name, files=len(given.urls))
    for url in given.urls:
        try:
            page = await read(url)
        except Skip as skip:
            report.left_out += 1
            report.skipped.append(SkippedFile(url, skip.reason, skip.detail))
            if skip.reason == Reason.BROKEN:
                gone = sorted(there.get(url, ()))
                report.removed += await index.delete(given.name, gone)
                report.gone += bool(gone)
                await ledger.forget(given.name, [url])
        else:
            await _put(index, given, url, page, report)
            content = hashlib.blake2b(page.text.encode(), digest_size=16).digest()
            await ledger.put(given.name, [Stamp(url, len(page.text), 0, trusted=False, digest=content, given=b"")])
        on_progress(IngestProgress(report.read + report.left_out, report.files, url, report.read))
    if there or report.read:
        await ledger.finish(given.name)
    else:
        await ledger.remove(given.name)  # of what was never read no empty collection is listed
    return report


async def _put(index: IndexStore, given: GivenPages, url: str, page: CrawledPage, report: IngestReport) -> None:
    draft = DocumentDraft(
        page.title or page.url,
        (DocumentSection(page.text),),
        kind=Kind.WEB_PAGE,
        url=page.url,
        updated=page.published,
        description=described(page.description),
        facts={"file": url},
    )
    document = document_of(
        given.name,
        kept_id(page.key),
        draft,
        draft.sections,
        given.visible_to,
        description=given.description,
        examples=given.examples,
    )
    written = await index.upsert([document])
    report.read += 1
    report.added += written.added
    report.changed += written.changed + written.renamed
    report.unchanged += written.unchanged
