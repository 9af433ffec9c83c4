"""An outline as plain text, for mail programs and terminals that show nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from connectors.text import plain_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.digests.outline import Item, Outline

SHORTEST, WIDEST = 3, 72  # columns of an underline
UNDERLINES = {1: "=", 2: "-", 3: ""}


def as_plain(outline: Outline) -> str:
    """Ends with a line feed; no control or direction character of a source is in it."""
    return "\n".join(_lines(outline)).rstrip("\n") + "\n"


def _lines(outline: Outline) -> Iterator[str]:
    yield from (*_heading(outline.title, 1), plain_line(outline.below), "")
    if outline.notice:
        yield from (plain_line(outline.notice), "")
    for block in outline.blocks:
        yield from _heading(block.heading, block.level)
        for item in block.items:
            yield from _item(item)
        yield from (f"* {plain_line(block.left)}",) if block.left else ()
        yield from ("",) if block.items or block.left else ()
    yield from map(plain_line, outline.last)


def _heading(text: str, level: int) -> Iterator[str]:
    line = plain_line(text)
    yield line
    if UNDERLINES[level]:
        yield UNDERLINES[level] * min(WIDEST, max(SHORTEST, cell_len(line)))


def _item(item: Item) -> Iterator[str]:
    text = plain_line(item.text)
    yield f"* “{text}”" if item.quoted else f"* {text}"
    if item.said:
        yield f"  {plain_line(item.spoken)}"
    if item.notes:
        yield f"  {plain_line(' · '.join(item.notes))}"
    if item.url:
        yield f"  {plain_line(item.url)}"
