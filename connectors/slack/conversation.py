"""What was said around a message: its thread, or what stood beside it in its channel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectors.http import HttpRequest
from connectors.slack.fetch import BUCKET
from connectors.slack.wire import Spoken
from connectors.wire import read
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connectors.contract import Hit
    from connectors.http import Reply

READ = "read"
"""The argument that tells such a reading from a search and from the fetch of one message."""
REPLIES, HISTORY = "conversations.replies", "conversations.history"


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
