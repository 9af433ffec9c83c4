"""What people typed, out of Slack's markup.

https://docs.slack.dev/messaging/formatting-message-text
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MARKUP = re.compile(r"<((?:[@#!]|https?:|mailto:|tel:)[^<>]*)>")  # any other bracket comes as &lt; and &gt;
PERSON = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")


def people_in(text: str) -> tuple[str, ...]:
    """The ids of the people who are addressed, each once."""
    return tuple(dict.fromkeys(PERSON.findall(text)))


def typed(text: str, names: Mapping[str, str], bot: str) -> str:
    """The text as it was typed: the bot's own name taken away, people by name, places by name, addresses bare."""

    def shown(found: re.Match[str]) -> str:
        inside, _, label = found[1].partition("|")
        if inside.startswith("@"):
            return "" if inside[1:] == bot else names.get(inside[1:], label)
        if inside.startswith("#"):
            return f"#{label}" if label else ""
        if inside.startswith("!"):  # a date says itself in its label; the rest addresses many people
            return label if inside.startswith("!date") else ""
        return label if inside.startswith("mailto:") and label else inside

    plain = MARKUP.sub(shown, text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()
