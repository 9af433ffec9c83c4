"""A message in Slack's Block Kit.

Texts stand in rich-text and plain-text elements, which Slack does not read for markup: no source and no question can
address somebody there. The line that stands for the message in notifications is read for markup, so it is escaped. And
in both, whatever would address people in another of Slack's formats is broken up, should anybody copy it on.

https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
https://docs.slack.dev/messaging/formatting-message-text (escaping, special mentions)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from orchestrator.documents.plain import plain
from orchestrator.surfaces.bot.message import Buttons, Lines, Note, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.surfaces.bot.message import Message, TextRun

MOST_BLOCKS = 50
MOST_TEXT = 3000  # characters of a text object
MOST_SUMMARY = 1000
MOST_URL = 3000
# Slack refuses messages of too many characters in all (`msg_blocks_too_long`) and does not say of how many; apps have met
# it from 11,300 on (https://github.com/slackapi/bolt-js/issues/2867). Small print and buttons come on top of these.
MOST_LINES = 8000
BREAK = "\u2060"  # word joiner: invisible, and no mention goes across it
ADDRESSING = re.compile(r"<(?=[!@#])|@(?=(?:channel|here|everyone|group|subteam)\b)", re.IGNORECASE)


def harmless(text: str) -> str:
    """Plain text in which nothing addresses anybody, wherever it is read."""
    return ADDRESSING.sub(lambda found: found[0] + BREAK, plain(text))


def escaped(text: str) -> str:
    """The same for where Slack reads markup."""
    return harmless(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def rendered(message: Message) -> dict[str, Any]:
    """The arguments ``text`` and ``blocks`` of Slack's methods."""
    blocks = [block for part in _within(message) for block in _block(part)]
    return {"text": escaped(message.summary)[:MOST_SUMMARY] or "…", "blocks": blocks[:MOST_BLOCKS]}


def _within(message: Message) -> Iterator[Lines | Note | Buttons]:
    """The parts, with as many lines as there is room for."""
    left = MOST_LINES
    for part in message.parts:
        if not isinstance(part, Lines):
            yield part
            continue
        kept = []
        for line in part.lines:
            left -= sum(min(len(run.text), MOST_TEXT) + len(run.url) for run in line)
            if left < 0:
                kept.append(said("…"))
                break
            kept.append(line)
        yield Lines(tuple(kept), part.bullets)


def _block(part: Lines | Note | Buttons) -> list[dict[str, Any]]:
    if isinstance(part, Note):
        return [{"type": "context", "elements": [_plain(part.text, MOST_TEXT)]}]
    if isinstance(part, Buttons):
        return [
            {"type": "actions", "elements": [_button(each.action, each.label, each.value) for each in part.buttons]}
        ]
    elements: list[dict[str, Any]] = []
    for line in part.lines:
        if elements:
            elements.append({"type": "text", "text": "\n"})
        elements += [_run(run) for run in line if run.text]
    if not elements:
        return []
    return [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}]


def _run(run: TextRun) -> dict[str, Any]:
    style = {name: True for name, on in (("bold", run.bold), ("italic", run.italic)) if on}
    shown: dict[str, Any] = {"type": "text", "text": harmless(run.text)[:MOST_TEXT] or " "}
    if 0 < len(run.url) <= MOST_URL:
        shown |= {"type": "link", "url": run.url}
    return {**shown, "style": style} if style else shown


def _plain(text: str, most: int) -> dict[str, Any]:
    return {"type": "plain_text", "text": harmless(text)[:most] or " ", "emoji": False}


def _button(action: str, label: str, value: str) -> dict[str, Any]:
    return {"type": "button", "action_id": action, "text": _plain(label, 75), "value": value}
