"""Google Chat: messages that one account sees in spaces, group chats and direct messages, by Chat's own search."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.contract import Call, Fact, Health, Hit, HitPage, SourceDirectory, known_facts
from connectors.errors import SourceError
from connectors.google import GoogleSource
from connectors.google_api import GoogleApi
from connectors.googlechat.settings import GoogleChatSettings
from connectors.googlechat.wire import Found, Listed, Message, Result, Space, Spaces, User
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.paging import read_list
from connectors.text import clip
from connectors.wire import read, read_each
from translators.query import Container, Kind, Person
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from translators.translator import Json

API = GoogleApi("chat", "v1", "Google Chat", batch=1)  # whether it takes batches is not documented
SCOPE = " and ".join(f"https://www.googleapis.com/auth/chat.{what}.readonly" for what in ("messages", "spaces"))
SEARCH, SPACES = "v1/spaces/-/messages:search", "v1/spaces"
FIELDS = (
    "name,sender(name,displayName,email),createTime,lastUpdateTime,text,thread(name),threadReply,"
    "attachment(contentName),cardsV2(cardId),emojiReactionSummaries(emoji(unicode),reactionCount)"
)
SPACE_FIELDS = "nextPageToken,spaces(name,displayName,spaceType,spaceUri)"
MOST_SPACES = 1000  # a page
EVERYTHING = 'create_time >= "2000-01-01T00:00:00Z"'  # a filter is required
LATEST = 100
NOT_FOUND = 404
THREAD = "thread"
"""The fact that names a message's thread, and the argument that asks for what was said in it."""
THREAD_NAME = re.compile(r"spaces/[0-9A-Za-z_-]{1,128}/threads/[0-9A-Za-z_.-]{1,256}")  # part of a path and of a filter
UNNAMED = MappingProxyType({"DIRECT_MESSAGE": "direct message", "GROUP_CHAT": "group chat"})


class GoogleChatSource(GoogleSource):
    """One account. A hit is one message."""

    manifest = load_manifest("connectors.googlechat")
    api = API
    scope = SCOPE
    settings_type = GoogleChatSettings
    settings: GoogleChatSettings

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """``spaces.messages.search`` over all spaces, ``list`` of a thread, or ``get`` for the message that is named."""
        if THREAD in native.args:
            return _thread(str(native.args[THREAD]), page)
        if "name" in native.args:
            return HttpRequest("GET", f"v1/{native.args['name']}", {"fields": FIELDS})
        asked: dict[str, Json] = {"filter": native.text or EVERYTHING, "pageSize": page.limit}
        if order := native.args.get("orderBy") or ("relevance desc" if self.settings.relevance else ""):
            asked["orderBy"] = order
        if page.cursor is not None:
            asked["pageToken"] = page.cursor
        return _search(asked)

    def parse(self, reply: Reply) -> HitPage:
        """The messages of a page or a thread, or the one that was asked for; one that is not there is no hit."""
        if reply.status == NOT_FOUND:
            return HitPage(remarks=(Said("this account sees no message with this name"),))
        if isinstance(reply.data, Mapping) and "name" in reply.data:
            hit, faults = read_each(Message, (reply.data,), self._hit, "messages")
            return HitPage(hit, notes=faults)
        if isinstance(reply.data, Mapping) and "messages" in reply.data:
            listed = read(Listed, reply.data, API.title)
            said, faults = read_each(Message, listed.messages, self._hit, "messages")
            return HitPage(said, listed.nextPageToken or None, notes=faults)
        found = read(Found, reply.data, API.title)
        hits, notes = read_each(Result, found.results, lambda result: self._hit(result.message), "messages")
        return HitPage(hits, found.nextPageToken or None, notes=notes)

    def conversation(self, hit: Hit) -> NativeQuery | None:
        """The thread that a message stands in."""
        thread = str(hit.facts.get(THREAD, ""))
        return NativeQuery(self.manifest.dialect, "", {THREAD: thread}) if THREAD_NAME.fullmatch(thread) else None

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        """The names of spaces: of the space that it stands in, a message tells the id only."""
        return (_spaces(),) if page.hits else ()

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        """The hits with the names of their spaces, as far as they could be read."""
        try:
            spaces = {space.name: space for reply in replies for space in _listed(reply)[0]}
        except SourceError as failure:
            note = Said("the names of spaces could not be read ({why})").filled(why=failure.message)
            return replace(page, notes=(*page.notes, note))
        return replace(page, hits=tuple(_placed(hit, spaces.get(_space_of(hit))) for hit in page.hits))

    def error(self, reply: Reply) -> SourceError | None:
        """Google says the reason in the body. That a message is not there is an answer, and no error."""
        told = reply.members.get("error")
        if reply.status == NOT_FOUND and isinstance(told, Mapping) and told.get("status") == "NOT_FOUND":
            return None
        return super().error(reply)

    async def directory(self, call: Call) -> SourceDirectory:
        """Spaces with a name, and whoever wrote the latest messages."""
        spaces, notes = await self._named_spaces(call)
        latest = _search({"filter": EVERYTHING, "pageSize": LATEST})
        found = read(Found, (await self.send(latest, call)).data, API.title)
        senders = read_each(Result, found.results, lambda result: result.message.sender, "messages")[0]
        known = {user.name: _person(user) for user in senders if user.name and (user.displayName or user.email)}
        if found.nextPageToken:
            notes = (
                *notes,
                Said("people are those who wrote the latest {count} messages").filled(count=len(found.results)),
            )
        containers = tuple(Container(space.displayName, space.name) for space in spaces if space.displayName)
        return SourceDirectory(tuple(known.values()), containers, notes)

    async def probe(self, call: Call) -> Health:
        """Whether messages may be searched; Google Chat does not say as whom."""
        reply = await self.send(_search({"filter": EVERYTHING, "pageSize": 1}), call)
        read(Found, reply.data, API.title)
        return Health(ok=True)

    async def _named_spaces(self, call: Call) -> tuple[list[Space], tuple[str, ...]]:
        """Page by page within reason; none of them, and a note, where the token lacks the scope."""

        async def page(token: str | None) -> tuple[tuple[Space, ...], str | None]:
            return _listed(await self.send(_spaces(token), call))

        return await read_list(page, self.settings.directory_pages, "spaces")

    def _hit(self, message: Message) -> Hit:
        text, whole = clip(message.text, self.settings.max_text)
        return Hit(
            source="",
            id=message.name,
            kind=Kind.THREAD if message.threadReply else Kind.MESSAGE,
            url=_link(message.name, "room"),
            snippet=text,
            complete=whole and not message.attachment and not message.cardsV2,
            author=_person(message.sender) if message.sender else None,
            created=message.createTime,
            updated=message.lastUpdateTime,
            facts=_facts(message),
        )


