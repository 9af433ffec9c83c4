"""Documents of Hangul (HWPX, KS X 6101): a zip of XML in which paragraphs hold text and tables, tables hold paragraphs."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.passages import DocumentSection
from connectors.text import plain_line
from translators.query import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTION = re.compile(r"Contents/section([0-9]{1,5})\.xml")
ABOUT, SEALED = "Contents/content.hpf", "META-INF/manifest.xml"
ENCRYPTED = b"encryption-data"
BREAKS = {"lineBreak": "\n", "tab": "\t", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}
DEEPEST = 50  # tables within tables


def read_hwpx(raw: bytes, name: str) -> DocumentDraft:
    """The text of all sections in their order, tables row by row. Raises :class:`Skip`."""
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        names = packed.namelist()
        if SEALED in names and ENCRYPTED in packed.read(SEALED):
            raise Skip(Reason.PASSWORD, "a password closes it; save it without one")
        numbered = sorted((int(found[1]), each) for each in names if (found := SECTION.fullmatch(each)))
        if not numbered:
            raise Skip(Reason.BROKEN, "it is damaged, or no document of Hangul at all")
        lines = [line for _, each in numbered for line in _blocks(_parsed(packed.read(each)), 0)]
        title, author = _about(_parsed(packed.read(ABOUT))) if ABOUT in names else ("", "")
    sections = (DocumentSection("\n\n".join(filter(None, lines))),)
    return DocumentDraft(title or name, sections, author=Person(author) if author else None)


def _parsed(raw: bytes) -> Any:
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    return etree.fromstring(raw, parser)


def _blocks(parent: Any, depth: int) -> Iterator[str]:
    """Paragraphs and tables, in the order of the page; what stands beside them (notes, captions, boxes) too."""
    if depth > DEEPEST:
        return
    for child in parent:
        match _local(child):
            case "p":
                yield _text(child)
                yield from _blocks(child, depth + 1)
            case "tbl":
                yield "\n".join(" | ".join(_cells(row, depth + 1)) for row in child if _local(row) == "tr")
            case "t" | "linesegarray":
                continue
            case _:
                yield from _blocks(child, depth + 1)


def _cells(row: Any, depth: int) -> Iterator[str]:
    for cell in row:
        if _local(cell) == "tc":
            yield plain_line(" ".join(filter(None, _blocks(cell, depth))))


def _text(paragraph: Any) -> str:
    """What stands in the runs of a paragraph itself."""
    runs = (run for run in paragraph if _local(run) == "run")
    return "".join(_piece(text) for run in runs for text in run if _local(text) == "t").strip()


def _piece(text: Any) -> str:
    """Text with its marks. What a tracked change takes out stands between two of them, and is not what the document says."""
    parts, taken_out = [text.text or ""], False
    for child in text:
        name = _local(child)
        taken_out = name == "deleteBegin" or (taken_out and name != "deleteEnd")
        if not taken_out:
            parts += [BREAKS.get(name) or "".join(child.itertext()), child.tail or ""]
    return "".join(parts)


def _about(package: Any) -> tuple[str, str]:
    """Title and creator, as an OPF package tells them."""
    title = author = ""
    for element in package.iter():
        if _local(element) == "title":
            title = title or plain_line(element.text or "")
        elif _local(element) in {"creator", "meta"} and "creator" in (_local(element), element.get("name")):
            author = author or plain_line(element.text or "")
    return title, author


def _local(element: Any) -> str:
    """The name without its namespace, of which there is one for each edition of the standard."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
