"""Gmail: mails of one mailbox, listed by its own search and read in batches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.contract import Call, Fact, Health, Hit, HitPage, known_facts
from connectors.errors import SourceError
from connectors.gmail import mail
from connectors.gmail.settings import GmailSettings
from connectors.gmail.wire import ID, Listed, Listing, Message, Profile, Thread
from connectors.google import GoogleSource
from connectors.google_api import GoogleApi
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.notes import Unread
from connectors.text import clip
from connectors.wire import read, read_each, read_replies
from translators.query import Kind
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

API = GoogleApi("gmail", "v1", "Gmail")
SCOPE = "https://www.googleapis.com/auth/gmail.readonly"
MESSAGES = "gmail/v1/users/me/messages"
THREADS = "gmail/v1/users/me/threads"
THREAD = "thread"
"""The argument that asks for a whole thread."""
HEADERS = ("From", "To", "Cc", "Subject", "Date", "Message-ID")


class GmailSource(GoogleSource):
    """One mailbox. A hit is one mail; the best few with their whole text, the others with Google's snippet."""

    manifest = load_manifest("connectors.gmail")
    api = API
    scope = SCOPE
    keeps_details = 300.0  # a mail does not change; its labels, which do, are not what is searched for
    settings_type = GmailSettings
    settings: GmailSettings

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """``users.messages.list``: ids only; or ``users.threads.get``: all of a thread's mails, whole."""
        if THREAD in native.args:
            return HttpRequest("GET", f"{THREADS}/{native.args[THREAD]}", {"format": "full"})
        asked = {"maxResults": str(page.limit)}
        if native.text:
            asked["q"] = native.text
        if page.cursor is not None:
            asked["pageToken"] = page.cursor
        if self.settings.spam_and_trash:
            asked["includeSpamTrash"] = "true"
        return HttpRequest("GET", MESSAGES, asked)

    def parse(self, reply: Reply) -> HitPage:
        """The mails of a page, of which nothing but the id is known yet, or those of a thread."""
        if isinstance(reply.data, Mapping) and "historyId" in reply.data:
            thread = read(Thread, reply.data, "Gmail")
            whole, unread = read_each(Message, thread.messages, self._whole, "mails")
            return HitPage(whole, notes=unread)
        listing = read(Listing, reply.data, "Gmail")
        hits, notes = read_each(Listed, listing.messages, _bare, "mails")
        return HitPage(hits, listing.nextPageToken or None, listing.resultSizeEstimate, notes)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of mails. A thread costs Google's quota twice what a mail does."""
        if THREAD in native.args:
            await call.turn()
        return await super().search(native, call)

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        """Each mail: the first few whole, of the others some headers."""
        bare = (hit for hit in page.hits if not hit.facts)  # of a thread all is known
        return tuple(_get(hit.id, whole=place < self.settings.mails_read) for place, hit in enumerate(bare))

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        """The mails that could be read. One that could not is left out and told; if none could, that is an error."""
        hits, failures = read_replies(range(len(replies)), enumerate(replies), lambda each: self._read(*each))
        if failures and not hits:
            raise failures[0]
        unread = [Unread.of(len(failures), len(replies), "mails", failures[0].message)] if failures else []
        return replace(page, hits=tuple(hits.values()), notes=(*page.notes, *unread))

    def conversation(self, hit: Hit) -> NativeQuery | None:
        """The thread that a mail stands in."""
        thread = str(hit.facts.get("thread", ""))
        return NativeQuery(self.manifest.dialect, "", {THREAD: thread}) if re.fullmatch(ID, thread) else None

    async def probe(self, call: Call) -> Health:
        """Whose mailbox it is."""
        reply = await self.send(HttpRequest("GET", "gmail/v1/users/me/profile"), call)
        return Health(ok=True, account=read(Profile, reply.data, "Gmail").emailAddress)

    def _read(self, place: int, reply: Reply | SourceError) -> Hit:
        if isinstance(reply, SourceError):
            raise reply
        return self._hit(read(Message, reply.data, "Gmail"), whole=place < self.settings.mails_read)

    def _whole(self, message: Message) -> Hit:
        return self._hit(message, whole=True)

    def _hit(self, message: Message, *, whole: bool) -> Hit:
        text, complete = mail.text(message) if whole else (mail.snippet(message), False)
        shown, uncut = clip(text, self.settings.max_text)
        return replace(
            _bare(message),
            title=mail.header(message, "Subject"),
            snippet=shown,
            complete=complete and uncut,
            author=next(iter(mail.people(message, "From")), None),
            created=message.internalDate,
            facts=_facts(message),
        )


def _bare(message: Listed | Message) -> Hit:
    return Hit("", message.id, Kind.MAIL, url=f"https://mail.google.com/mail/u/0/#all/{message.id}")


def _get(message_id: str, *, whole: bool) -> HttpRequest:
    if whole:
        return HttpRequest("GET", f"{MESSAGES}/{message_id}", {"format": "full"})
    return HttpRequest("GET", f"{MESSAGES}/{message_id}", {"format": "metadata", "metadataHeaders": HEADERS})


def _facts(message: Message) -> Mapping[str, Fact]:
    facts: dict[str, Fact] = {
        "thread": message.threadId,
        "labels": message.labelIds,
        "to": tuple(map(str, mail.people(message, "To"))),
        "cc": tuple(map(str, mail.people(message, "Cc"))),
        "message_id": mail.header(message, "Message-ID"),
        "attachments": mail.attachments(message),
    }
    return known_facts(facts)


SOURCE = GmailSource
