"""What of a text is read by itself, whoever reads it: its sentences, its passages, the names of a table's columns (docs/adr/0033-one-maker-of-passages.md).

Whoever ranks, answers or indexes says how long, and nobody else cuts: a passage of the index ends where a quote would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.letters import is_syllable
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

LONGEST = 1200  # characters of a passage
OVERLAP = 150  # characters of the end of a passage with which the next in an index begins, in whole sentences
BEFORE = 40  # characters before a full stop that tell whether it ends a sentence: a line of abbreviations is read in linear time
SHORT = 300  # sections shorter than this share a passage with the next of the same parent
HEADING = " › "
PARAGRAPHS = regex(r"\n\s*\n")
BLANK = regex(r"\s+")
BAR = regex(r"(?:^|(?<=\s))\|(?=\s|$)")  # between two cells
RULER = regex(
    r"\|?(?:[ \t]{0,9}:?-{1,80}:?[ \t]{0,9}\|){1,60}(?:[ \t]{0,9}:?-{1,80}:?[ \t]{0,9}\|?)?"
)  # below the names of a table's columns, in Markdown
END = regex(r"[.!?…。！？]+[\"'”’)\]」』»]*")
FULL_WIDTH = frozenset("。！？")
# Syllables that end a Korean sentence; some people leave no blank after the full stop.
KOREAN_ENDINGS = frozenset("다요죠까음함임됨")
ABBREVIATION = regex(
    r"mr|mrs|ms|dr|prof|st|vs|etc|approx|dept|inc|ltd|co|corp|est|min|max|cf|al|fig|eq|ver|rev|[a-z]|[a-z]\.[a-z]"
)
BEFORE_NUMBERS = regex(r"nos?|pp?|vol|bldg|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec")
DATE = regex(r"\d\. ?\d{1,2}$")
DIGIT = regex(r"\d")
YEAR = regex(r"(?:19|20)\d\d(?:년| ?[hHqQ][1-4])?|[qQ][1-4] (?:19|20)\d\d")


@record
class DocumentSection:
    """Text under a heading; ``path`` are the headings above it, outermost first."""

    text: str
    path: tuple[str, ...] = ()


@record
class Passage:
    """A part of a document that is found by itself: ``text`` in whole, and the ``heading`` it stands under."""

    text: str
    heading: str = ""


def passages_of(sections: Iterable[DocumentSection]) -> tuple[Passage, ...]:
    """The passages of a document, in order. Each keeps the headings that it stands under, and overlaps with the one before."""
    return tuple(
        Passage(text, HEADING.join(path))
        for path, whole in _joined(sections)
        for text in in_pieces(whole, LONGEST, OVERLAP)
    )


def in_pieces(text: str, longest: int, overlap: int = 0) -> Iterator[str]:
    """``text`` in pieces of at most ``longest`` characters, at paragraphs and sentences where it can be.

    A piece begins with the last sentences of the one before, as far as they are no longer than ``overlap``; one that begins within a
    table, with the names of its columns.
    """
    held: list[str] = []
    length, fresh = 0, False
    for piece, columns in _pieces(text, longest):
        if not piece.isspace():  # blanks end no piece and make none: they are cut off where it ends
            if fresh and length + len(piece) > longest:
                yield "".join(held).strip()
                room = longest - len(piece)
                held = [columns] if columns and len(columns) <= room else _tail(held, min(overlap, room))
                length = sum(map(len, held))
            fresh = True
        held.append(piece)
        length += len(piece)
    if fresh:
        yield "".join(held).strip()


def opening(text: str, longest: int, title: str = "") -> str:
    """The first passage of a text, under its title if it has one, in at most ``longest`` characters: what a model reads of it."""
    name = title.strip()[:longest]
    room = max(0, longest - len(name) - bool(name))
    text = text.strip()
    first = text if len(text) <= room else next(in_pieces(text[: 2 * room], room), "")
    return f"{name}\n{first}" if name and first else name or first


def sentences_of(line: str, longest: int) -> Iterator[str]:
    """The sentences of a line, each with the blanks behind it; where one is too long, its words; where a word is, its letters."""
    start = 0
    for mark in (*_sentence_ends(line), len(line)):
        blanks = BLANK.match(line, mark)
        end = blanks.end() if blanks else mark
        while end - start > longest:
            last = max((each.end() for each in BLANK.finditer(line, start + longest // 2, start + longest)), default=0)
            yield line[start : last or start + longest]
            start = last or start + longest
        if end > start:
            yield line[start:end]
            start = end


def _sentence_ends(line: str) -> Iterator[int]:
    """Where the sentences of a line end, but for the last: behind their marks, before the blank that follows."""
    start = 0
    for mark in END.finditer(line):
        if _is_boundary(line, start, mark):
            start = mark.end()
            yield start


def columns_of(lines: Sequence[str]) -> Iterator[str]:
    """For each line of a text the line that names the columns it stands under, or is itself; "" where it is in no table that has such a line.

    It is the first of several lines with as many cells, if nothing in it is a value or Markdown's line is drawn below it.
    """
    names, cells = "", 0
    for line, after in zip(lines, (*lines[1:], ""), strict=False):
        begun, cells = cells, _cells(line)
        if cells != begun or not names:
            named = cells and cells == _cells(after) and (_names_columns(line) or is_ruler(after))
            names = line if named and not is_ruler(line) else ""
        yield names


def cells_of(line: str) -> tuple[str, ...]:
    """The cells of a line of a table, empty ones too; a line of prose is one.

    >>> cells_of("| 28 Nov | Kim | |"), cells_of("28 Nov | Kim"), cells_of("just so")
    (('28 Nov', 'Kim', ''), ('28 Nov', 'Kim'), ('just so',))
    """
    row = line.strip()
    if row.startswith("|"):  # its edges stand for no cell
        row = row[1:].removesuffix("|")
    bare = is_ruler(line)  # its bars may stand close
    return tuple(each.strip() for each in (row.split("|") if bare else BAR.split(row)))


def is_row(line: str) -> bool:
    """Whether a line is of a table: its cells stand between bars."""
    return _cells(line) > 0


def is_ruler(line: str) -> bool:
    """Whether a line only parts the names of a table's columns from its rows: ``|---|:-:|``."""
    return "|" in line and "-" in line and RULER.fullmatch(line.strip()) is not None


def _cells(line: str) -> int:
    """How many cells a line of a table has; 0 for one of prose."""
    return len(cells) if "|" in line and len(cells := cells_of(line)) > 1 else 0


def _names_columns(row: str) -> bool:
    """Whether nothing in a row is a value: a column may be called by its year."""
    return not any(DIGIT.search(each) and not YEAR.fullmatch(each) for each in cells_of(row))


def _joined(sections: Iterable[DocumentSection]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Short sections beside each other become one, so that a list of one-line headings is not a hundred passages."""
    path: tuple[str, ...] = ()
    text = ""
    for section in sections:
        if not section.text.strip():
            continue
        if text and len(text) < SHORT and len(section.text) < SHORT and section.path[:-1] == path[:-1]:
            told = f"{section.path[-1]}\n" if section.path and section.path != path else ""
            text = f"{text}\n\n{told}{section.text}"
            continue
        if text:
            yield path, text
        path, text = section.path, section.text
    if text:
        yield path, text


def _pieces(text: str, longest: int) -> Iterator[tuple[str, str]]:
    """Sentences and rows with what follows them, each with the line that names its columns if there is another one that does."""
    for paragraph in PARAGRAPHS.split(text):
        lines = paragraph.splitlines(keepends=True)
        told = [line.rstrip() for line in lines]
        for line, row, columns in zip(lines, told, columns_of(told), strict=True):
            whole = is_row(row) and len(line) <= longest
            for piece in (line,) if whole else sentences_of(line, longest):
                yield piece, f"{columns}\n" if columns and columns != row else ""
        yield "\n\n", ""


def _tail(held: Sequence[str], left: int) -> list[str]:
    kept: list[str] = []
    for piece in reversed(held):
        if len(piece) > left:
            break
        kept.insert(0, piece)
        left -= len(piece)
    return kept


def _is_boundary(line: str, start: int, mark: re.Match[str]) -> bool:
    after = line[mark.end() : mark.end() + 2]
    if not after or mark[0][0] in FULL_WIDTH:
        return True
    if not after[0].isspace():  # inside an address, a version, a number; or a Korean sentence without a blank
        return mark.start() > start and line[mark.start() - 1] in KOREAN_ENDINGS and is_syllable(after[0])
    if mark[0].startswith(("..", "…")):  # a pause, unless something new begins
        return not after[1:].islower()
    return not (mark[0].startswith(".") and _runs_on(line[max(start, mark.start() - BEFORE) : mark.start()], after[1:]))


def _runs_on(before: str, after: str) -> bool:
    """A full stop that ends an abbreviation, an initial, an item's number or a date such as ``2025. 1. 15.``, behind which a particle may stand."""
    word = before.rpartition(" ")[2].lstrip("(\"'“‘[").casefold()
    if word.isdecimal():
        dated = is_syllable(after) and DATE.search(before) is not None
        return after.isdecimal() or before.strip() == word or dated
    return bool(ABBREVIATION.fullmatch(word) or (after.isdecimal() and BEFORE_NUMBERS.fullmatch(word)))
