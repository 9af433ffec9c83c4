"""Plain text of an Atlassian Document (ADF), in which Jira keeps descriptions.

The format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from connectors.structure import StructuredText
from connectors.text import plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping

# Nodes that end a line.
LINES = frozenset(
    "paragraph heading codeBlock blockquote panel rule taskItem decisionItem expand nestedExpand "
    "mediaSingle mediaGroup blockCard embedCard hardBreak caption table".split()
)
LISTS = frozenset({"bulletList", "orderedList", "taskList", "decisionList"})
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
    told = StructuredText()
    waiting: list[object] = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _End):
            _end(told, node.kind)
        elif isinstance(node, dict):
            kind = str(node.get("type"))  # anything may stand there, a list too
            _begin(told, kind, node)
            waiting.append(_End(kind))
            waiting += _children(node)
    return plain_text(told.text())


class _End(NamedTuple):
    """Where a node of this kind ends."""

    kind: str


def _children(node: Mapping[str, object]) -> list[object]:
    """The last first, since what was put down last is taken up first. A string in place of a node is none."""
    content = node.get("content")
    return [child for child in reversed(content) if isinstance(child, dict)] if isinstance(content, list) else []


def _begin(told: StructuredText, kind: str, node: Mapping[str, object]) -> None:
    attributes = _attributes(node)
    if kind == "tableRow":
        told.row()
    elif kind in CELLS:
        told.begin_cell()
    elif kind in LISTS:
        told.begin_list(_first(attributes) if kind == "orderedList" else None)
    elif kind == "taskItem":
        told.item(ticked=attributes.get("state") == "DONE")
    elif kind == "listItem":
        told.item()
    elif kind == "text" and _mark(node, "strike"):
        told.struck()
        told.say(_said(node, ("text",)))
        told.struck()
        told.say(_link(node))
    else:
        told.say(_text(kind, node, attributes))
        if kind in ("expand", "nestedExpand") and _said(attributes, ("title",)):
            told.end_line()


def _end(told: StructuredText, kind: str) -> None:
    if kind in CELLS:
        told.end_cell()
    elif kind in LISTS:
        told.end_list()
    elif kind in LINES:
        told.end_line()


def _first(attributes: Mapping[str, object]) -> int:
    """What an ordered list is numbered from: https://developer.atlassian.com/cloud/jira/platform/apis/document/nodes/orderedList/."""
    order = attributes.get("order")
    return order if isinstance(order, int) else 1


def _attributes(node: Mapping[str, object]) -> Mapping[str, object]:
    held = node.get("attrs")
    return held if isinstance(held, dict) else {}


def _mark(node: Mapping[str, object], kind: str) -> Mapping[str, object]:
    """What one of the marks around a text says; empty where it has none of this kind."""
    marks = node.get("marks")
    found = (each for each in (marks if isinstance(marks, list) else ()) if isinstance(each, dict))
    return next((each for each in found if each.get("type") == kind), {})


def _text(kind: str, node: Mapping[str, object], attributes: Mapping[str, object]) -> str:
    if kind == "text":
        return _said(node, ("text",)) + _link(node)
    return _day(attributes.get("timestamp")) if kind == "date" else _said(attributes, SHOWN.get(kind, ()))


def _said(held: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := held.get(name), str) and value), "")


def _link(node: Mapping[str, object]) -> str:
    """The address behind a text, where it is not the text itself."""
    address = _said(_attributes(_mark(node, "link")), ("href",))
    return f" ({address})" if address and address != node.get("text") else ""


def _day(timestamp: object) -> str:
    """A day, given in milliseconds since 1970."""
    try:
        return datetime.fromtimestamp(int(str(timestamp)) / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
