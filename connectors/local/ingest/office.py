"""Word, PowerPoint, Excel and PDF files as sections, by python-docx, python-pptx, openpyxl and pypdf."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from datetime import datetime, time
from itertools import islice
from typing import TYPE_CHECKING, Any

from connectors.local.ingest.decoding import moment_of, sections_of
from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.passages import DocumentSection
from connectors.text import plain_line
from translators.query import Person

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LIBRARIES = frozenset(
    {"python-docx", "openpyxl", "Steve Canny"}
)  # they write their own names, or their maker's, into what they make
FROM_TEMPLATES = frozenset({"2013-12-23T23:15:00", "2013-01-27T09:14:16", "2013-01-27T09:15:58"})
"""When the empty files were made that python-docx and python-pptx begin with: of a report that a program made these say nothing."""
UNTITLED = frozenset({"PowerPoint Presentation", "PowerPoint 프레젠테이션", "Slide 1", "슬라이드 1"})
"""What PowerPoint calls whatever nobody has given a title."""
PRINTED = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ")  # by what was printed into a PDF
PAGES = 5000
NAMED = 10  # pages of a PDF without text that are named
UNCOUNTED = re.compile(rb"<c\b([^<>]*)>\s*<f\b[^<>]*(?:/>|>[^<]*</f>)(\s*<v\s*/>|\s*<v>\s*</v>)?\s*</c>")
"""A cell of Excel with a formula and without its result: of what a program wrote that counts nothing."""
BESIDE = ("header", "footer", "footnotes", "endnotes", "comments")
"""Parts of a Word document beside its body."""
SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
UNSAID = frozenset({"del", "moveFrom", "txbxContent", "rPr", "pPr", "instrText", "Fallback"})
"""Parts of a paragraph of Word that it does not say: what was deleted, how it looks, what a field is made from."""


def read_docx(raw: bytes, name: str) -> DocumentDraft:
    """Headings, paragraphs and tables, in the order of the page."""
    import docx

    document = docx.Document(io.BytesIO(raw))
    sections = tuple(_word_sections(document))
    if drawn := "\n\n".join(_drawn(document.part)):
        sections += (DocumentSection(drawn),)
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
            for section in sections_of(([*map(_value, row)] for row in sheet.iter_rows()), sheet.title)
        )
        return replace(_told(book.properties, name, sections), lost=_uncounted(raw))
    finally:
        book.close()


def _uncounted(raw: bytes) -> str:
    """How many formulas have no result in the file, which nobody here works out. An empty text (``t="str"``) is one."""
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        sheets = (each for each in packed.namelist() if each.startswith("xl/worksheets/") and each.endswith(".xml"))
        cells = (cell for each in sheets for cell in UNCOUNTED.finditer(packed.read(each)))
        count = sum(not (b't="str"' in cell[1] and cell[2]) for cell in cells)
    there = "1 formula has" if count == 1 else f"{count:,} formulas have"
    return f"{there} no result in it; open it in Excel or LibreOffice, save it, and add it again" if count else ""


def _value(cell: Any) -> Any:
    """What a cell shows: 12.5 % is kept as 0.125, and a day as its first second."""
    value = cell.value
    if isinstance(value, datetime):
        return value.date() if value.time() == time() else value
    if isinstance(value, int | float) and not isinstance(value, bool) and "%" in (cell.number_format or ""):
        return f"{value * 100:.10g}%"
    return value


def _word_sections(document: Any) -> Iterator[DocumentSection]:
    from docx.table import Table

    path: list[tuple[int, str]] = []
    lines: list[str] = []
    for block in _blocks(document.element.body, document):
        if isinstance(block, Table):
            lines.append("\n".join(" | ".join(_cell(cell) for cell in row.cells) for row in block.rows))
            continue
        said = _said(block._p)  # noqa: SLF001  (its own text leaves out what was inserted with changes tracked)
        style = (block.style.name or "") if block.style is not None else ""
        level = (
            0 if style == "Title" else int(style[-1]) if style.startswith("Heading ") and style[-1].isdigit() else None
        )
        if level is None or not said.strip():
            lines.append(said)
            lines.extend(map(_said, _boxed(block._p)))  # noqa: SLF001
            continue
        yield DocumentSection("\n\n".join(lines), tuple(title for _, title in path))
        path = [*(each for each in path if each[0] < level), (level, plain_line(said))]
        lines = [*map(_said, _boxed(block._p))]  # noqa: SLF001
    yield DocumentSection("\n\n".join(lines), tuple(title for _, title in path))
    if beside := "\n\n".join(_beside(document)):
        yield DocumentSection(beside)


def _blocks(parent: Any, document: Any) -> Iterator[Any]:
    """Paragraphs and tables in their order, those too that a content control or a tracked change holds."""
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    for child in parent:
        match _name(child):
            case "p":
                yield Paragraph(child, document)
            case "tbl":
                yield Table(child, document)
            case "sdt" | "sdtContent" | "customXml" | "ins" | "moveTo":
                yield from _blocks(child, document)


def _name(element: Any) -> str:
    """Without its namespace; nothing for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _said(element: Any) -> str:
    """What a paragraph says as it stands now: with what was inserted and without what was deleted; text boxes in it are read for themselves."""
    return "".join(_pieces(element))


