"""What a tool answered, however it was wrapped: structure as declared, a list by itself, JSON or Markdown in a text.

The SDKs send what a function returns: an object as it is, anything else as ``{"result": …}`` (structure) and as one block of text for each
member (https://github.com/modelcontextprotocol/python-sdk#structured-output). So an object that holds nothing where the results were
declared to be, and one thing alone, stands for that thing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from connectors.contract import HitPage
from connectors.errors import BadReply
from connectors.json_api.paths import pointer
from connectors.json_api.reading import read_page
from connectors.mcp_client import markdown
from connectors.mcp_client.settings import McpSettings
from connectors.text import quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.types import CallToolResult

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
        return _of_items([markdown.result_of(str(item)) for item in data], declared, title)
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
    if items := markdown.results(text):
        return _of_items(items, declared, title)
    said = Said("{title} said: {said}").filled(title=title, said=quote(text))
    return HitPage(cursor="0", notes=(said,) if text.strip() else ())


def _of_items(items: list[dict[str, str]], declared: McpSettings, title: str) -> HitPage:
    return read_page(declared.model_copy(update={"reply": LISTED, "hit": ITEMS}), {"results": items}, title)
