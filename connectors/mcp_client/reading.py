"""What a tool answered, however it was wrapped: structure as declared, a list by itself, JSON or Markdown in a text.

The SDKs send what a function returns: an object as it is, anything else as ``{"result": …}`` (structure) and as one block of text for each
member (https://github.com/modelcontextprotocol/python-sdk#structured-output). So an object that holds nothing where the results were
declared to be, and one thing alone, stands for that thing.

Results that a tool wrote as a Markdown list, or under headings: a title, perhaps an address, and text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectors.contract import HitPage
from connectors.errors import BadReply
from connectors.json_api.paths import pointer
from connectors.json_api.wire import read_page
from connectors.mcp_client.settings import McpSettings
from connectors.text import quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.types import CallToolResult

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


DEEPEST = 4  # wrappings
WRAPPERS = frozenset({"result", "content"})  # the SDK's own around whatever is no object, and the protocol's
LISTED = McpSettings.model_fields["reply"].default
ITEMS = McpSettings.model_fields["hit"].default.model_copy(update={"markup": "markdown"})
ALONE = LISTED.model_copy(update={"items": "$"})


def page_of(declared: McpSettings, result: CallToolResult, title: str) -> HitPage:
    """The results of one call. Raises :class:`BadReply` where it holds none, and no reason."""
    structured = result.structured_content
    if isinstance(structured, dict):
        return _of(declared, structured, title)
    return _of_texts(declared, texts(result), title)


def texts(result: CallToolResult) -> list[str]:
    """The text of every block that has one."""
    return [block.text for block in result.content if block.type == "text"]


def _of(declared: McpSettings, data: object, title: str, depth: int = DEEPEST) -> HitPage:
    if isinstance(data, str):
        return _of_texts(declared, [data], title, depth - 1)
    if data is None:
        return HitPage()
    if depth > 0 and not pointer(declared.reply.items).values(data):
        if isinstance(data, list):
            return _of_list(declared, data, title)
        if pointer(declared.hit.id).first(data) is not None:  # a list of one, as some tools send it
            return _of_list(declared, [data], title)
        if isinstance(data, dict) and len(data) == 1:
            ((name, inner),) = data.items()
            if inner or name in WRAPPERS:  # an empty list of another name may be a list of something else
                return _of(declared, inner, title, depth - 1)
    return read_page(declared, data, title)


def _of_list(declared: McpSettings, data: list[object], title: str) -> HitPage:
    if data and all(isinstance(item, str) for item in data):
        return _of_items([result_of(str(item)) for item in data], declared, title)
    return read_page(declared.model_copy(update={"reply": ALONE}), data, title)


def _of_texts(declared: McpSettings, blocks: Sequence[str], title: str, depth: int = DEEPEST) -> HitPage:
    """JSON, or a Markdown list; prose says why there is nothing."""
    if declared.format != "markdown" and any(block.strip() for block in blocks):
        try:
            parsed = [json.loads(block) for block in blocks]
        except (ValueError, RecursionError):
            if declared.format == "json":
                raise BadReply(Said("{title} answered with text that is not JSON").filled(title=title)) from None
        else:
            return _of(declared, parsed if len(parsed) > 1 else parsed[0], title, depth)
    text = "\n".join(blocks)
    if items := results(text):
        return _of_items(items, declared, title)
    said = Said("{title} said: {said}").filled(title=title, said=quote(text))
    return HitPage(cursor="0", notes=(said,) if text.strip() else ())


def _of_items(items: list[dict[str, str]], declared: McpSettings, title: str) -> HitPage:
    return read_page(declared.model_copy(update={"reply": LISTED, "hit": ITEMS}), {"results": items}, title)
