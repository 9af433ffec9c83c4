"""Brings the index to what lies in a folder or file: what is new or changed is read, what is gone is removed.

A file is done when its documents are safe in the database and it is written down how it was; whoever is killed before
reads it again, and finds its documents there. Nothing is twice, since a document is named by where it lies.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from connectors.errors import Misconfigured
from connectors.local.documents import digest
from connectors.local.ingest.decoding import moment_of
from connectors.local.ingest.drafts import DEFAULT_LIMITS, DocumentDraft, IngestLimits, Reason, Skip
from connectors.local.ingest.ledger import Collection, IngestLedger, Stamp
from connectors.local.ingest.making import document_of, kept_id, spelled
from connectors.local.ingest.opening import BETWEEN, Opener
from connectors.local.ingest.pages import add_pages
from connectors.local.ingest.report import MOST_SKIPPED, IngestProgress, IngestReport, SkippedFile
from connectors.local.ingest.walking import FoundFile, Walk
from connectors.local.ingest.worker import IngestWorkers
from connectors.passages import LONGEST, OVERLAP
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime
    from pathlib import Path

    from connectors.local.documents import Document
    from connectors.local.ingest.pages import GivenPages, PageCrawler
    from connectors.local.store import IndexStore

TOGETHER = 400  # documents in one transaction
HELD = 200  # documents of one file that are made at a time
READERS = 2  # files that are read at a time
VERSION = 6  # of how files are read and cut; a change reads everything again
SETTLED = 2_000_000_000  # nanoseconds after which a change shows in a file's time, on the coarsest of file systems
KEEPING = frozenset({Reason.UNREADABLE, Reason.TOO_SLOW})  # may pass, so what was read before stays


@record
class Given:
    """What is added, and as what: see :class:`connectors.local.documents.Document` for the last three."""

    path: Path
    name: str
    visible_to: tuple[str, ...]
    description: str = ""
    examples: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def digest(self) -> bytes:
        """Changes when documents have to be made anew though their files are the same."""
        return digest([VERSION, LONGEST, OVERLAP, list(self.visible_to), self.description, list(self.examples)])


class Ingest:
    """Collections of one index. Raises only :class:`connectors.errors.SourceError`."""

    def __init__(self, index: IndexStore, limits: IngestLimits = DEFAULT_LIMITS) -> None:
        self.index = index
        self.ledger = IngestLedger(index.database)
        self._limits = limits

    async def add(self, given: Given, on_progress: Callable[[IngestProgress], None] = lambda _: None) -> IngestReport:
        """Bring the index to what lies at a path; the name is its for ever.

        Raises :class:`Misconfigured`, and :class:`Unavailable` where another process is at the same collection.
        """
        place = given.path.resolve()
        told = {key: value for key, value in asdict(given).items() if key not in {"path", "name"}}
        if not place.exists():
            raise Misconfigured(f"{given.path} is not there; nothing was changed")
        async with self.ledger.alone(given.name):
            if not await self.ledger.begin(given.name, str(place), told):
                raise Misconfigured(f"{given.name} is another place's name already; choose one with --name")
            with IngestWorkers(READERS, self._limits) as workers:
                run = _Run(self.index, self.ledger, given, Opener(workers, self._limits), on_progress)
                return await run.whole()

    async def add_pages(
        self, given: GivenPages, read: PageCrawler, on_progress: Callable[[IngestProgress], None] = lambda _: None
    ) -> IngestReport:
        """Add single pages of the web, read by whoever is handed in. Raises :class:`Misconfigured`."""
        async with self.ledger.alone(given.name):
            return await add_pages(self.index, self.ledger, given, read, on_progress)

    async def collections(self) -> list[Collection]:
        """What has been added."""
        return await self.ledger.collections()

    async def remove(self, name: str) -> int | None:
        """Remove a collection and its documents; how many there were, ``None`` where there is no such collection."""
        async with self.ledger.alone(name):
            count = await self.index.delete_source(name)
            return count if await self.ledger.remove(name) or count else None


@dataclass(slots=True)
class _Reading:
    """A file that is being read: the digest of its bytes, what came out of it so far."""

    found: FoundFile
    content: bytes = b""
    drafts: Iterator[DocumentDraft] | None = None
    ids: set[str] = field(default_factory=set)
    skipped: list[SkippedFile] = field(default_factory=list)

    def told(self, name: str, skip: Skip) -> None:
        """A member is left out, or a part of one; without a name the file itself has lost a part."""
        if len(self.skipped) < MOST_SKIPPED:
            path = spelled(f"{self.found.name}{BETWEEN}{name}") if name else self.found.key
            self.skipped.append(SkippedFile(path, skip.reason, skip.detail))


class _Run:
    """One run over one collection."""

    def __init__(
        self,
        index: IndexStore,
        ledger: IngestLedger,
        given: Given,
        opener: Opener,
        on_progress: Callable[[IngestProgress], None],
    ) -> None:
        self._index, self._ledger, self._given, self._opener = index, ledger, given, opener
        self._walk = Walk(given.path.resolve(), given.ignored)
        self._on_progress = on_progress
        self._report = IngestReport(given.name)
        self._documents: list[Document] = []
        self._done: list[tuple[Stamp, set[str]]] = []
        self._writing = asyncio.Lock()
        self._stamps: dict[str, Stamp] = {}
        self._there: dict[str, set[str]] = {}

    async def whole(self) -> IngestReport:
        report = self._report
        self._stamps = await self._ledger.stamps(self._given.name)
        self._there = await self._ledger.documents(self._given.name)
        try:
            files = await asyncio.to_thread(lambda: list(self._walk.files()))
        except OSError as failure:
            raise Misconfigured(
                f"{self._given.path} cannot be read ({failure.strerror}); nothing was changed"
            ) from None
        if not files and self._stamps:
            raise Misconfigured(
                f"{self._given.path} is empty, and was not before; is it mounted? "
                f"`fedsearch index remove {self._given.name}` takes it out of the index"
            )
        report.files = len(files)
        report.skipped += (SkippedFile(name, skip.reason, skip.detail) for name, skip in self._walk.skipped)
        waiting = iter(files)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(READERS):
                    group.create_task(self._files(waiting))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        await self._flush()
        await self._remove_gone({each.key for each in files})
        await self._ledger.finish(self._given.name)
        report.skipped.sort(key=lambda each: each.path)
        return report

    async def _files(self, waiting: Iterator[FoundFile]) -> None:
        for found in waiting:
            await self._file(found)
            report = self._report
            done = report.same + report.read + report.left_out
            self._on_progress(
                IngestProgress(done, report.files, found.name, report.added + report.changed + report.unchanged)
            )

    async def _file(self, found: FoundFile) -> None:
        before = self._stamps.get(found.key)
        started = time.time_ns()
        known = before if before is not None and before.given == self._given.digest else None
        if known is not None and known.trusted and (known.size, known.modified) == (found.size, found.modified):
            self._same(known)
            return
        reading = _Reading(found)
        try:
            if not await self._read(reading, known):
                assert known is not None
                ids = set(self._there.get(found.key, ()))
                self._done.append((self._stamp(reading, started, known.skipped), ids))
                self._same(known)
                return
        except Skip as skip:
            reading.skipped.append(SkippedFile(found.key, skip.reason, skip.detail))
            if skip.reason in KEEPING:
                reading.ids |= self._there.get(found.key, set())
                reading.content = b""  # so that it is tried again
        if _is_left_out(found.key, reading.ids, reading.skipped):
            self._report.left_out += 1
        else:
            self._report.read += 1
        self._report.skipped += reading.skipped
        self._done.append((self._stamp(reading, started, tuple(reading.skipped)), reading.ids))
        if len(self._done) >= TOGETHER:
            await self._flush()

    async def _read(self, reading: _Reading, known: Stamp | None) -> bool:
        """Whether a file is other than it was; if so, all of it is read. Raises :class:`Skip`."""
        while (some := await asyncio.to_thread(self._made, reading, known)) is not None:
            reading.ids.update(each.id for each in some)
            self._documents += some
            if len(self._documents) >= TOGETHER:
                await self._flush()
            if len(some) < HELD:
                return True
        return False

    def _made(self, reading: _Reading, known: Stamp | None) -> list[Document] | None:
        """The next documents of a file, in a thread; none where it is as it was."""
        if reading.drafts is None:
            reading.content = reading.found.digest(self._opener.limits)
            if known is not None and known.digest == reading.content:
                return None
            reading.drafts = self._opener.drafts(reading.found, reading.told)
        drafts = list(islice(reading.drafts, HELD))
        for draft in drafts:
            if draft.lost:
                reading.told(draft.key, Skip(Reason.PARTLY, draft.lost))
        return [self._document(reading.found, draft) for draft in drafts]

    def _document(self, found: FoundFile, draft: DocumentDraft) -> Document:
        given = self._given
        readers = given.visible_to
        if draft.readers is not None:
            readers = (*draft.readers, *(each for each in given.visible_to if each.startswith("user:")))
        # A member has the date that its archive gives it, or none: when the archive was saved says nothing of it.
        updated = draft.updated or (None if draft.created or draft.key else _moment(found))
        facts = {**draft.facts, "file": found.key}
        return document_of(
            given.name,
            kept_id(f"{found.name}{BETWEEN}{draft.key}" if draft.key else found.name),
            replace(draft, updated=updated, facts=facts),
            draft.sections,
            readers,
            description=given.description,
            examples=given.examples,
        )

    def _stamp(self, reading: _Reading, started: int, skipped: tuple[SkippedFile, ...]) -> Stamp:
        found, content = reading.found, reading.content
        trusted = bool(content) and started - found.modified > SETTLED
        return Stamp(found.key, found.size, found.modified, trusted, content, self._given.digest, skipped)

    def _same(self, known: Stamp) -> None:
        if _is_left_out(known.path, self._there.get(known.path, set()), known.skipped):
            self._report.left_out += 1
        else:
            self._report.same += 1
        self._report.skipped += known.skipped

    async def _flush(self) -> None:
        """Put what waits into the database, then write down the files that are done with it."""
        async with self._writing:
            documents, self._documents = self._documents, []
            done, self._done = self._done, []
            report = self._report
            if documents:
                written = await self._index.upsert(documents)
                report.added += written.added
                report.changed += written.changed + written.renamed
                report.unchanged += written.unchanged
            gone = [each for stamp, ids in done for each in self._there.get(stamp.path, set()) - ids]
            if gone:
                report.removed += await self._index.delete(self._given.name, gone)
            if done:
                await self._ledger.put(self._given.name, [stamp for stamp, _ in done])

    async def _remove_gone(self, names: set[str]) -> None:
        known = {*self._stamps, *self._there} - names
        gone = [each for each in known if not self._walk.is_unseen(each)]
        ids = [each for name in gone for each in self._there.get(name, ())]
        if ids:
            self._report.removed += await self._index.delete(self._given.name, ids)
        if gone:
            self._report.gone = len(gone)
            await self._ledger.forget(self._given.name, gone)


def _is_left_out(key: str, ids: AbstractSet[str], skipped: Sequence[SkippedFile]) -> bool:
    """Whether a file itself was skipped, or all that is in it."""
    return any(each.path == key and each.reason != Reason.PARTLY for each in skipped) or (bool(skipped) and not ids)


def _moment(found: FoundFile) -> datetime | None:
    return moment_of(found.modified / 1e9)
