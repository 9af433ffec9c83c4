"""Pulls what a source lets others keep into the index: from the last run on, by the date of the last change."""

from __future__ import annotations

from dataclasses import field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from connectors.errors import Misconfigured
from connectors.local.documents import known_as
from connectors.local.ingest.ledger import IngestLedger
from connectors.local.ingest.making import document_of
from connectors.local.ingest.report import IngestProgress, IngestReport
from connectors.passages import DocumentSection
from translators.query import EVERYTHING, Compare, Field, Op, Query, Sort
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from connectors.contract import Call, Connector, Hit
    from connectors.local.documents import Document
    from connectors.local.store import IndexStore
    from connectors.manifest import Manifest
    from translators.capabilities import Capabilities
    from translators.query import Person
    from translators.translator import Translator


@record
class SyncedSource:
    """A source that is kept: how it is asked, and who may see what it returns.

    ``people``: by their native id, as its directory names them.
    """

    connector: Connector
    translator: Translator
    can: Capabilities
    call: Call
    visible_to: tuple[str, ...]
    people: Mapping[str, Person] = field(default_factory=dict)


def check_storable(name: str, manifest: Manifest) -> None:
    """Raises :class:`Misconfigured` where a source's results are not to be kept."""
    if not manifest.may_store:
        why = manifest.storing or "its vendor's terms have not been found to allow it"
        raise Misconfigured(f"{name} ({manifest.title}) is searched where it is and not stored: {why}")


async def sync(
    index: IndexStore,
    origin: SyncedSource,
    *,
    whole: bool = False,
    on_progress: Callable[[IngestProgress], None] = lambda _: None,
) -> IngestReport:
    """Bring the index to what a source shows. ``whole``: from the beginning, and what it no longer shows is removed.

    A change is seen, a deletion only by ``whole``: sources say when something changed, and not what is gone. The
    cursor moves when all has been read, so that whoever is stopped before reads it again. Raises
    :class:`connectors.errors.SourceError`.
    """
    name = origin.connector.name
    check_storable(name, origin.connector.manifest)
    ledger = IngestLedger(index.database)
    async with ledger.alone(name):
        if not await ledger.begin(name, f"source {name}", {"visible_to": list(origin.visible_to)}):
            raise Misconfigured(
                f"{name} is the name of a folder in the index; `fedsearch index remove {name}`, or rename it"
            )
        since = None if whole else _moment(await index.cursor(name))
        directory = await origin.connector.directory(origin.call)
        origin = replace(origin, people={each.native_id: each for each in reversed(directory.people) if each.native_id})
        report = await _pulled(index, origin, since, on_progress)
        await ledger.finish(name)
        return report


async def _pulled(
    index: IndexStore, origin: SyncedSource, since: datetime | None, on_progress: Callable[[IngestProgress], None]
) -> IngestReport:
    """Everything since a moment; without one all there is, and what is no more is removed."""
    name = origin.connector.name
    report = IngestReport(name)
    query = _query(since)
    native = origin.translator.translate(query, origin.can).native
    ordered = Sort.NEWEST in origin.can.sorts
    seen: set[str] = set()
    newest, cursor = since, None
    while True:
        page = await origin.connector.search(native, replace(origin.call, cursor=cursor))
        hits = [hit for hit in page.hits if since is None or hit.updated is None or hit.updated >= since]
        written = await index.upsert([_document(hit, origin) for hit in hits])
        report.added += written.added
        report.changed += written.changed + written.renamed
        report.unchanged += written.unchanged
        report.files = report.read = report.files + len(hits)
        seen.update(known_as(hit.id) for hit in page.hits)
        newest = max((each for each in (newest, *(hit.updated for hit in hits)) if each is not None), default=None)
        on_progress(IngestProgress(report.read, report.files, "", report.read))
        cursor = page.cursor
        if cursor is None or (ordered and page.hits and not hits):
            break
    if since is None:
        gone = [each for each in await index.contents(name) if each not in seen]
        report.removed = report.gone = await index.delete(name, gone) if gone else 0
    if newest is not None:
        await index.set_cursor(name, newest.isoformat())
    return report


def _query(since: datetime | None) -> Query:
    where = EVERYTHING if since is None else Compare(Field.UPDATED, Op.GE, since)
    return Query("", where, sort=Sort.NEWEST)


def _moment(cursor: str | None) -> datetime | None:
    return datetime.fromisoformat(cursor) if cursor else None


def _document(hit: Hit, origin: SyncedSource) -> Document:
    sections = (DocumentSection(hit.snippet or hit.title),)
    told = replace(hit, author=_named(hit.author, origin.people), assignee=_named(hit.assignee, origin.people))
    return document_of(origin.connector.name, hit.id, told, sections, origin.visible_to)


def _named(who: Person | None, people: Mapping[str, Person]) -> Person | None:
    """Somebody of whom a hit knows the id alone, as the directory names that id."""
    known = people.get(who.native_id or "") if who is not None and not who.name else None
    return known or who
