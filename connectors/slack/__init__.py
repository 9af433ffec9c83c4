"""Slack: messages by search.messages, as the person whose user token is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from connectors.contract import WORKSPACE, Call, Fact, Health, Hit, HitPage, SourceDirectory
from connectors.http import HttpRequest, HttpSource, Page, Reply, answered, error_for
from connectors.manifest import load_manifest
from connectors.paging import read_list
from connectors.slack import markup
from connectors.slack.fetch import BUCKET, NOBODY, fetch, place_of
from connectors.slack.settings import SlackSettings
from connectors.slack.transport import CLIENT, SlackTransport
from connectors.slack.wire import Channel, Channels, Identity, Match, Member, Members, Search, Spoken, error_in
from connectors.text import clip, plain_line, quote
from connectors.wire import read, read_each
from translators.query import Container, Kind, Person
from translators.said import Said, quoting
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connectors.errors import SourceError
    from connectors.http import Reply, Transport

ALSO = Said("{told} ({code})")
LISTS = "lists"  # the allowance of the methods that list people and channels
LISTED = "200"  # people or channels a page, as Slack recommends
MAX_PAGES = 100  # search.messages has no page beyond


class SlackSource(HttpSource):
    """One Slack workspace, seen with one user's eyes.

    A hit is one message: ``THREAD`` if its permalink says that it stands in a thread, else ``MESSAGE``.
    """

    manifest = load_manifest("connectors.slack")
    client = CLIENT
    settings_type = SlackSettings
    settings: SlackSettings

    def open_transport(self) -> Transport:
        """Slack's own client."""
        return SlackTransport(self.base_url, self.manifest.limits.concurrency)

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """``GET search.messages``; the cursor is a page number."""
        asked = {"query": native.text, "count": str(page.limit)}
        asked |= {name: str(native.args[name]) for name in ("sort", "sort_dir") if name in native.args}
        if page.cursor is not None:
            asked["page"] = page.cursor
        return HttpRequest("GET", "search.messages", self._in_team(asked))

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of hits; a message named by its address is read where it stands, and a thread as a whole."""
        if READ in native.args:
            reply = await self.send(reading(native, max(2, call.limit)), call, sent=str(native))
            hits, unread = read_each(Match, tuple(messages_in(reply, native)), self._hit, "messages")
            placed = tuple(replace(hit, source=self.name, rank=rank) for rank, hit in enumerate(hits, 1))
            return HitPage(placed, notes=unread)
        if (place := place_of(native)) is None:
            return await super().search(native, call)
        message, notes = await fetch(self, place, call, str(native))
        if message is None:
            return HitPage(remarks=(NOBODY,))
        hits, unread = read_each(Match, (message,), self._hit, "messages")
        return HitPage(tuple(replace(hit, source=self.name, rank=1) for hit in hits), notes=(*notes, *unread))

    def conversation(self, hit: Hit) -> NativeQuery | None:
        """The thread that a message stands in or begins."""
        return conversation_of(hit, self.manifest.dialect)

    def parse(self, reply: Reply) -> HitPage:
        """The messages of a page; one that cannot be read costs itself."""
        found = read(Search, reply.data, "Slack").messages
        hits, notes = read_each(Match, found.matches, self._hit, "messages", self.known)
        paging = found.paging
        more = paging.page < min(paging.pages, MAX_PAGES)
        return HitPage(hits, str(paging.page + 1) if more else None, found.total, notes)

    def error(self, reply: Reply) -> SourceError | None:
        """Slack says most of what is wrong in a body with HTTP 200."""
        body = reply.members
        if reply.ok:
            return error_in(body, reply.headers) if body.get("ok") is False else None
        told = answered("Slack", reply.status)
        return error_for(reply, ALSO.filled(told=told, code=quote(body["error"])) if body.get("error") else told)

    async def directory(self, call: Call) -> SourceDirectory:
        """Active members and open channels; a list that the token may not read is named in a note."""
        members, no_members = await self._listed("users.list", {}, Members, "people", call)
        people, unread = read_each(Member, members, _people, "people")
        kinds = {"types": "public_channel,private_channel", "exclude_archived": "true"}
        listed, no_channels = await self._listed("conversations.list", kinds, Channels, "channels", call)
        channels, unnamed = read_each(Channel, listed, _container, "channels")
        names = tuple(person for of_one in people for person in of_one)
        return SourceDirectory(names, channels, (*no_members, *unread, *no_channels, *unnamed))

    async def probe(self, call: Call) -> Health:
        """``auth.test``: proves address and token, not the scope."""
        reply = await self.send(HttpRequest("POST", "auth.test", json={}, bucket=LISTS), call)
        who = read(Identity, reply.data, "Slack")
        return Health(ok=True, detail=WORKSPACE.filled(name=quoting(who.team)) if who.team else "", account=who.user)

    def _in_team(self, asked: Mapping[str, str]) -> Mapping[str, str]:
        return {**asked, "team_id": self.settings.team} if self.settings.team else asked

    def _hit(self, match: Match) -> Hit:
        whole, all_of_it = clip(markup.without_markup(_text(match)), self.settings.max_text)
        thread = parse_qs(urlsplit(match.permalink).query).get("thread_ts", [""])[0]
        return Hit(
            source="",
            id=f"{match.channel.id}:{match.ts}",
            kind=Kind.THREAD if thread else Kind.MESSAGE,
            url=match.permalink,
            snippet=whole,
            complete=all_of_it and _says_all(match),
            author=_author(match),
            container=_container(match.channel),
            created=match.created,
            score=match.score,
            facts=_facts(match, thread),
        )

    async def _listed(
        self, method: str, asked: Mapping[str, str], model: type[Members | Channels], what: str, call: Call
    ) -> tuple[list[object], tuple[str, ...]]:
        """All pages of a list, within reason; none of them and a note where the token lacks the scope."""

        async def page(cursor: str | None) -> tuple[tuple[object, ...], str | None]:
            params = self._in_team({**asked, "limit": LISTED, **({"cursor": cursor} if cursor else {})})
            reply = await self.send(HttpRequest("GET", method, params, bucket=LISTS), call)
            found = read(model, reply.data, "Slack")
            return found.listed, found.response_metadata.next_cursor or None

        return await read_list(page, self.settings.directory_pages, what)


def _text(match: Match) -> str:
    """The message and what is attached to it: a link's preview, a bot's card."""
    parts = [match.text or ""]
    for card in match.attachments or ():
        parts += [card.title or "", card.text or card.fallback or ""]
    return "\n".join(part for part in parts if part)


def _says_all(match: Match) -> bool:
    """Files and layouts of a bot's own hold words that search.messages does not return."""
    rich = all(block.type == "rich_text" for block in match.blocks or ())
    return rich and not match.files and not match.attachments