def _pieces(element: Any) -> Iterator[str]:
    for child in element:
        name = _name(child)
        if name == "t":
            yield child.text or ""
        elif name in SIGNS:
            yield SIGNS[name]
        elif name not in UNSAID:
            yield from _pieces(child)


def _boxed(paragraph: Any) -> Iterator[Any]:
    """The paragraphs of text boxes that hang on one; each is kept twice, for older programs as a fallback."""
    for child in paragraph:
        if _name(child) == "txbxContent":
            yield from (each for each in child.iter() if _name(each) == "p")
        elif _name(child) not in {"Fallback", "del", "moveFrom"}:
            yield from _boxed(child)


def _cell(cell: Any) -> str:
    paragraphs = (each for each in cell._tc.iter() if _name(each) == "p")  # noqa: SLF001
    return plain_line(" ".join(map(_said, paragraphs)))


def _beside(document: Any) -> Iterator[str]:
    """What stands on every page (its head and foot, such as the number of the document), footnotes and comments, each once."""
    from docx.oxml import parse_xml

    parts: dict[str, list[Any]] = {kind: [] for kind in BESIDE}
    for each in document.part.rels.values():
        kind = each.reltype.rpartition("/")[2]
        if kind in parts and not each.is_external:
            parts[kind].append(parse_xml(each.target_part.blob))
    said = dict.fromkeys(line for kind in BESIDE for part in parts[kind] for line in _remarks(part))
    yield from (each for each in said if any(map(str.isalpha, each)))


def _remarks(part: Any) -> Iterator[str]:
    """The paragraphs of a part, those of a comment behind the name of whose it is."""
    for child in part:
        author = next((value for name, value in child.items() if name.endswith("}author")), "")
        lines = [_said(each).strip() for each in child.iter() if _name(each) == "p"]
        yield f"{author}: {' '.join(lines)}" if author else "\n".join(lines)


def _slide(slide: Any, number: int) -> DocumentSection:
    title = slide.shapes.title
    heading = plain_line(title.text_frame.text) if title is not None and title.has_text_frame else ""
    lines = [line for shape in slide.shapes if shape != title for line in _shape(shape)]
    lines += _drawn(slide.part)
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


