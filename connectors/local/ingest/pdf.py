"""PDF files as sections, a page each, by pypdf."""

from __future__ import annotations

import io
from itertools import islice
from typing import TYPE_CHECKING, Any

from connectors.local.ingest.drafts import DocumentDraft, DocumentSection, Reason, Skip
from connectors.local.ingest.moments import moment_of
from connectors.text import plain_line
from translators.query import Person

if TYPE_CHECKING:
    from datetime import datetime

PAGES = 5000


def read_pdf(raw: bytes, name: str) -> DocumentDraft:
    """Raises :class:`Skip` for one that a password closes, or that holds pictures only."""
    import pypdf

    reader = pypdf.PdfReader(io.BytesIO(raw))
    if reader.is_encrypted and not reader.decrypt(""):
        raise Skip(Reason.PASSWORD, "a password closes it; save it without one")
    sections = tuple(
        DocumentSection(page.extract_text(), (f"p. {place}",))
        for place, page in enumerate(islice(reader.pages, PAGES), 1)
    )
    if not any(each.text.strip() for each in sections):
        raise Skip(Reason.EMPTY, "it has no text, only pictures of it; run OCR over it")
    told = reader.metadata
    author = plain_line(str(told.author)) if told is not None and told.author else ""
    return DocumentDraft(
        (plain_line(str(told.title)) if told is not None and told.title else "") or name,
        sections,
        author=Person(author) if author else None,
        created=_date(told, "creation_date"),
        updated=_date(told, "modification_date"),
    )


def _date(told: Any, name: str) -> datetime | None:
    try:
        return moment_of(getattr(told, name, None))
    except ValueError:  # pypdf raises it for a date that is none
        return None