def _author(match: Match) -> Person | None:
    return Person(match.username, native_id=match.user or None) if match.user or match.username else None


def _container(channel: Channel) -> Container | None:
    return Container(channel.name or channel.id, native_id=channel.id)


def _people(member: Member) -> tuple[Person, ...] | None:
    if member.deleted:
        return None
    profile = member.profile
    names = dict.fromkeys((profile.real_name or member.real_name, profile.display_name, member.name))
    return tuple(Person(name, member.id, profile.email or None) for name in names if name)


def _facts(match: Match, thread: str) -> Mapping[str, Fact]:
    facts: dict[str, Fact] = {"channel_id": match.channel.id, "ts": match.ts}
    if thread:
        facts["thread_ts"] = plain_line(thread)
    if match.reactions:
        facts["reactions"] = tuple(f"{reaction.name}:{reaction.count}" for reaction in match.reactions)
    if match.files:
        facts["files"] = len(match.files)
    return MappingProxyType(facts)


# ---- what was said around a message: its thread, or what stood beside it in its channel

READ = "read"
"""The argument that tells such a reading from a search and from the fetch of one message."""
REPLIES = "conversations.replies"


def conversation_of(hit: Hit, dialect: str) -> NativeQuery | None:
    """How to read the thread of a message that was found; one that does not say that it stands in one may have begun one."""
    place, _, last = hit.url.rpartition("/")
    channel, ts = hit.facts.get("channel_id"), hit.facts.get("ts")
    if not (channel and ts and last.startswith("p")):
        return None
    thread = str(hit.facts.get("thread_ts") or ts)
    name = hit.container.name if hit.container else ""
    args = {READ: REPLIES, "channel": str(channel), "thread": thread, "name": name, "place": place}
    return NativeQuery(dialect, "", args)


def reading(native: NativeQuery, limit: int) -> HttpRequest:
    """A thread, oldest first: https://docs.slack.dev/reference/methods/conversations.replies."""
    asked = {"channel": str(native.args["channel"]), "ts": str(native.args["thread"]), "limit": str(limit)}
    return HttpRequest("GET", REPLIES, asked, bucket=BUCKET)


def messages_in(reply: Reply, native: NativeQuery) -> Iterator[object]:
    """Each message as ``search.messages`` would return it, with its place and its address."""
    channel = {"id": native.args["channel"], "name": native.args["name"]}
    for each in read(Spoken, reply.data, "Slack").messages:
        if isinstance(each, Mapping):
            yield {**each, "channel": channel, "permalink": _permalink(str(each.get("ts", "")), native)}
        else:
            yield each


def _permalink(ts: str, native: NativeQuery) -> str:
    """As Slack writes them: https://docs.slack.dev/reference/methods/chat.getPermalink."""
    address, thread = f"{native.args['place']}/p{ts.replace('.', '')}", native.args["thread"]
    return address if ts == thread else f"{address}?thread_ts={thread}&cid={native.args['channel']}"


SOURCE = SlackSource
