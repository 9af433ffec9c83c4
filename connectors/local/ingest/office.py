"""Word, PowerPoint, Excel and PDF files as sections, by python-docx, python-pptx, openpyxl and pypdf."""

from __future__ import annotations

import io
from itertools import islice
from typing import TYPE_CHECKING, Any

from connectors.local.ingest.decoding import moment_of, sections_of
from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.passages import DocumentSection
from connectors.text import plain_line
from translators.query import Person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

LIBRARIES = frozenset({"python-docx", "openpyxl"})  # they write their own names into what they make
PAGES = 5000


def read_docx(raw: bytes, name: str) -> DocumentDraft:
    """Headings, paragraphs and tables, in the order of the page."""
    import docx

    document = docx.Document(io.BytesIO(raw))
    sections = tuple(_word_sections(document))
    return _told(document.core_properties, name, sections)


def read_pptx(raw: bytes, name: str) -> DocumentDraft:
    """A section for each slide, its notes included."""
    import pptx

    deck = pptx.Presentation(io.BytesIO(raw))
    sections = tuple(_slide(slide, number) for number, slide in enumerate(deck.slides, 1))
    return _told(deck.core_properties, name, sections)


def read_xlsx(raw: bytes, name: str) -> DocumentDraft:
    """Sections of some rows each, every row with the names of its columns."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
    try:
        sections = tuple(
            section
            for sheet in book.worksheets
            for section in sections_of(sheet.iter_rows(values_only=True), sheet.title)
        )
        return _told(book.properties, name, sections)
    finally:
        book.close()


def _word_sections(document: Any) -> Iterator[DocumentSection]:
    from docx.table import Table

    path: list[tuple[int, str]] = []
    lines: list[str] = []
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            lines.append("\n".join(" | ".join(plain_line(cell.text) for cell in row.cells) for row in block.rows))
            continue
        style = (block.style.name or "") if block.style is not None else ""
        level = (
            0 if style == "Title" else int(style[-1]) if style.startswith("Heading ") and style[-1].isdigit() else None
        )
        if level is None or not block.text.strip():
            lines.append(block.text)
            continue
        yield DocumentSection("\n\n".join(lines), tuple(title for _, title in path))
        path = [*(each for each in path if each[0] < level), (level, plain_line(block.text))]
        lines = []
    yield DocumentSection("\n\n".join(lines), tuple(title for _, title in path))


def _slide(slide: Any, number: int) -> DocumentSection:
    title = slide.shapes.title
    heading = plain_line(title.text_frame.text) if title is not None and title.has_text_frame else ""
    lines = [line for shape in slide.shapes if shape != title for line in _shape(shape)]
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        lines.append(slide.notes_slide.notes_text_frame.text)
    return DocumentSection("\n\n".join(filter(None, lines)) or heading, (heading or f"{number}",))


def _shape(shape: Any) -> Iterator[str]:
    if shape.has_text_frame:
        yield shape.text_frame.text
    elif getattr(shape, "has_table", False) and shape.has_table:
        yield "\n".join(" | ".join(plain_line(cell.text) for cell in row.cells) for row in shape.table.rows)
    elif hasattr(shape, "shapes"):
        for inner in shape.shapes:
            yield from _shape(inner)


def _told(properties: Any, name: str, sections: tuple[DocumentSection, ...]) -> DocumentDraft:
    author = getattr(properties, "author", None) or getattr(properties, "creator", None)
    known = author if author and author not in LIBRARIES else None
    return DocumentDraft(
        plain_line(properties.title or "") or name,
        sections,
        author=Person(plain_line(known)) if known else None,
        created=moment_of(properties.created),
        updated=moment_of(properties.modified),
    )


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
