"""Documents of Hangul before HWPX, put together here record by record as the format has it."""

from __future__ import annotations

import struct
import zlib

import pytest

from connectors.local.ingest.drafts import DEFAULT_LIMITS, Reason, Skip
from connectors.local.ingest.reading import APART, read_document
from connectors.local.ingest.worker import attempted

FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
SECTOR, WHOLE = 512, 4096  # bytes from which a stream stands in sectors of its own


def compound(streams: dict[str, bytes]) -> bytes:
    """A compound file ([MS-CFB]) of streams, those with a slash within a storage."""
    padded = {name: content.ljust(WHOLE, b"\0") for name, content in streams.items()}
    top = [name for name in padded if "/" not in name]
    inner = [name for name in padded if "/" in name]
    entries: list[list] = [["Root Entry", 5, 1, b"", FREE]]  # name, kind, child, content, next
    entries += [[name, 2, FREE, padded[name], number + 2] for number, name in enumerate(top)]
    entries.append(["BodyText", 1, len(top) + 2 if inner else FREE, b"", FREE])
    entries += [
        [name.partition("/")[2], 2, FREE, padded[name], len(top) + 3 + number] for number, name in enumerate(inner)
    ]
    entries[-1][4] = FREE
    sectors = -(-len(entries) // 4)
    counts = [-(-len(entry[3]) // SECTOR) for entry in entries]
    fats = 1
    while fats * (SECTOR // 4) < fats + sectors + sum(counts):
        fats += 1
    chain = [FAT] * fats + [*range(fats + 1, fats + sectors), END]
    directory, data = b"", b""
    for (name, kind, child, content, following), count in zip(entries, counts, strict=True):
        start = len(chain) if count else END
        chain += [*range(start + 1, start + count), END] if count else []
        data += content.ljust(count * SECTOR, b"\0")
        told = f"{name}\0".encode("utf-16-le")
        directory += told.ljust(64, b"\0") + struct.pack("<HBB3I", len(told), kind, 1, FREE, following, child)
        directory += bytes(36) + struct.pack("<IQ", start, len(content))
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(fats * SECTOR, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<9I", 0, fats, fats, 0, WHOLE, END, 0, END, 0)
    head += struct.pack("<109I", *range(fats), *[FREE] * (109 - fats))
    return head + table + directory.ljust(sectors * SECTOR, b"\0") + data


def record(tag: int, level: int, data: bytes) -> bytes:
    size = len(data)
    if size < 0xFFF:
        return struct.pack("<I", tag | level << 10 | size << 20) + data
    return struct.pack("<II", tag | level << 10 | 0xFFF << 20, size) + data


def paragraph(text: str | bytes, level: int = 0) -> bytes:
    told = text if isinstance(text, bytes) else text.encode("utf-16-le")
    return record(66, level, bytes(24)) + record(67, level + 1, told)


def wide(unit: int) -> bytes:
    """A control within a text, whose data may look like text."""
    return struct.pack("<H", unit) + "설계도속말".encode("utf-16-le")[:12].ljust(12, b"A") + struct.pack("<H", unit)


def table(rows: list[list[str]], level: int = 1) -> bytes:
    made = record(71, level, b" lbt" + bytes(40)) + record(
        77, level + 1, struct.pack("<IHH", 0, len(rows), len(rows[0]))
    )
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            made += record(72, level + 1, bytes(8) + struct.pack("<HHHH", column, number, 1, 1) + bytes(30))
            made += paragraph(text, level + 1)
    return made


def summary(title: str, author: str) -> bytes:
    """A set of properties ([MS-OLEPS]); the length is counted in bytes, as Hangul does."""
    values = [f"{each}\0".encode("utf-16-le") for each in (title, author)]
    texts = [struct.pack("<II", 31, len(each)) + each.ljust(-(-len(each) // 4) * 4, b"\0") for each in values]
    offsets = [24, 24 + len(texts[0])]
    inside = struct.pack("<IIIIII", 24 + sum(map(len, texts)), 2, 2, offsets[0], 4, offsets[1]) + b"".join(texts)
    return struct.pack("<HHI16xI16xI", 0xFFFE, 0, 4, 1, 48) + inside


def squeezed(data: bytes) -> bytes:
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(data) + packing.flush()


def made(*sections: bytes, properties: int = 1, **more: bytes) -> bytes:
    header = b"HWP Document File".ljust(32, b"\0") + struct.pack("<II", 0x05010100, properties)
    streams = {"FileHeader": header, "\x05HwpSummaryInformation": summary("휴가 규정", "김민수"), **more}
    for number, section in enumerate(sections):
        streams[f"BodyText/Section{number}"] = squeezed(section) if properties & 1 else section
    return compound(streams)


BODY = (
    paragraph("휴가 규정 2026\r")
    + paragraph("연차는 ".encode("utf-16-le") + wide(9) + "15일이고 < 3년 & 이상은\n".encode("utf-16-le") + wide(17) + "16일이다 😀.\r".encode("utf-16-le"))
    + paragraph(wide(11) + "\r".encode("utf-16-le"))
    + table([["구분", "일수"], ["병가", "60일"]])
    + paragraph("끝." + "x" * 3000)
)  # fmt: skip


@pytest.mark.parametrize("properties", [0, 1])
def test_text_and_tables_are_read_in_the_order_of_the_page(properties):
    draft = read_document("사규/휴가.hwp", made(BODY, paragraph("둘째 절"), properties=properties))
    assert (draft.title, draft.author.name) == ("휴가 규정", "김민수")
    (section,) = draft.sections
    assert section.text.split("\n\n") == [
        "휴가 규정 2026",
        "연차는 \t15일이고 < 3년 & 이상은\n16일이다 😀.",
        "구분 | 일수\n병가 | 60일",
        "끝." + "x" * 3000,
        "둘째 절",
    ]
    assert ".hwp" in APART


def test_sections_come_by_their_numbers():
    draft = read_document("a.hwp", made(*(paragraph(f"절 {number}") for number in range(12))))
    assert draft.sections[0].text.split("\n\n") == [f"절 {number}" for number in range(12)]


def test_a_summary_that_counts_without_end_is_not_believed():
    endless = struct.pack("<HHI16xI16xI", 0xFFFE, 0, 4, 1, 48) + struct.pack("<IIII", 0xFFFFFFFF, 0x7FFFFFFF, 2, 16)
    for kind in (31, 0x1000 | 31, 0x1000 | 12):  # a text, and vectors of texts and of anything
        draft = read_document(
            "휴가.hwp", made(BODY, **{"\x05HwpSummaryInformation": endless + struct.pack("<II", kind, 0x7FFFFFFF)})
        )
        assert draft.title == "휴가"


def damaged(raw: bytes, at: int, content: bytes) -> bytes:
    return raw[:at] + content + raw[at + len(content) :]


NESTED = b"".join(record(66, level % 1024, bytes(24)) for level in range(5000))
IN_ITSELF = (
    record(66, 0, bytes(24))
    + b"".join(record(72, level, bytes(40)) for level in range(1, 1023))
    + record(67, 1023, b"x\0")
)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (made(BODY, properties=3), Reason.PASSWORD),
        (made(BODY, properties=5), Reason.PASSWORD),
        (made(BODY, FileHeader=b"something else"), Reason.BROKEN),
        (made(b""), Reason.EMPTY),
        (made(), Reason.EMPTY),
        (b"no compound file", Reason.BROKEN),
        (made(BODY)[:700], Reason.BROKEN),
        (made(NESTED), Reason.EMPTY),
        (made(IN_ITSELF), Reason.EMPTY),  # deeper than anybody sets a table into a table
        (made(struct.pack("<I", 67 | 0xFFF << 20) + b"\xff\xff\xff\xff", properties=0), Reason.EMPTY),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(raw, reason):
    told = attempted("a.hwp", raw, DEFAULT_LIMITS)
    assert isinstance(told, Skip)
    assert told.reason == reason


def test_eighty_megabytes_out_of_eighty_kilobytes_are_not_read():
    told = attempted("a.hwp", made(paragraph("a\0" * 40_000_000)), DEFAULT_LIMITS)
    assert isinstance(told, Skip)
    assert told.reason == Reason.UNSAFE


def test_sectors_that_lead_in_a_circle_end():
    """The chain of a stream, and the directory, back to their own beginnings."""
    raw = made(BODY)
    for number in range(8, 40):
        told = attempted("a.hwp", damaged(raw, SECTOR + number * 4, struct.pack("<I", 2)), DEFAULT_LIMITS)
        assert told is not None
    child = raw.index("Root Entry".encode("utf-16-le")) + 76
    told = attempted("a.hwp", damaged(raw, child, struct.pack("<I", 0)), DEFAULT_LIMITS)
    assert isinstance(told, Skip)
