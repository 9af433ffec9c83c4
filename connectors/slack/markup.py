"""Slack's message markup as plain text: https://docs.slack.dev/messaging/formatting-message-text."""

from __future__ import annotations

import re

from connectors.structure import STRUCK
from connectors.text import plain_text

HIGHLIGHT = re.compile("[\ue000\ue001]")  # around each word that matched, when highlighting was asked for
ANGLED = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
ESCAPED = re.compile(r"&(amp|lt|gt);")
# Drawn as struck out where it touches no word from outside: "16~18시, 19~20시" is two stretches of time.
STRUCK_OUT = re.compile(r"(?<![\w~])~(?=[^\s~])([^~\n]{1,200})(?<=\S)~(?![\w~])")
CHARACTERS = {"amp": "&", "lt": "<", "gt": ">"}


def without_markup(markup: str) -> str:
    """A message as a person reads it. A link keeps its address beside its label: both are words one may search for.

    >>> without_markup("배포는 ~12월 1일~ 12월 7일, <https://x.example|계획>")
    '배포는 ~~12월 1일~~ 12월 7일, 계획 (https://x.example)'
    """
    text = ANGLED.sub(_angled, HIGHLIGHT.sub("", markup))
    if "~" in text:
        text = STRUCK_OUT.sub(rf"{STRUCK}\1{STRUCK}", text)
    return plain_text(ESCAPED.sub(lambda match: CHARACTERS[match[1]], text))


def _angled(match: re.Match[str]) -> str:
    target, label = match[1], match[2] or ""
    match target[0]:
        case "@":
            return f"@{(label or target[1:]).lstrip('@')}"
        case "#":
            return f"#{(label or target[1:]).lstrip('#')}"
        case "!":
            return _special(target[1:], label)
        case _:
            return _link(target.removeprefix("mailto:").removeprefix("tel:"), label)


def _special(target: str, label: str) -> str:
    """``<!here>``, ``<!subteam^S1|@team>`` and ``<!date^…^…|in words>``."""
    if target.startswith("date^"):
        return label
    return label or f"@{target.split('^', 1)[0]}"


def _link(address: str, label: str) -> str:
    if not label:
        return address
    return label if address in (label, f"https://{label}", f"http://{label}") else f"{label} ({address})"
