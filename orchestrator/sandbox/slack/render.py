"""Slack's JSON for messages, channels and members."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.index import WORD, composed, is_hangul, stem, words
from orchestrator.sandbox.slack.search import Needle, SharedFile
from orchestrator.sandbox.slack.store import TEAM_ID, WORKSPACE, Channel, Message, Workspace, member_id

_URL = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)\]}'…]")
_MENTION = re.compile(r"(?<![\w@/])@([\w.-]*\w)")
_SPECIAL = re.compile(r"(<[^>]*>|&(?:amp|lt|gt);)")
_OPEN, _CLOSE = "\ue000", "\ue001"


def mrkdwn(text: str, workspace: Workspace) -> str:
    """Text as Slack stores it: `&`, `<`, `>` escaped, links and mentions in angle brackets."""
    escaped = composed(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    linked = _URL.sub(lambda link: f"<{link[0]}>", escaped)
    parts = re.split(r"(<[^>]*>)", linked)
    parts[::2] = (_MENTION.sub(lambda mention: _mention(mention, workspace), part) for part in parts[::2])
    return "".join(parts)


def _mention(mention: re.Match[str], workspace: Workspace) -> str:
    person = workspace.people.find(mention[1])
    return f"<@{member_id(person)}>" if person else mention[0]


def highlighted(text: str, needles: Sequence[Needle]) -> str:
    """The text with each matching word between U+E000 and U+E001; links and mentions stay whole."""
    parts = _SPECIAL.split(text)
    parts[::2] = (WORD.sub(lambda word: _marked(word[0], needles), part) for part in parts[::2])
    return "".join(parts)


def _marked(word: str, needles: Sequence[Needle]) -> str:
    return f"{_OPEN}{word}{_CLOSE}" if any(_hit(word.casefold(), needle) for needle in needles) else word


def _hit(word: str, needle: Needle) -> bool:
    *rest, last = words(needle.text)
    if needle.kind == "prefix" or is_hangul(last):
        return word in rest or word.startswith(last)
    return word in rest or word == last or (needle.kind == "word" and stem(word) == stem(last))


def match(message: Message, text: str) -> dict[str, Any]:
    """One entry of `messages.matches`."""
    return {
        "iid": str(uuid5(NAMESPACE_URL, message.permalink)),
        "team": TEAM_ID,
        "channel": {
            "id": message.channel.id,
            "is_ext_shared": False,
            "is_mpim": False,
            "is_org_shared": False,
            "is_pending_ext_shared": False,
            "is_private": message.channel.private,
            "is_shared": False,
            "name": message.channel.name,
            "pending_shared": [],
        },
        "type": "message",
        "user": message.user,
        "username": message.username,
        "ts": message.ts,
        "text": text,
        "permalink": message.permalink,
        **_files(message),
    }


def context(message: Message, workspace: Workspace) -> dict[str, Any]:
    """One entry of `results.messages` of Real-time Search."""
    return {
        **_author(message, workspace),
        "team_id": TEAM_ID,
        "channel_id": message.channel.id,
        "channel_name": message.channel.name,
        "message_ts": message.ts,
        "content": mrkdwn(message.row.text, workspace),
        "is_author_bot": not message.user,
        "permalink": message.permalink,
        **({"reply_count": len(message.replies)} if message.replies else {}),
    }


def file(shared: SharedFile, workspace: Workspace) -> dict[str, Any]:
    """One entry of `results.files`; a corpus knows the names of files and nothing of what is in them."""
    message = shared.message
    return {
        **_author(message, workspace),
        "uploader_user_id": message.user,
        "team_id": TEAM_ID,
        "file_id": shared.id,
        "date_created": message.micros,
        "date_updated": message.micros,
        "title": shared.name,
        "file_type": shared.name.rpartition(".")[2].casefold(),
        "permalink": f"{WORKSPACE}/files/{message.user or 'USLACKBOT'}/{shared.id}/{quote(shared.name)}",
        "content": "",
    }


def _author(message: Message, workspace: Workspace) -> dict[str, str]:
    person = workspace.members.get(message.user)
    mail = {"author_email": person.email} if person else {}
    return {"author_name": person.name if person else message.username, "author_user_id": message.user, **mail}


def history(message: Message, text: str) -> dict[str, Any]:
    """A message as conversations.history and conversations.replies give it."""
    shown: dict[str, Any] = {"type": "message", "user": message.user, "text": text, "ts": message.ts, "team": TEAM_ID}
    if message.root:
        shown |= {"thread_ts": message.root.ts, "parent_user_id": message.root.user}
    if message.replies:
        users = list(dict.fromkeys(reply.user for reply in message.replies))
        shown |= {
            "thread_ts": message.ts,
            "reply_count": len(message.replies),
            "reply_users_count": len(users),
            "reply_users": users,
            "latest_reply": message.replies[-1].ts,
        }
    if names := message.row.listed("reactions"):
        shown["reactions"] = [{"name": name, "users": [], "count": 1} for name in names]
    return shown | _files(message)


def _files(message: Message) -> dict[str, Any]:
    names = message.row.listed("files")
    files = [{"id": f"F{message.number}N{n}", "name": name, "title": name} for n, name in enumerate(names)]
    return {"files": files} if files else {}


def channel(shown: Channel, *, member: bool) -> dict[str, Any]:
    """A conversation object."""
    first = shown.messages[0].micros // 1_000_000 if shown.messages else 0
    note = {"value": "", "creator": "", "last_set": 0}
    return {
        "id": shown.id,
        "name": shown.name,
        "name_normalized": shown.name,
        "is_channel": not shown.private,
        "is_group": shown.private,
        "is_im": False,
        "is_mpim": False,
        "is_private": shown.private,
        "is_archived": False,
        "is_general": shown.name == "general",
        "is_member": member,
        "is_shared": False,
        "is_ext_shared": False,
        "is_org_shared": False,
        "created": first,
        "creator": shown.messages[0].user if shown.messages else "",
        "topic": note,
        "purpose": note,
        "previous_names": [],
        "num_members": len(shown.members),
    }


def member(person: Person, zone: ZoneInfo, now: datetime, *, restricted: bool = False) -> dict[str, Any]:
    """A user object; the display name is the handle, the real name is the name as written."""
    offset = now.astimezone(zone).utcoffset()
    return {
        "id": member_id(person),
        "team_id": TEAM_ID,
        "name": person.handle,
        "deleted": False,
        "real_name": person.name,
        "tz": zone.key,
        "tz_label": zone.key,
        "tz_offset": int(offset.total_seconds()) if offset else 0,
        "profile": {
            "real_name": person.name,
            "real_name_normalized": person.name,
            "display_name": person.handle,
            "display_name_normalized": person.handle,
            "email": person.email,
            "title": person.title,
            "team": TEAM_ID,
        },
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": restricted,
        "is_ultra_restricted": False,
        "is_bot": False,
        "is_app_user": False,
        "updated": 0,
    }
