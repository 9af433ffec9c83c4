"""What Graph finds, in our words: a mail, a Teams message, something that lies in SharePoint."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from connectors.contract import Fact, Hit
from connectors.markup import from_html
from connectors.microsoft365.wire import ChatMessage, Kinded, Mail, Stored
from connectors.text import absolute_url, clip, plain_line, plain_text
from translators.query import Container, Kind, Person

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.microsoft365.wire import Account, Body, Found, Somebody

HIGHLIGHT, GAP = re.compile(r"</?c0>"), re.compile(r"<ddd\s*/>")
SITE = re.compile(r"(https://[^/]+)(?:/((?:sites|teams|personal)/[^/]+))?(?:/|$)")
# A mail's id in base 64: search results write two of its characters otherwise than Graph's paths do.
IN_PATHS = str.maketrans("/+", "-_")
OUTLOOK = "https://outlook.office365.com/owa/?ItemID={}&exvsurl=1&viewmodel=ReadMessageItem"
TEAMS = "https://teams.microsoft.com/l/message/{}/{}"
CHAT = "?context=%7B%22contextType%22%3A%22chat%22%7D"


def hit_of(found: Found, me: Account | None = None) -> Hit | None:
    """One hit, ``None`` for what was not asked for. Raises ``pydantic.ValidationError``."""
    match Kinded.model_validate(found.resource).type.rsplit(".", 1)[-1]:
        case "message":
            hit = mail(Mail.model_validate(found.resource), found.hitId, summary(found.summary))
        case "chatMessage":
            hit = chat_message(ChatMessage.model_validate(found.resource), found.hitId, summary(found.summary))
        case "driveItem" | "listItem" | "site" as kind:
            hit = _stored(Stored.model_validate(found.resource), found.hitId, kind, summary(found.summary))
        case _:
            return None
    return replace(hit, author=_marked(hit, me))


def summary(text: str) -> str:
    """An excerpt without its marks, gaps as ellipses."""
    return plain_text(unescape(HIGHLIGHT.sub("", GAP.sub("…", text))))


def text_of(body: Body | None) -> str:
    """The whole of a body."""
    if body is None:
        return ""
    return from_html(body.content) if body.contentType.casefold() == "html" else plain_text(body.content)


# ---- mail


def mail(item: Mail, hit_id: str, excerpt: str) -> Hit:
    """A mail with an excerpt; its folder has an id and no name, so it stands nowhere."""
    return Hit(
        source="",
        id=hit_id.translate(IN_PATHS),
        kind=Kind.MAIL,
        title=item.subject,
        url=absolute_url(item.webLink) or OUTLOOK.format(quote(hit_id, safe="")),
        snippet=excerpt or item.bodyPreview,
        author=_sender(item.from_) or _sender(item.sender),
        created=item.receivedDateTime or item.sentDateTime,
        facts=_facts(
            conversation=item.conversationId,
            message_id=item.internetMessageId,
            to=tuple(str(who) for each in item.toRecipients or () if (who := _sender(each))),
            importance=item.importance if item.importance != "normal" else "",
            attachments=bool(item.hasAttachments),
        ),
    )


def whole_mail(item: Mail, asked: str, most: int) -> Hit:
    """The mail that was ``asked`` for by its id: everything but its attachments."""
    text, uncut = clip(text_of(item.body), most)
    read = mail(item, item.id or asked, text)
    return replace(read, complete=uncut and bool(text) and item.hasAttachments is False)


# ---- Teams


def chat_message(item: ChatMessage, hit_id: str, excerpt: str) -> Hit:
    """A message with an excerpt. Its channel has an id and no name, so it stands nowhere."""
    channel = item.channelIdentity
    thread = (channel.channelId if channel else "") or item.chatId
    team = channel.teamId if channel else ""
    return Hit(
        source="",
        id=f"{thread}:{item.id}" if thread and item.id else hit_id,
        kind=Kind.THREAD if item.replyToId not in ("", item.id) else Kind.MESSAGE,
        title=item.subject,
        url=absolute_url(item.webUrl) or _link(item, thread, team) or absolute_url(item.webLink),
        snippet=excerpt,
        author=_sender(item.from_),
        created=item.createdDateTime,
        facts=_facts(
            message_id=item.id,
            chat_id=item.chatId,
            team_id=team,
            channel_id=channel.channelId if channel else "",
            reply_to=item.replyToId,
            thread=f"{thread}:{item.replyToId}" if thread and item.replyToId else "",
        ),
    )


def whole_message(item: ChatMessage, asked: str, most: int) -> Hit:
    """The message that was ``asked`` for by its number: everything but what is attached."""
    text, uncut = clip(text_of(item.body), most)
    read = chat_message(item, item.id or asked, text)
    return replace(read, complete=uncut and not item.attachments, updated=item.lastEditedDateTime)


def _link(item: ChatMessage, thread: str, team: str) -> str:
    """https://learn.microsoft.com/en-us/microsoftteams/platform/concepts/build-and-test/deep-link-teams."""
    if not item.id or not thread:
        return ""
    number, parent = (quote(each, safe="") for each in (item.id, item.replyToId or item.id))
    link = TEAMS.format(quote(thread, safe=":@"), number)
    return f"{link}?groupId={quote(team, safe='')}&parentMessageId={parent}" if team else f"{link}{CHAT}"


