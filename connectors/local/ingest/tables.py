"""Rows as text that can be found, every value beside the name of its column."""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import TYPE_CHECKING, Any

from connectors.passages import DocumentSection
from connectors.text import plain_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
