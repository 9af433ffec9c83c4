"""An outline as Markdown (CommonMark)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.websearch.markdown import as_link, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.digests.outline import Item, Outline


def as_markdown(outline: Outline) -> str:
    """Ends with a line feed."""
    return "\n".join(_lines(outline)).rstrip("\n") + "\n"


def _lines(outline: Outline) -> Iterator[str]:
    yield from (f"# {as_text(outline.title)}", "", as_text(outline.below), "")
    if outline.notice:
        yield from (as_text(outline.notice), "")
    for block in outline.blocks:
        yield from (f"{'#' * block.level} {as_text(block.heading)}", "")
        yield from (_item(each) for each in block.items)
        yield from (f"- *{as_text(block.left)}*",) if block.left else ()
        yield from ("",) if block.items or block.left else ()
    yield from (as_text(each) for each in outline.last)


def _item(item: Item) -> str:
    text = f"“{item.text}”" if item.quoted else item.text
    shown = as_link(text, item.url) if item.url else as_text(text)
    notes = f" — {as_text(' · '.join(item.notes))}" if item.notes else ""
    said = f"\n  {as_text(item.spoken)}" if item.said else ""
    return f"- {shown}{notes}{said}"