# ---- SharePoint and OneDrive


def _stored(item: Stored, hit_id: str, kind: str, excerpt: str) -> Hit:
    """A file, folder or page, an item of a list, or a site; the site by whose address it begins is where it lies."""
    address = absolute_url(item.webUrl.replace(" ", "%20"))
    place = site_of(address)
    title = item.displayName or item.name or (item.fields.title if item.fields else "")
    author, editor = _account(item.createdBy), _account(item.lastModifiedBy)
    return Hit(
        source="",
        id=item.id or hit_id,
        kind=Kind.FILE if kind == "driveItem" and not item.name.casefold().endswith(".aspx") else Kind.PAGE,
        title=title or (place.name if place and kind == "site" else ""),
        url=address,
        snippet=excerpt or item.description,
        author=author,
        container=place,
        created=item.createdDateTime,
        updated=item.lastModifiedDateTime,
        facts=_facts(
            type=kind,
            edited_by=editor.name if editor else "",
            author_email=_email(item.createdBy),
            mime=item.file.mimeType if item.file else "",
            size=item.size or 0,
            folder=item.folder is not None,
            drive_id=item.parentReference.driveId if item.parentReference else "",
        ),
    )


def site_of(address: str, name: str = "") -> Container | None:
    """The site by whose address ``address`` begins, under ``name`` or else under the last part of its address.

    Its id is that address, spelled alike wherever it comes from: Graph escapes it in one place and not in another.
    """
    found = SITE.match(unquote(address))
    if found is None:
        return None
    host, path = found[1], found[2]
    known = path.rsplit("/", 1)[-1] if path else host.removeprefix("https://").split(".", 1)[0]
    return Container(plain_line(name or known), quote((f"{host}/{path}" if path else host).casefold(), safe=":/"))


# ---- people


def _sender(who: Somebody | None) -> Person | None:
    """Whoever sent something, by address where there is one."""
    if who is None:
        return None
    if (box := who.emailAddress) is not None and (box.name or box.address):
        return Person(box.name or box.address, email=box.address or None)
    return _account(who)


def _account(who: Somebody | None) -> Person | None:
    """Whoever made something, by the first of their names. What is searched for files by is the name, so an address
    that stands beside it (among the facts) must not decide who it was.
    """
    account = (who.user or who.application) if who else None
    name = account.displayName.split(";")[0].strip() if account else ""
    return Person(name) if name else None


def _email(who: Somebody | None) -> str:
    return who.user.email if who and who.user else ""


def _marked(hit: Hit, me: Account | None) -> Person | None:
    """The author, told to be the asker where an address or a name says so."""
    if me is None or hit.author is None:
        return hit.author
    borne = {hit.author.email, hit.facts.get("author_email"), None if hit.author.email else hit.author.name}
    mine = {each.casefold() for each in (me.mail, me.userPrincipalName, me.displayName) if each}
    return replace(hit.author, me=any(isinstance(each, str) and each.casefold() in mine for each in borne))


def _facts(**known: Fact) -> Mapping[str, Fact]:
    return MappingProxyType({name: fact for name, fact in known.items() if fact})
