"""One file's bytes as a draft, by the kind of file that it is."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from connectors.local.ingest.decoding import rows_of, sections_of, text_of
from connectors.local.ingest.drafts import DEFAULT_LIMITS, DocumentDraft, IngestLimits, Reason, Skip
from connectors.local.ingest.purpose import opening_of

if TYPE_CHECKING:
    from collections.abc import Callable

MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
TEXT = frozenset({".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org", ".log", ".srt", ".vtt"})
HTML = frozenset({".html", ".htm", ".xhtml"})
TABLES = frozenset({".csv", ".tsv"})
OFFICE = frozenset({".docx", ".pptx", ".xlsx", ".hwpx"})
PDF, HWP = ".pdf", ".hwp"
READ = MARKDOWN | TEXT | HTML | TABLES | OFFICE | {PDF, HWP}
# Written by others in formats that have cost every parser dear: read in a process that can be stopped.
APART = HTML | OFFICE | {PDF, HWP}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # what a password makes of an Office file: [MS-OFFCRYPTO] 2.3
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_document(name: str, raw: bytes, limits: IngestLimits = DEFAULT_LIMITS) -> DocumentDraft:
    """The draft of a file called ``name``. Raises :class:`Skip`, and whatever a parser stumbles over."""
    if not raw:
        raise Skip(Reason.EMPTY, "there is nothing in it")
    path = PurePosixPath(name)
    ending, title = path.suffix.lower(), path.stem or name
    if ending in OFFICE:
        draft = _office(ending, raw, title, limits)
    elif ending == PDF:
        from connectors.local.ingest.office import read_pdf

        draft = read_pdf(raw, title)
    elif ending == HWP:
        from connectors.local.ingest.hwp import read_hwp

        draft = read_hwp(raw, title, int(min(limits.ratio * max(len(raw), 1 << 16), limits.document * 4)))
    else:
        draft = _written(ending, raw, title)
    opening = "" if draft.description else opening_of(name, draft.sections)
    return _bounded(replace(draft, description=opening) if opening else draft, limits)


def _written(ending: str, raw: bytes, title: str) -> DocumentDraft:
    text = text_of(raw)
    if ending in HTML:
        from connectors.local.ingest.html import read_html

        return read_html(text, title)
    if ending in TABLES:
        return read_table(text, title)
    from connectors.local.ingest.markdown import read_markdown, read_text

    return read_markdown(text, title) if ending in MARKDOWN else read_text(text, title)


def read_table(text: str, title: str) -> DocumentDraft:
    """Lines of comma or tab separated values, each with the names of its columns."""
    return DocumentDraft(title, tuple(sections_of(rows_of(text), "")))


def _office(ending: str, raw: bytes, title: str, limits: IngestLimits) -> DocumentDraft:
    from connectors.local.ingest import hwpx, office

    if raw.startswith(OLE):
        if ENCRYPTED in raw:
            raise Skip(Reason.PASSWORD, "a password closes it; save it without one")
        raise Skip(Reason.WRONG_TYPE, f"it is a file of an older Office; save it as {ending}")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            unpacked = sum(each.file_size for each in packed.infolist())
    except zipfile.BadZipFile:
        raise Skip(Reason.BROKEN, "it is damaged, or no Office file at all") from None
    if unpacked > min(limits.ratio * max(len(raw), 1 << 16), limits.document * 4):
        raise Skip(Reason.UNSAFE, f"it would unpack to {unpacked >> 20} MB from {len(raw) >> 10} kB, as bombs do")
    readers: dict[str, Callable[[bytes, str], DocumentDraft]] = {
        ".docx": office.read_docx,
        ".pptx": office.read_pptx,
        ".xlsx": office.read_xlsx,
        ".hwpx": hwpx.read_hwpx,
    }
    return readers[ending](raw, title)


def _bounded(draft: DocumentDraft, limits: IngestLimits) -> DocumentDraft:
    """Nobody reads past some millions of characters, and the database has a limit as well. Raises :class:`Skip`."""
    length = sum(len(each.text) for each in draft.sections)
    if length > limits.characters:
        raise Skip(Reason.TOO_BIG, f"it has {length:,} characters of text; {limits.characters:,} are read at most")
    if not any(each.text.strip() for each in draft.sections):
        raise Skip(Reason.EMPTY, "there is no text in it")
    return draft