def _search(asked: Mapping[str, Json]) -> HttpRequest:
    return HttpRequest("POST", SEARCH, {"fields": f"nextPageToken,results(message({FIELDS}))"}, asked)


def _thread(name: str, page: Page) -> HttpRequest:
    """What was said in a thread, oldest first: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/list."""
    asked = {
        "filter": f"thread.name = {name}",
        "pageSize": str(page.limit),
        "fields": f"nextPageToken,messages({FIELDS})",
    }
    if page.cursor is not None:
        asked["pageToken"] = page.cursor
    return HttpRequest("GET", f"v1/{name.partition('/threads/')[0]}/messages", asked)


def _spaces(page_token: str | None = None) -> HttpRequest:
    asked = {"pageSize": str(MOST_SPACES), "fields": SPACE_FIELDS}
    return HttpRequest("GET", SPACES, asked if page_token is None else {**asked, "pageToken": page_token})


def _listed(reply: Reply | SourceError) -> tuple[tuple[Space, ...], str | None]:
    """The spaces of a page and how to get the next one."""
    if isinstance(reply, SourceError):
        raise reply
    listed = read(Spaces, reply.data, API.title)
    return read_each(Space, listed.spaces, lambda space: space, "spaces")[0], listed.nextPageToken or None


def _space_of(hit: Hit) -> str:
    return hit.id.partition("/messages/")[0]


def _placed(hit: Hit, space: Space | None) -> Hit:
    if space is None:
        return hit
    title = space.displayName or UNNAMED.get(space.spaceType, "")
    url = _link(hit.id, "dm" if space.spaceType == "DIRECT_MESSAGE" else "room") or space.spaceUri
    return replace(hit, container=Container(title, space.name) if title else None, url=url)


def _link(name: str, place: str) -> str:
    """The address of a message, whose id is made of its thread's and its own; empty where somebody chose another id."""
    _, space, _, message = name.split("/")
    thread, dot, own = message.partition(".")
    return f"https://chat.google.com/{place}/{space}/{thread}/{own}" if dot else ""


def _person(user: User) -> Person:
    return Person(user.displayName or user.email, user.name or None, user.email or None)


def _facts(message: Message) -> Mapping[str, Fact]:
    facts: dict[str, Fact] = {
        THREAD: message.thread.name if message.thread else "",
        "files": tuple(file.contentName for file in message.attachment if file.contentName),
        "reactions": tuple(
            f"{each.emoji.unicode}:{each.reactionCount}"
            for each in message.emojiReactionSummaries
            if each.emoji.unicode
        ),
    }
    return known_facts(facts)


SOURCE = GoogleChatSource
