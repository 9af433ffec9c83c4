"""One message, read where its address says that it stands; what comes of it looks as if it had been searched for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.errors import SourceError
from connectors.http import HttpRequest
from connectors.slack.wire import Info, Linked, NotThere, Sent, Spoken
from connectors.wire import read
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Call
    from connectors.http import HttpSource, Reply
    from translators.translator import NativeQuery

BUCKET = "conversations"
NOT_ALL = Said("not all could be read about the message ({why})")
NOBODY = Said("no such message, or none that this token may see")


@record
class MessageAddress:
    """Where a message stands: channel, time stamp and, of a reply, the time stamp that its thread began with."""

    channel: str
    ts: str
    thread: str = ""


def place_of(native: NativeQuery) -> MessageAddress | None:
    """The place that a native query names, if it names one."""
    if "ts" not in native.args:
        return None
    return MessageAddress(str(native.args["channel"]), str(native.args["ts"]), str(native.args.get("thread_ts", "")))


def readings(place: MessageAddress) -> tuple[HttpRequest, ...]:
    """How to read the message, to be tried in order.

    A history holds no replies, and an address may have lost the part that says that it is of one. The first message of
    a thread comes along with whatever is read of it.

    https://docs.slack.dev/reference/methods/conversations.history
    https://docs.slack.dev/reference/methods/conversations.replies
    """
    here = {"channel": place.channel, "oldest": place.ts, "latest": place.ts, "inclusive": "true"}
    replies = {**here, "ts": place.thread or place.ts, "limit": "2"}
    in_thread = HttpRequest("GET", "conversations.replies", replies, bucket=BUCKET)
    if place.thread:
        return (in_thread,)
    return HttpRequest("GET", "conversations.history", {**here, "limit": "1"}, bucket=BUCKET), in_thread


def descriptions(place: MessageAddress) -> tuple[HttpRequest, HttpRequest]:
    """What a search would tell of the message besides: the name of its channel, and its address as Slack writes it."""
    return (
        HttpRequest("GET", "conversations.info", {"channel": place.channel}, bucket=BUCKET),
        HttpRequest("GET", "chat.getPermalink", {"channel": place.channel, "message_ts": place.ts}, bucket=BUCKET),
    )


def message_in(reply: Reply, place: MessageAddress) -> Mapping[str, object] | None:
    """The message among those of a reply; raises :class:`BadReply` where it could be one that does not say when it was sent."""
    spoken = read(Spoken, reply.data, "Slack").messages
    for each in spoken:
        read(Sent, each, "Slack")
    return next((each for each in spoken if isinstance(each, Mapping) and each.get("ts") == place.ts), None)


async def fetch(
    source: HttpSource, place: MessageAddress, call: Call, sent: str
) -> tuple[Mapping[str, object] | None, tuple[Said, ...]]:
    """The message as ``search.messages`` would return it (or nothing), and notes on what is missing of it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + call.timeout
    message: Mapping[str, object] | None = None
    try:
        for request in readings(place):
            left = replace(call, timeout=end - loop.time())
            message = message_in(await source.send(request, left, sent=sent), place)
            if message is not None:
                break
    except NotThere:
        message = None
    if message is None:
        return None, ()
    told = await source.send_all(descriptions(place), replace(call, timeout=end - loop.time()))
    described, notes = _described(place, told)
    return {**message, **described}, notes


def _described(
    place: MessageAddress, told: Sequence[Reply | SourceError]
) -> tuple[Mapping[str, object], tuple[Said, ...]]:
    """What could be told of the message; the rest costs itself and a note."""
    known: dict[str, object] = {"channel": {"id": place.channel}}
    failures: list[SourceError] = []
    for reading, reply in zip((_channel, _address), told, strict=True):
        try:
            known |= reading(reply)
        except SourceError as failure:
            failures.append(failure)
    return known, (NOT_ALL.filled(why=failures[0].message),) if failures else ()


def _channel(reply: Reply | SourceError) -> Mapping[str, object]:
    """Its id and name; Slack gives a direct message the other person's id for a name."""
    here = read(Info, _come(reply).data, "Slack").channel
    return {"channel": {"id": here.id, "name": here.name or here.user}}


def _address(reply: Reply | SourceError) -> Mapping[str, object]:
    return {"permalink": read(Linked, _come(reply).data, "Slack").permalink}


def _come(reply: Reply | SourceError) -> Reply:
    if isinstance(reply, SourceError):
        raise reply
    return reply
