"""Documents of Hangul before HWPX (HWP 5): a compound file whose sections are records, one within the other by a level.

https://www.hancom.com/support/downloadCenter/hwpOwpml ("한글 문서 파일 구조 5.0")
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.passages import DocumentSection
from connectors.text import plain_line
from translators.query import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from olefile import OleFileIO

HEADER, ABOUT = "FileHeader", "\x05HwpSummaryInformation"
HEADER_SIZE = 40  # bytes of it that are read: signature, version, properties
SIGNATURE = b"HWP Document File"
SECTION = re.compile(r"Section([0-9]{1,5})")
COMPRESSED, PASSWORD, FOR_DISTRIBUTION = 1, 2, 4  # bits of the header's properties (table 3)
DRM = 16
PARAGRAPH, TEXT, CONTROL, LIST = 66, 67, 71, 72  # tags of records (table 13)
LONG = 0xFFF  # a size that says that the size stands behind it
TABLE = b" lbt"  # a control's name, backwards
TITLE, AUTHOR = 2, 4  # of the summary's properties
SET_AT, TEXT_PROPERTY = 44, 31  # where it says where they begin; the kind of those that are text
LONGEST_ABOUT, MOST_PROPERTIES = 1 << 16, 64
CELL = struct.Struct("<HH")  # column and row of a cell, behind the eight bytes that every list begins with
CELL_AT = 8
DEEPEST = 50  # tables within tables
# What stands in a text in place of a character (table 6): one alone, or with seven behind it that are data.
ALONE = {0: "", 10: "\n", 13: "", 24: "-", 30: " ", 31: " ", **dict.fromkeys(range(25, 30), "")}
TAB, LAST_CONTROL = 9, 31
WIDE = 8


@dataclass(slots=True)
class _Record:
    tag: int
    data: bytes
    inside: list[_Record] = field(default_factory=list)


def read_hwp(raw: bytes, name: str, most: int) -> DocumentDraft:
    """The text of all sections in their order, tables row by row. ``most``: bytes that they may unpack to. Raises :class:`Skip`."""
    import olefile

    if not olefile.isOleFile(io.BytesIO(raw)):
        raise Skip(Reason.BROKEN, "it is damaged, or no document of Hangul at all")
    with olefile.OleFileIO(io.BytesIO(raw)) as packed:
        properties = _properties(packed)
        numbered = sorted(
            (int(found[1]), place)
            for place in packed.listdir()
            if len(place) > 1 and place[0] == "BodyText" and (found := SECTION.fullmatch(place[1]))
        )
        lines: list[str] = []
        for _, place in numbered:
            data = packed.openstream(place).read()
            data = _unpacked(data, most) if properties & COMPRESSED else data
            most -= len(data)
            lines += _blocks(_tree(data), 0)
        title, author = _about(packed)
    sections = (DocumentSection("\n\n".join(filter(None, lines))),)
    return DocumentDraft(title or name, sections, author=Person(author) if author else None)


def _properties(packed: OleFileIO) -> int:
    """What the header says of the rest. Raises :class:`Skip` where that cannot be read."""
    header = packed.openstream(HEADER).read(HEADER_SIZE) if packed.exists(HEADER) else b""
    if not header.startswith(SIGNATURE) or len(header) < HEADER_SIZE:
        raise Skip(Reason.BROKEN, "it is damaged, or no document of Hangul at all")
    properties = int.from_bytes(header[-4:], "little")
    if properties & (PASSWORD | DRM):
        raise Skip(Reason.PASSWORD, "a password or rights management closes it; save it without one")
    if properties & FOR_DISTRIBUTION:
        raise Skip(
            Reason.PASSWORD, "it is a copy for distribution (배포용 문서), whose text is sealed; take the original"
        )
    return properties


def _unpacked(data: bytes, most: int) -> bytes:
    """At most so many bytes: a section may be a bomb."""
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    found = unpacking.decompress(data, max(most, 1))
    if unpacking.unconsumed_tail:
        raise Skip(Reason.UNSAFE, f"it would unpack to more than {most >> 20} MB, as bombs do")
    return found


def _tree(data: bytes) -> list[_Record]:
    """The records of a section, each within the last one before it that is less deep."""
    roots: list[_Record] = []
    open_: list[tuple[int, _Record]] = []
    place = 0
    while place + 4 <= len(data):
        head = int.from_bytes(data[place : place + 4], "little")
        place += 4
        size = head >> 20
        if size == LONG:
            size = int.from_bytes(data[place : place + 4], "little")
            place += 4
        record, level = _Record(head & 0x3FF, data[place : place + size]), head >> 10 & 0x3FF
        place += size
        while open_ and open_[-1][0] >= level:
            open_.pop()
        (open_[-1][1].inside if open_ else roots).append(record)
        open_.append((level, record))
    return roots


def _blocks(records: list[_Record], depth: int) -> Iterator[str]:
    """Paragraphs and tables, in the order of the page; what stands beside them (notes, captions, boxes) too."""
    if depth > DEEPEST:
        return
    for record in records:
        if record.tag == TEXT:
            yield _text(record.data)
        elif record.tag == CONTROL and record.data.startswith(TABLE):
            yield "\n".join(_rows(record.inside, depth + 1))
        else:
            yield from _blocks(record.inside, depth + 1)


def _rows(records: list[_Record], depth: int) -> Iterator[str]:
    """A line for each row, cells apart by bars. A cell is a list and the paragraphs behind it."""
    rows: dict[int, list[list[_Record]]] = {}
    cell: list[_Record] = []  # what stands before the first one is in none
    for record in records:
        if record.tag == LIST and len(record.data) >= CELL_AT + CELL.size:
            _, row = CELL.unpack_from(record.data, CELL_AT)
            rows.setdefault(row, []).append(cell := [])
        elif record.tag == PARAGRAPH:
            cell.append(record)
    for _, cells in sorted(rows.items()):
        yield " | ".join(plain_line(" ".join(filter(None, _blocks(each, depth)))) for each in cells)


def _text(data: bytes) -> str:
    """UTF-16 without what stands in it for controls."""
    units = struct.unpack_from(f"<{len(data) // 2}H", data)
    parts: list[str] = []
    place = begin = 0

    def said(until: int) -> str:
        return data[begin * 2 : until * 2].decode("utf-16-le", "replace")

    while place < len(units):
        unit = units[place]
        if unit > LAST_CONTROL:
            place += 1
            continue
        parts += [said(place), "\t" if unit == TAB else ALONE.get(unit, "")]
        place += 1 if unit in ALONE else WIDE
        begin = place
    return "".join([*parts, said(len(units))]).strip()


def _about(packed: OleFileIO) -> tuple[str, str]:
    """Title and author, as the summary tells them ([MS-OLEPS]). Read here, since the library believes each count that it finds."""
    raw = packed.openstream(ABOUT).read(LONGEST_ABOUT) if packed.exists(ABOUT) else b""
    told = {TITLE: "", AUTHOR: ""}
    try:
        (begin,) = struct.unpack_from("<I", raw, SET_AT)
        (count,) = struct.unpack_from("<I", raw, begin + 4)
        for number in range(min(count, MOST_PROPERTIES)):
            name, at = struct.unpack_from("<II", raw, begin + 8 + 8 * number)
            kind, length = struct.unpack_from("<II", raw, begin + at)
            if name in told and kind == TEXT_PROPERTY:
                text = raw[begin + at + 8 :][: 2 * length]
                told[name] = plain_line(
                    text.decode("utf-16-le", "replace").partition("\0")[0]
                )  # what it counts, differs
    except struct.error:  # it ends before what it tells of
        pass
    return told[TITLE], told[AUTHOR]
