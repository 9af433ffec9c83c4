"""Addresses that name one mail or one Teams message, taken apart into what Graph reads it by.

Only what https://graph.microsoft.com/v1.0 has a path for: a mail's link in Outlook on the web carries the mail's id, a
message's link in Teams its chat, or its team and channel. A reply in a channel has a path of another form, and a
file's address has to be resolved first: neither is fetched. https://learn.microsoft.com/en-us/graph/api/message-get,
https://learn.microsoft.com/en-us/microsoftteams/platform/concepts/build-and-test/deep-link-teams
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.translator import Json

OUTLOOK = frozenset({"outlook.office365.com", "outlook.office.com"})
TEAMS = frozenset({"teams.microsoft.com", "teams.cloud.microsoft"})
MAIL = re.compile(r"[A-Za-z0-9_=-]{32,512}")
CHAT = re.compile(r"19:[A-Za-z0-9_.-]+@(?:thread\.v2|unq\.gbl\.spaces)")
CHANNEL = re.compile(r"19:[A-Za-z0-9_.-]+@thread\.(?:tacv2|skype)")
TEAM = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
NUMBER = re.compile(r"[0-9]{10,16}")
# A mail's id in base 64: links and search results write two of its characters otherwise than paths do.
IN_PATHS = str.maketrans("/+", "-_")


def thing(text: str) -> Mapping[str, Json]:
    """The parts of the address: ``message``; ``chat`` and ``chatMessage``; or ``team``, ``channel`` and ``chatMessage``.
    Empty where ``text`` is no such address.
    """
    try:
        parts = urlsplit(text)
        asked = parse_qs(parts.query)
    except ValueError:
        return {}
    if parts.scheme != "https":
        return {}
    if parts.netloc.lower() in OUTLOOK:
        return _mail(parts.path, asked)
    return _message(parts.path, asked) if parts.netloc.lower() in TEAMS else {}


def _mail(path: str, asked: Mapping[str, list[str]]) -> Mapping[str, Json]:
    """``/owa/?ItemID=…``, which Graph gives as ``webLink``."""
    (item,) = asked.get("ItemID", [""])[:1]
    found = item.replace(" ", "+").translate(IN_PATHS)  # a plus sign that was not escaped reads as a blank
    return {"message": found} if path.rstrip("/") == "/owa" and MAIL.fullmatch(found) else {}


def _message(path: str, asked: Mapping[str, list[str]]) -> Mapping[str, Json]:
    """``/l/message/<thread>/<number>``."""
    match path.split("/"):
        case ["", "l", "message", thread, number] if NUMBER.fullmatch(number):
            thread = unquote(thread)
        case _:
            return {}
    if CHAT.fullmatch(thread):
        return {"chat": thread, "chatMessage": number}
    team, parent = (asked.get(name, [""])[0] for name in ("groupId", "parentMessageId"))
    first = parent in ("", number)
    return (
        {"team": team, "channel": thread, "chatMessage": number}
        if (CHANNEL.fullmatch(thread) and TEAM.fullmatch(team) and first)
        else {}
    )
