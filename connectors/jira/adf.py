"""Plain text of an Atlassian Document (ADF), in which Jira keeps descriptions.

The format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connectors.text import plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping

# Nodes that end a line. Cells of a table are kept apart by a tab, so that no word runs into the next.
LINES = frozenset(
    "paragraph heading codeBlock blockquote panel rule listItem taskItem decisionItem tableRow expand nestedExpand "
    "mediaSingle mediaGroup blockCard embedCard hardBreak caption".split()
)
CELLS = frozenset({"tableCell", "tableHeader"})
# Where nodes that have no text of their own keep what a person sees.
SHOWN = {
    "mention": ("text",),
    "emoji": ("text", "shortName"),
    "status": ("text",),
    "inlineCard": ("url",),
    "blockCard": ("url",),
    "embedCard": ("url",),
    "expand": ("title",),
    "nestedExpand": ("title",),
    "media": ("alt",),
    "mediaInline": ("alt",),
    "placeholder": ("text",),
    "extension": ("text",),
    "inlineExtension": ("text",),
    "bodiedExtension": ("text",),
}


def from_adf(document: object) -> str:
    """Plain text of a document, of a string (as older replies have it), or of nothing.

    Walked without recursion: a document may be nested as deeply as JSON can be read.
    """
    if isinstance(document, str):
        return plain_text(document)
    pieces: list[str] = []
    waiting: list[object] = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif isinstance(node, dict):
            pieces.append(_text(node))
            waiting.append(_ending(node))
            waiting += _children(node)
    return plain_text("".join(pieces))


def _children(node: Mapping[str, object]) -> list[object]:
    """The last first, since what was put down last is taken up first. A string in place of a node is none."""
    content = node.get("content")
    return [child for child in reversed(content) if isinstance(child, dict)] if isinstance(content, list) else []


def _ending(node: Mapping[str, object]) -> str:
    kind = str(node.get("type"))  # anything may stand there, a list too
    return "\n" if kind in LINES else "\t" if kind in CELLS else ""


def _text(node: Mapping[str, object]) -> str:
    kind = node.get("type")
    if kind == "text":
        return _said(node, ("text",)) + _link(node)
    held = node.get("attrs")
    attributes = held if isinstance(held, dict) else {}
    if kind == "date":
        return _day(attributes.get("timestamp"))
    said = _said(attributes, SHOWN.get(str(kind), ()))
    return f"{said}\n" if said and kind in ("expand", "nestedExpand") else said


def _said(held: Mapping[str, object], names: tuple[str, ...]) -> str:
    for name in names:
        if isinstance(value := held.get(name), str) and value:
            return value
    return ""


def _link(node: Mapping[str, object]) -> str:
    """The address behind a text, where it is not the text itself."""
    marks = node.get("marks")
    for mark in marks if isinstance(marks, list) else ():
        attributes = mark.get("attrs") if isinstance(mark, dict) and mark.get("type") == "link" else None
        address = attributes.get("href") if isinstance(attributes, dict) else None
        if isinstance(address, str) and address and address != node.get("text"):
            return f" ({address})"
    return ""


def _day(timestamp: object) -> str:
    """A day, given in milliseconds since 1970."""
    try:
        return datetime.fromtimestamp(int(str(timestamp)) / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
