"""An outline as the blocks of one Slack message: rich text, which Slack does not read for markup or mentions.

https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from connectors.text import absolute_url, plain_line
from orchestrator.digests.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.digests.outline import Item, Outline, OutlineBlock

MOST_BLOCKS = 48  # of 50
MOST = 12_000  # characters of a message that people still read
MOST_URL = 3000
BREAK = "\u2060"  # word joiner: no mention goes across it, should anybody copy the text on
ADDRESSING = re.compile(r"<(?=[!@#])|@(?=(?:channel|here|everyone|group|subteam)\b)", re.IGNORECASE)
Element = dict[str, Any]


def as_blocks(outline: Outline) -> dict[str, Any]:
    """The arguments ``text`` and ``blocks`` of ``chat.postMessage``. What does not fit is counted at the end."""
    blocks = [_section([_run(outline.title, bold=True), _run(f"\n{outline.below}")])]
    if outline.notice:
        blocks.append(_section([_run(outline.notice)]))
    length, left = 0, 0
    for block in outline.blocks:
        made = _block(block)
        length += sum(len(each.get("text", "")) for each in made)
        if length <= MOST and len(blocks) < MOST_BLOCKS:
            blocks.append(_section(made))
        else:
            left += len(block.items)
    last = [*outline.last, *([say(outline.language, "left", count=left)] if left else [])]
    blocks += [_section([_run("\n".join(last))])] if last else []
    shown = _harmless(outline.title).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": shown[:1000] or "…", "blocks": blocks}


def _block(block: OutlineBlock) -> list[Element]:
    made = [_run(block.heading, bold=True)]
    for item in block.items:
        made += [_run("\n• "), *_item(item)]
    return [*made, _run(f"\n{block.left}")] if block.left else made


def _item(item: Item) -> Iterator[Element]:
    url = absolute_url(item.url)
    run = _run(f"“{item.text}”" if item.quoted else item.text)
    yield {**run, "type": "link", "url": url} if url and len(url) <= MOST_URL else run
    if item.said:
        yield _run(f"\n    {item.spoken}")
    if item.notes:
        yield _run(f"\n    {' · '.join(item.notes)}", italic=True)


def _run(text: str, **style: bool) -> Element:
    shown: Element = {"type": "text", "text": "\n".join(map(_harmless, text.split("\n"))) or " "}
    return {**shown, "style": style} if style else shown


def _section(elements: list[Element]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def _harmless(text: str) -> str:
    indent = text[: len(text) - len(text.lstrip(" "))]
    line = indent + plain_line(text) + (" " if text.endswith("• ") else "")
    return ADDRESSING.sub(lambda found: found[0] + BREAK, line)
