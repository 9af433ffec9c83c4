"""One file as drafts: a document is one, a mailbox or an export many; archives within archives are opened as far as allowed."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, cast

from connectors.local.ingest.archive import Archive, Budget
from connectors.local.ingest.decoding import text_of
from connectors.local.ingest.drafts import Reason, Skip
from connectors.local.ingest.jira_export import is_jira_csv, read_jira_csv, read_jira_json
from connectors.local.ingest.mailboxes import read_mbox, read_message
from connectors.local.ingest.notion_export import as_page, is_double
from connectors.local.ingest.reading import APART, READ
from connectors.local.ingest.slack_export import is_slack_export, read_slack_export
from connectors.local.ingest.worker import attempted
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from typing import BinaryIO

    from connectors.local.ingest.drafts import DocumentDraft, IngestLimits
    from connectors.local.ingest.walking import FoundFile
    from connectors.local.ingest.worker import IngestWorkers

    OnSkipped = Callable[[str, Skip], None]

ZIP, MBOX, MAIL, JSON, CSV = ".zip", (".mbox", ".mbx"), (".eml",), ".json", ".csv"
FROM_LINE = b"From "  # RFC 4155
HELD = 32 << 20  # bytes of an archive within an archive that stay in memory
BETWEEN = "!/"


@record
class Opener:
    """Opens files. ``skipped`` is told what within a file is left out; what is raised is about the whole file."""

    workers: IngestWorkers
    limits: IngestLimits

    def drafts(self, found: FoundFile, skipped: OnSkipped) -> Iterator[DocumentDraft]:
        """The drafts of a file, keyed by their place in it. Raises :class:`Skip`."""
        ending = PurePosixPath(found.name).suffix.lower()
        try:
            if found.is_mail or ending in MAIL:
                yield _keyless(read_message(self._whole(found), found.name))
            elif ending == ZIP:
                yield from self._archive(found.path, Budget(self.limits, self._container(found)), skipped, 1)
            elif ending in MBOX or (not ending and _starts(found.path, FROM_LINE)):
                self._container(found)
                yield from read_mbox(found.path, skipped)
            elif ending in READ or ending == JSON:
                yield from self._file(found.name, self._whole(found))
            else:
                raise _unread(ending)
        except OSError as failure:
            raise Skip(Reason.UNREADABLE, f"it cannot be read ({failure.strerror or failure})") from None

    def _file(self, name: str, raw: bytes) -> Iterator[DocumentDraft]:
        ending = PurePosixPath(name).suffix.lower()
        if ending == JSON:
            yield from read_jira_json(raw)
            return
        if ending == CSV and is_jira_csv(text := text_of(raw)):
            yield from read_jira_csv(text)
            return
        read = self.workers.read(name, raw) if ending in APART else attempted(name, raw, self.limits)
        if isinstance(read, Skip):
            raise read
        yield as_page(read, name)

    def _archive(
        self, file: Path | BinaryIO, budget: Budget, skipped: OnSkipped, depth: int
    ) -> Iterator[DocumentDraft]:
        archive = Archive(file, budget)
        try:
            names = set(archive.members)
            if is_slack_export(names):
                yield from read_slack_export(archive, skipped)
                return
            for name in archive.names(skipped):
                if is_double(name, names):
                    continue
                try:
                    for draft in self._member(archive, name, skipped, depth):
                        yield _under(name, draft, archive.modified(name))
                except Skip as skip:
                    skipped(name, skip)
                    if budget.left < 0:
                        return
        finally:
            archive.close()

    def _member(self, archive: Archive, name: str, skipped: OnSkipped, depth: int) -> Iterator[DocumentDraft]:
        ending = PurePosixPath(name).suffix.lower()

        def within(inner: str, skip: Skip) -> None:
            skipped(f"{name}{BETWEEN}{inner}", skip)

        if ending == ZIP:
            if depth >= self.limits.depth:
                raise Skip(Reason.UNSAFE, f"archives are nested more than {self.limits.depth} deep")
            with tempfile.SpooledTemporaryFile(HELD) as file:
                for piece in archive.pieces(name, self.limits.container):
                    file.write(piece)
                file.seek(0)
                yield from self._archive(cast("BinaryIO", file), archive.budget, within, depth + 1)
        elif ending in MBOX:
            with tempfile.NamedTemporaryFile(suffix=ending) as box:
                for piece in archive.pieces(name, self.limits.container):
                    box.write(piece)
                box.flush()
                yield from read_mbox(Path(box.name), within)
        elif ending in MAIL:
            yield _keyless(read_message(archive.read(name, self.limits.document), name))
        elif ending in READ or ending == JSON:
            yield from self._file(name, archive.read(name, self.limits.document))
        else:
            raise _unread(ending)

    def _whole(self, found: FoundFile) -> bytes:
        if found.size > self.limits.document:
            raise _too_big(found.size, self.limits.document)
        return found.path.read_bytes()

    def _container(self, found: FoundFile) -> int:
        if found.size > self.limits.container:
            raise _too_big(found.size, self.limits.container)
        return found.size


def _unread(ending: str) -> Skip:
    return Skip(Reason.WRONG_TYPE, f"{ending} files are not read" if ending else "files without an ending are not read")


def _too_big(size: int, most: int) -> Skip:
    return Skip(Reason.TOO_BIG, f"it has {size >> 20:,} MB; {most >> 20:,} MB are read at most; split it")


def _keyless(draft: DocumentDraft) -> DocumentDraft:
    return replace(draft, key="")


def _under(name: str, draft: DocumentDraft, modified: datetime | None) -> DocumentDraft:
    """A draft of a member. Its own date counts before that of the member, which is when it was exported at worst."""
    key = f"{name}{BETWEEN}{draft.key}" if draft.key else name
    return replace(draft, key=key, updated=draft.updated or (None if draft.created else modified))


def _starts(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark
