"""What stands in files, made plain: their bytes as text, whatever the character set, Korean ones before guesses; dates as files write them; and rows of
tables, every value beside the name of its column.
"""

from __future__ import annotations

import codecs
import csv
import io
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from connectors.local.ingest.drafts import Reason, Skip
from connectors.mime import KOREAN
from connectors.passages import DocumentSection
from connectors.text import plain_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

JIRA = ("%d/%b/%y %I:%M %p", "%d/%b/%Y %I:%M %p", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M", "%d/%b/%y %H:%M")


def moment_of(said: object) -> datetime | None:
    """An aware moment, or none where it cannot be read; without a zone it is in UTC."""
    if isinstance(said, datetime):
        return _aware(said)
    if isinstance(said, int | float):
        return _of_epoch(float(said))
    text = str(said or "").strip()
    if not text:
        return None
    try:
        return _aware(datetime.fromisoformat(text))
    except ValueError:
        return _otherwise(text)


def _otherwise(text: str) -> datetime | None:
    for form in JIRA:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        return _aware(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _of_epoch(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _aware(moment: datetime) -> datetime | None:
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # the year 1 has no hour before it
        return None


ROWS = 100_000  # of a table
ABOVE = 3  # rows of one cell each over a table, such as its title
TOGETHER = 25  # rows in a section
LONGEST_CELL = 1 << 20


def sections_of(rows: Iterable[Sequence[Any]], title: str) -> Iterator[DocumentSection]:
    """Rows as lines of ``column: value``; the first that has several names the columns, and what stands above it is a heading."""
    cells = ([plain_line(str(cell)) if cell is not None else "" for cell in row] for row in islice(rows, ROWS))
    lines = [line for line in cells if any(line)]
    if not lines:
        return
    above = next((place for place, line in enumerate(lines[: ABOVE + 1]) if sum(map(bool, line)) > 1), 0)
    names, *values = lines[above:]
    path = (title, *map("".join, lines[:above])) if title else tuple(map("".join, lines[:above]))
    if not values:
        yield DocumentSection(" | ".join(filter(None, names)), path)
    for start in range(0, len(values), TOGETHER):
        told = (row_text(names, line) for line in values[start : start + TOGETHER])
        yield DocumentSection("\n".join(told), path)


def row_text(names: Sequence[str], line: Sequence[str]) -> str:
    """One row in a line, without its empty cells."""
    padded = [*names, *[""] * (len(line) - len(names))]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(padded, line, strict=False) if cell)


def rows_of(text: str) -> Iterator[list[str]]:
    """The rows of comma, semicolon or tab separated values."""
    csv.field_size_limit(LONGEST_CELL)
    first = text[: text.find("\n")] if "\n" in text else text
    comma = max(",;\t", key=first.count)
    return csv.reader(io.StringIO(text, newline=""), delimiter=comma)


MARKED = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LOOKED_AT = 1 << 16
HANGUL = range(0xAC00, 0xD7A4)
ENOUGH_HANGUL = 0.5  # of what is not ASCII: bytes of other character sets read as CP949 give rare Chinese characters


def text_of(raw: bytes) -> str:
    """``raw`` as text: by its byte order mark, as UTF-8, as EUC-KR/CP949 where that gives Hangul, else the likeliest.

    Raises :class:`Skip` for what is no text in any character set.
    """
    for mark, charset in MARKED:
        if raw.startswith(mark):
            return raw.decode(charset, "replace")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _korean(raw) or _guessed(raw)
    if "\0" in text[:LOOKED_AT]:
        raise Skip(Reason.WRONG_TYPE, "it holds bytes that no text has")
    return text


def _korean(raw: bytes) -> str | None:
    try:
        text = raw.decode(KOREAN)
    except UnicodeDecodeError:
        return None
    foreign = [letter for letter in text[:LOOKED_AT] if not letter.isascii()]
    hangul = sum(ord(letter) in HANGUL for letter in foreign)
    return text if foreign and hangul >= ENOUGH_HANGUL * len(foreign) else None


def _guessed(raw: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(raw[:LOOKED_AT]).best()
    if best is None or "\0" in str(best):
        raise Skip(Reason.WRONG_TYPE, "it is no text in any character set that is known")
    return raw.decode(best.encoding, "replace")
