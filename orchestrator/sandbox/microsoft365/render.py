"""Graph's JSON for what was found and for what is read by its path."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any
from urllib.parse import quote

from orchestrator.sandbox.microsoft365.grammar import Node, positive_texts
from orchestrator.sandbox.microsoft365.store import STORED, Account, Item

SUMMARY = 160
"""Characters of a text that a summary shows; it begins and ends between words."""

_BEFORE = 40


def hit(item: Item, rank: int, query: Node) -> Mapping[str, Any]:
    """A searchHit; mail and messages are searched by Exchange, which marks nothing in its summaries."""
    marked = item.type in STORED
    return {
        "hitId": item.hit_id,
        "rank": rank,
        "summary": _summary(item.text, query, marked=marked),
        "resource": {"@odata.type": f"#microsoft.graph.{item.type}", **_resource(item)},
    }


def page(hits: Sequence[Mapping[str, Any]], total: int, *, more: bool, terms: Sequence[str]) -> Mapping[str, Any]:
    """The reply of /search/query; without hits there is no list of them."""
    container = {**({"hits": hits} if hits else {}), "total": total, "moreResultsAvailable": more}
    return {
        "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#Collection(microsoft.graph.searchResponse)",
        "value": [{"searchTerms": terms, "hitsContainers": [container]}],
    }


def conversation(item: Item) -> str:
    """What the mails of one thread have in common."""
    return item.row.said("thread") or item.row.id


def mail(item: Item) -> Mapping[str, Any]:
    """A message of a mailbox, whole."""
    return {
        **_mail(item),
        "id": item.id,
        "webLink": f"https://outlook.office365.com/owa/?ItemID={quote(item.hit_id, safe='')}&exvsurl=1&viewmodel=ReadMessageItem",
        "body": {"contentType": "html", "content": f"<html><body>{_paragraphs(item.text)}</body></html>"},
    }


def chat_message(item: Item, first: Item | None = None) -> Mapping[str, Any]:
    """A message of a chat or channel, whole: senders are accounts here and addresses in search, which does not say either that it answers a ``first`` one."""
    return {
        **_chat_message(item),
        "messageType": "message",
        "replyToId": first.id if first else None,
        "deletedDateTime": None,
        "webUrl": _deep_link(item, first or item) if item.in_channel else None,
        "from": {
            "application": None,
            "device": None,
            "user": {"id": item.author.address, "displayName": item.author.name},
        },
        "body": {"contentType": "text", "content": item.text},
        "attachments": [{"id": name, "name": name, "contentType": "reference"} for name in item.attachments],
    }


def _deep_link(item: Item, first: Item) -> str:
    """https://learn.microsoft.com/en-us/microsoftteams/platform/concepts/build-and-test/deep-link-teams."""
    asked = f"groupId={item.team}&createdTime={item.id}&parentMessageId={first.id}"
    return f"https://teams.microsoft.com/l/message/{quote(item.thread, safe='')}/{item.id}?{asked}"


def user(account: Account) -> Mapping[str, Any]:
    """An account of the directory; its principal name is its address."""
    return {"displayName": account.name, "mail": account.address, "userPrincipalName": account.address}


def _resource(item: Item) -> Mapping[str, Any]:
    match item.type:
        case "message":
            return _mail(item)
        case "chatMessage":
            return {**_chat_message(item), "from": _sender(item.author)}
        case _:
            return _stored(item)


def _mail(item: Item) -> Mapping[str, Any]:
    return {
        "createdDateTime": _instant(item.created),
        "lastModifiedDateTime": _instant(item.updated),
        "receivedDateTime": _instant(item.created),
        "sentDateTime": _instant(item.created),
        "hasAttachments": bool(item.attachments),
        "subject": item.title,
        "bodyPreview": " ".join(item.text.split())[:255],
        "importance": "normal",
        "conversationId": conversation(item),
        "internetMessageId": f"<{item.id[:24]}@acme.example>",
        "toRecipients": [_sender(each) for each in item.to],
        "sender": _sender(item.author),
        "from": _sender(item.author),
    }


def _chat_message(item: Item) -> Mapping[str, Any]:
    channel = {"teamId": item.team, "channelId": item.thread}
    return {
        "id": item.id,
        "createdDateTime": _instant(item.created),
        "lastModifiedDateTime": _instant(item.updated),
        "subject": item.title or None,
        "importance": "normal",
        "etag": item.id,
        "chatId": None if item.in_channel else item.thread,
        "channelIdentity": channel if item.in_channel else {},
    }


def _stored(item: Item) -> Mapping[str, Any]:
    author = {"user": {"displayName": item.author.name, "email": item.author.address}}
    known: dict[str, Any] = {
        "id": item.id,
        "webUrl": item.url,
        "createdDateTime": _instant(item.created),
        "lastModifiedDateTime": _instant(item.updated),
        "createdBy": author,
        "lastModifiedBy": author,
    }
    match item.type:
        case "driveItem":
            size = len(item.text.encode())
            return {
                **known,
                "name": item.title,
                "size": size,
                "parentReference": {"driveId": "b!sandbox", "siteId": item.place},
            }
        case "listItem":
            return {**known, "fields": {"title": item.title}}
        case _:
            return {**known, "displayName": item.title or item.place, "description": item.text}


def _sender(account: Account) -> Mapping[str, Any]:
    return {"emailAddress": {"name": account.name, "address": account.address}}


def _summary(text: str, query: Node, *, marked: bool) -> str:
    """The stretch around the first word that was wanted, its words in `<c0>`, what is left out as `<ddd/>` (else `...`)."""
    line = " ".join(text.split())
    wanted = "|".join(re.escape(word.text) for word in positive_texts(query) if word.text.strip())
    first = re.search(wanted, line, re.IGNORECASE) if wanted else None
    start = line.rfind(" ", 0, max(0, first.start() - _BEFORE)) + 1 if first and first.start() > _BEFORE else 0
    end = len(line) if len(line) <= start + SUMMARY else max(line.rfind(" ", start, start + SUMMARY), start + 1)
    shown = escape(line[start:end], quote=False) if marked else line[start:end]
    if marked and wanted:
        shown = re.sub(wanted, lambda found: f"<c0>{found[0]}</c0>", shown, flags=re.IGNORECASE)
    gap = "<ddd/>" if marked else "..."
    return f"{gap if start else ''}{shown}{gap if end < len(line) else ''}"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))


def _instant(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
