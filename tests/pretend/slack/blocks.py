"""What Slack checks of a message, and whom it would address.

https://docs.slack.dev/reference/block-kit/blocks · https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.sandbox.slack.arguments import SlackError

MOST_BLOCKS = 50
MOST_TEXT = 40_000
MOST_IN_ALL = 11_000  # characters of texts and links; Slack does not say, apps have met it from 11,300 on
LIMITS = {"section": 3000, "context": 3000, "button": 75, "value": 2000, "action_id": 255, "url": 3000}
ACTIONS = 25
CONTEXTS = 10
SPECIAL = re.compile(r"<(![a-z]+[^>]*|@[UW][A-Z0-9]+[^>]*)>")
LINKED = re.compile(r"(?<![\w@])@(channel|here|everyone)\b")


def checked(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The text and blocks of a message. Raises `SlackError`."""
    text, blocks = arguments.get("text") or "", arguments.get("blocks") or []
    if not isinstance(text, str) or not isinstance(blocks, list):
        raise SlackError("invalid_arguments")
    if not text and not blocks:
        raise SlackError("no_text")
    if len(text) > MOST_TEXT:
        raise SlackError("msg_too_long")
    if len(blocks) > MOST_BLOCKS or not all(is_good(each) for each in blocks):
        raise SlackError("invalid_blocks")
    found = (each.get(name) for each in _every(blocks) for name in ("text", "url"))
    if sum(len(each) for each in found if isinstance(each, str)) > MOST_IN_ALL:
        raise SlackError("msg_blocks_too_long")
    return {"text": text, "blocks": blocks}


def is_good(block: object) -> bool:
    """Whether Slack would take a block."""
    return isinstance(block, Mapping) and _is_good(block)


def _is_good(block: Mapping[str, Any]) -> bool:
    elements = block.get("elements") or []
    match block.get("type"):
        case "rich_text":
            return bool(elements) and all(_is_rich(each) for each in elements)
        case "context":
            return 0 < len(elements) <= CONTEXTS and all(_is_text(each, LIMITS["context"]) for each in elements)
        case "section":
            return _is_text(block.get("text"), LIMITS["section"])
        case "divider":
            return True
        case "actions":
            names = [each.get("action_id") for each in elements]
            return (
                0 < len(elements) <= ACTIONS
                and len(set(names)) == len(names)
                and all(_is_button(each) for each in elements)
            )
        case _:
            return False


def _is_rich(section: Mapping[str, Any]) -> bool:
    kinds = {"rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted"}
    return section.get("type") in kinds and all(_is_run(each) for each in section.get("elements") or [])


def _is_run(run: Mapping[str, Any]) -> bool:
    match run.get("type"):
        case "text":
            return isinstance(run.get("text"), str) and bool(run["text"])
        case "link":
            return isinstance(run.get("url"), str) and 0 < len(run["url"]) <= LIMITS["url"]
        case kind:
            return kind in {"user", "usergroup", "channel", "broadcast", "emoji", "date", "color", "team"}


def _is_text(text: object, most: int) -> bool:
    known = isinstance(text, Mapping) and text.get("type") in {"plain_text", "mrkdwn"}
    return known and isinstance(text, Mapping) and 0 < len(str(text.get("text") or "")) <= most


def _is_button(button: Mapping[str, Any]) -> bool:
    text = button.get("text")
    return (
        button.get("type") == "button"
        and isinstance(text, Mapping)
        and text.get("type") == "plain_text"
        and _is_text(text, LIMITS["button"])
        and 0 < len(str(button.get("action_id") or "")) <= LIMITS["action_id"]
        and len(str(button.get("value") or "")) <= LIMITS["value"]
    )


def addressed(arguments: Mapping[str, Any]) -> list[str]:
    """Whom a message would address: people, channels, groups. Slack reads markup in the text and in `mrkdwn` objects, and
    bare names where `link_names` or `parse` ask for it.
    """
    texts = [str(arguments.get("text") or ""), *_mrkdwn(arguments.get("blocks") or [])]
    found = [name for text in texts for name in SPECIAL.findall(text)]
    if arguments.get("link_names") or arguments.get("parse") == "full":
        found += [name for text in texts for name in LINKED.findall(text)]
    found += [
        str(each.get("range") or each.get("usergroup_id") or each.get("user_id"))
        for each in _every(arguments.get("blocks") or [])
        if each.get("type") in {"broadcast", "usergroup", "user"}
    ]
    return found


def _mrkdwn(blocks: object) -> Iterator[str]:
    return (str(each.get("text")) for each in _every(blocks) if each.get("type") == "mrkdwn")


def _every(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _every(each)
