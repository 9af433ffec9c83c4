"""What was said around a message in Teams: the thread of a channel, or what stands beside it in a chat.

Search does not say of what a message is a reply, so a message of a channel is taken for the first of its thread; that it
is none is learnt when Graph has no such message, and then its thread is looked for among the channel's newest. A chat has
no threads: there what was said shortly before and after is read, as far as no long silence lies between.

https://learn.microsoft.com/en-us/graph/api/chatmessage-list-replies (50 at most, the newest first),
https://learn.microsoft.com/en-us/graph/api/channel-list-messages, https://learn.microsoft.com/en-us/graph/api/chat-list-messages
(newest first, in no other order; by when they were sent only what was sent before a moment).

What a channel is called a message does not say: https://learn.microsoft.com/en-us/graph/api/channel-get.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from connectors.contract import HitPage
from connectors.errors import Forbidden, Rejected, SourceError
from connectors.http import DETAILS_SHARE, HttpRequest
from connectors.microsoft365.hits import whole_message
from connectors.microsoft365.wire import ChannelName, ChatMessage, Listing
from connectors.wire import read, read_each, read_replies
from translators.query import Container
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from connectors.contract import Call, Hit
    from connectors.http import HttpSource, Reply

THREAD, AROUND = "thread", "around"
"""Arguments of a query: of which message in a channel the thread is read, and around which message what a chat says."""
NOT_THERE = Said("what was said around the message was not found")
BUCKET = "teams"
KEPT = 4096  # names of channels
ChannelIds = tuple[str, str]
"""Of a team and of the channel in it."""
MOST = 50  # messages that one request lists
BESIDE = 10  # messages of a chat on either side
SILENCE = timedelta(days=1)  # after which a chat is about something else


class ChannelNames:
    """What channels are called, each asked for once; the oldest is forgotten. Who has found a message may know where it stands."""

    def __init__(self) -> None:
        self._known: dict[ChannelIds, str] = {}

    def unknown(self, hits: Sequence[Hit]) -> Mapping[ChannelIds, HttpRequest]:
        """How to ask for the channels of messages that are not known yet."""
        found = (each for each in map(_channel_of, hits) if each and each not in self._known)
        return {each: HttpRequest("GET", _path(*each), {"$select": "displayName"}, bucket=BUCKET) for each in found}

    def hear(self, asked: Iterable[ChannelIds], replies: Sequence[Reply | SourceError]) -> None:
        """What came back; what came to nothing is asked for another time."""
        self._known |= read_replies(asked, replies, _name)[0]
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def named(self, page: HitPage) -> HitPage:
        """With each message in its channel, where that is known."""
        return replace(page, hits=tuple(map(self._placed, page.hits)))

    def _placed(self, hit: Hit) -> Hit:
        channel = _channel_of(hit)
        name = self._known.get(channel, "") if channel else ""
        return replace(hit, container=Container(name, channel[1])) if channel and name else hit


def _name(reply: Reply | SourceError) -> str:
    """That of a channel; one that may not be asked for has none."""
    if isinstance(reply, (Forbidden, Rejected)):
        return ""
    if isinstance(reply, SourceError):
        raise reply
    return read(ChannelName, reply.data, "Microsoft 365").displayName


def _channel_of(hit: Hit) -> ChannelIds | None:
    """In which channel a message stands."""
    team, channel = (str(hit.facts.get(name, "")) for name in ("team_id", "channel_id"))
    return (team, channel) if team and channel else None


def conversation_of(hit: Hit, dialect: str) -> NativeQuery | None:
    """How to read what was said around a message that was found, if it says where it stands."""
    facts = {name: str(told) for name, told in hit.facts.items()}
    number, team, channel, chat = (facts.get(name, "") for name in ("message_id", "team_id", "channel_id", "chat_id"))
    if number and team and channel:
        first = {"parent": facts["reply_to"]} if "reply_to" in facts else {}
        return NativeQuery(dialect, "", {THREAD: {"team": team, "channel": channel, "chatMessage": number} | first})
    if number and chat and hit.created:
        until = (hit.created + SILENCE).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return NativeQuery(dialect, "", {AROUND: {"chat": chat, "chatMessage": number, "until": until}})
    return None


def is_conversation(native: NativeQuery) -> bool:
    """Whether it asks for what was said around a message."""
    return THREAD in native.args or AROUND in native.args


def readings(native: NativeQuery) -> tuple[HttpRequest, ...]:
    """What is sent for it first: of a thread its first message and the replies, which come apart."""
    if AROUND in native.args:
        return (_chat(_parts(native, AROUND)),)
    parts = _parts(native, THREAD)
    first = f"{_channel(parts)}/{quote(parts.get('parent') or parts['chatMessage'], safe='')}"
    return (
        HttpRequest("GET", first, bucket=BUCKET),
        HttpRequest("GET", f"{first}/replies", {"$top": str(MOST)}, bucket=BUCKET),
    )


async def conversation(source: HttpSource, native: NativeQuery, most: int, call: Call) -> HitPage:
    """What was said, oldest first, ``most`` characters of each; raises :class:`SourceError` where nothing could be read."""
    outcomes = await source.send_each(readings(native), call, within=call.timeout * DETAILS_SHARE, sent=str(native))
    if AROUND in native.args:
        hits, notes = _messages(_listed(outcomes[0]), most)
        beside = _beside(hits, _parts(native, AROUND)["chatMessage"])
        return HitPage(beside, notes=notes if beside else (*notes, NOT_THERE))
    parts = _parts(native, THREAD)
    first, replies = outcomes
    if isinstance(first, Rejected) and "parent" not in parts:
        newest = HttpRequest("GET", _channel(parts), {"$top": str(MOST), "$expand": "replies"}, bucket=BUCKET)
        said = _thread_in(_listed(await source.send(newest, call, sent=str(native))), parts["chatMessage"])
    else:
        said = [*((first.data,) if not isinstance(first, SourceError) else ()), *_listed(replies, first)]
    hits, notes = _messages(said, most)
    return HitPage(hits, notes=notes if hits else (*notes, NOT_THERE))


def _messages(items: Sequence[object], most: int) -> tuple[tuple[Hit, ...], tuple[Said, ...]]:
    """What people said, oldest first: neither what Teams tells of itself nor what was taken back."""

    def said(item: ChatMessage) -> Hit | None:
        people = item.messageType in ("", "message") and not item.deletedDateTime
        return whole_message(item, "", most) if people else None

    hits, notes = read_each(ChatMessage, items, said, "messages")
    return tuple(sorted(hits, key=lambda hit: (hit.created is None, hit.created))), notes


def _listed(outcome: Reply | SourceError, beside: Reply | SourceError | None = None) -> tuple[object, ...]:
    """What a reply lists; an error costs it where there is something ``beside``, and is raised elsewhere."""
    if isinstance(outcome, SourceError):
        if beside is None or isinstance(beside, SourceError):
            raise outcome
        return ()
    return read(Listing, outcome.data, "Microsoft 365").value


def _thread_in(posts: Sequence[object], number: str) -> list[object]:
    """The post of a channel among whose replies is the message of that number, and them; nothing where there is none."""
    for post in posts:
        replies = post.get("replies") if isinstance(post, Mapping) else None
        known = replies if isinstance(replies, list) else ()
        if any(isinstance(each, Mapping) and each.get("id") == number for each in known):
            return [post, *known]
    return []


def _beside(hits: Sequence[Hit], number: str) -> tuple[Hit, ...]:
    """What stands around a message without a long silence between, as one thread that the first of it began."""
    at = next((place for place, hit in enumerate(hits) if hit.facts.get("message_id") == number), None)
    if at is None:
        return ()
    breaks = [
        place
        for place, (one, next_) in enumerate(pairwise(hits), 1)
        if not (one.created and next_.created and next_.created - one.created <= SILENCE)
    ]
    start = max([at - BESIDE, *(place for place in breaks if place <= at)], default=0)
    end = min([at + BESIDE + 1, *(place for place in breaks if place > at)])
    stretch = hits[max(0, start) : end]
    if len(stretch) == 1:
        return tuple(stretch)
    return tuple(replace(hit, facts=MappingProxyType({**hit.facts, "thread": stretch[0].id})) for hit in stretch)


def _chat(parts: Mapping[str, str]) -> HttpRequest:
    asked = {
        "$top": str(MOST),
        "$orderby": "createdDateTime desc",
        "$filter": f"createdDateTime lt {parts['until']}",
    }
    return HttpRequest("GET", f"chats/{quote(parts['chat'], safe=':@')}/messages", asked, bucket=BUCKET)


def _channel(parts: Mapping[str, str]) -> str:
    return f"{_path(parts['team'], parts['channel'])}/messages"


def _path(team: str, channel: str) -> str:
    return f"teams/{quote(team, safe=':@')}/channels/{quote(channel, safe=':@')}"


def _parts(native: NativeQuery, name: str) -> Mapping[str, str]:
    parts: Any = native.args[name]
    return {name: str(value) for name, value in parts.items()}