def _drawn(part: Any) -> Iterator[str]:
    """What charts and diagrams of a page or slide say: a line for each point of a chart, and for each box of a diagram.

    One that is broken says what can be read of it, and costs nothing else of the file.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    for each in part.rels.values():
        kind = each.reltype.rpartition("/")[2]
        if kind not in {"chart", "diagramData"} or each.is_external or not each.target_part.blob.strip():
            continue
        root = etree.fromstring(each.target_part.blob, parser)
        if root is not None:
            yield "\n".join(filter(None, _chart(root) if kind == "chart" else map(_texts, _inner(root, "pt"))))


def _chart(root: Any) -> Iterator[str]:
    """Its title, then what each place on its axis has: ``3분기: 매출 21; 이익 4``."""
    yield next(map(_texts, _inner(root, "title")), "")
    said: dict[str, list[str]] = {}
    for series in _inner(root, "ser"):
        name = next((_values(each) for each in series if _name(each) == "tx"), {}).get("0", "")
        axis, values = _axis(series, "cat", "xVal"), _axis(series, "val", "yVal")
        for place, value in values.items():
            said.setdefault(axis.get(place, place), []).append(f"{name} {value}".strip())
    yield from (f"{place}: {'; '.join(points)}" for place, points in said.items())


def _axis(series: Any, *names: str) -> dict[str, str]:
    return next((_values(each) for each in series if _name(each) in names), {})


def _values(element: Any) -> dict[str, str]:
    """The points of one row of a chart by their place in it, each as it is shown."""
    form = next(((each.text or "") for each in _inner(element, "formatCode")), "")
    points = (
        (each.get("idx", ""), next((_shown(v.text or "", form) for v in _inner(each, "v")), ""))
        for each in _inner(element, "pt")
    )
    told: dict[str, str] = {}
    for place, value in points:
        if value:
            told.setdefault(place, value)  # of an axis with levels the innermost stands first
    return told or next(({"0": plain_line(v.text or "")} for v in _inner(element, "v")), {})


def _shown(text: str, form: str) -> str:
    from openpyxl.styles.numbers import is_date_format
    from openpyxl.utils.datetime import from_excel

    try:
        number = float(text)
        if "%" in form:
            return f"{number * 100:.10g}%"
        return str(from_excel(number).date()) if is_date_format(form) else f"{number:.10g}"
    except (ValueError, OverflowError, AttributeError):
        return plain_line(text)


def _inner(element: Any, name: str) -> Iterator[Any]:
    return (each for each in element.iter() if _name(each) == name)


def _texts(element: Any) -> str:
    return plain_line(" ".join(each.text or "" for each in _inner(element, "t")))


def _titled(title: str, name: str) -> str:
    told = PRINTED.sub("", plain_line(title))
    return name if told in UNTITLED else told or name


def _told(properties: Any, name: str, sections: tuple[DocumentSection, ...]) -> DocumentDraft:
    author = getattr(properties, "author", None) or getattr(properties, "creator", None)
    created, updated = (
        None if each is None or each.isoformat()[:19] in FROM_TEMPLATES else moment_of(each)
        for each in (properties.created, properties.modified)
    )
    return DocumentDraft(
        _titled(properties.title or "", name),
        sections,
        author=Person(plain_line(author)) if author and author not in LIBRARIES else None,
        created=created,
        updated=updated,
    )


def read_pdf(raw: bytes, name: str) -> DocumentDraft:
    """Raises :class:`Skip` for one that a password closes, or that holds pictures only."""
    import pypdf

    reader = pypdf.PdfReader(io.BytesIO(raw))
    if reader.is_encrypted and not reader.decrypt(""):
        raise Skip(Reason.PASSWORD, "a password closes it; save it without one")
    pages = list(islice(reader.pages, PAGES))
    sections = tuple(DocumentSection(page.extract_text(), (f"p. {place}",)) for place, page in enumerate(pages, 1))
    if not any(each.text.strip() for each in sections):
        raise Skip(Reason.EMPTY, "it has no text, only pictures of it; run OCR over it")
    told = reader.metadata
    author = plain_line(str(told.author)) if told is not None and told.author else ""
    return DocumentDraft(
        _titled(str(told.title or "") if told is not None else "", name),
        sections,
        author=Person(author) if author else None,
        created=_date(told, "creation_date"),
        updated=_date(told, "modification_date"),
        lost=_unread(
            len(reader.pages),
            [place for place, page in enumerate(pages, 1) if _is_picture(page, sections[place - 1].text)],
        ),
    )


def _is_picture(page: Any, text: str) -> bool:
    """Whether a page shows something and says nothing; an empty page has lost nothing."""
    resources = page.get("/Resources")
    return not text.strip() and resources is not None and bool(resources.get_object().get("/XObject"))


def _unread(count: int, pictures: Sequence[int]) -> str:
    """What of a PDF is not read, and what to do."""
    told = []
    if pictures:
        named = ", ".join(map(str, pictures[:NAMED])) + (" …" if len(pictures) > NAMED else "")
        told.append(f"no text on {len(pictures):,} of {count:,} pages, only pictures of it ({named}); run OCR over it")
    if count > PAGES:
        told.append(f"it has {count:,} pages, of which the first {PAGES:,} are read; split it")
    return "; ".join(told)


def _date(told: Any, name: str) -> datetime | None:
    try:
        return moment_of(getattr(told, name, None))
    except ValueError:  # pypdf raises it for a date that is none
        return None
