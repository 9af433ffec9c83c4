"""Results that a tool wrote as a Markdown list, or under headings: a title, perhaps an address, and text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

ITEM = re.compile(r"^(?:[-*+]|\d{1,4}[.)]|#{2,6})[ \t]+(\S.*)$")
LINK = re.compile(r"\[([^\[\]]{1,500})\]\(<?(https?://[^()\s<>]+)>?\)")
ADDRESS = re.compile(r"https?://[^\s<>()\[\]]+")
FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
LONGEST = 500  # characters of a title


@dataclass(slots=True)
class _Item:
    head: str
    lines: list[str] = field(default_factory=list)


def results(text: str) -> list[dict[str, str]]:
    """Items of the outermost list, or sections under headings, as ``title``, ``url``, ``text`` and ``id``.

    ``id`` is the address, else the title. None where the text is prose.
    """
    items: list[_Item] = []
    fenced = False
    for line in text.splitlines():
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced and (found := ITEM.match(line)):
            items.append(_Item(found[1]))
            continue
        if items:
            items[-1].lines.append(line.strip())
    return [_result(item) for item in items]


def result_of(text: str) -> dict[str, str]:
    """A text that is one result by itself: its first line is the title."""
    head, *rest = text.strip().splitlines() or [""]
    return _result(_Item(head.lstrip("#"), rest))


def _result(item: _Item) -> dict[str, str]:
    body = "\n".join(item.lines).strip()
    linked = LINK.search(item.head)
    if linked:
        title, url = linked[1], linked[2]
        rest = item.head.replace(linked[0], "", 1).strip(" -–—:|*_")
        body = "\n".join(filter(None, (rest, body)))
    else:
        bare = ADDRESS.search(item.head) or ADDRESS.search(body)
        url = bare[0].rstrip(".,;") if bare else ""
        title = item.head.replace(url, "").strip(" -–—:|*_()<>.") if url else item.head.strip(" *_")
    title = (title or url)[:LONGEST]
    return {"id": url or title, "title": title, "url": url, "text": body}
