"""The methods on conversations: listing them, reading history and threads, permalinks."""

import re
from collections.abc import Sequence
from typing import Any

from orchestrator.sandbox.slack import render
from orchestrator.sandbox.slack.arguments import Arguments, SlackError, choice, cut
from orchestrator.sandbox.slack.store import Channel, Grant, Message, Workspace, member_id

_TS = re.compile(r"(\d{1,12})(?:\.(\d{1,6}))?", re.ASCII)
_TYPES = frozenset({"public_channel", "private_channel", "mpim", "im"})
_FOREVER = 10**18


class Conversations:
    """What a token may see of a workspace's conversations."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def list(self, arguments: Arguments, grant: Grant) -> dict[str, Any]:
        """conversations.list: public channels unless `types` says otherwise."""
        types = set((arguments.get("types") or "public_channel").replace(" ", "").split(","))
        if not types <= _TYPES:
            raise SlackError("invalid_types")
        names = {False: "public_channel", True: "private_channel"}
        visible = [c for c in self._workspace.channels.values() if names[c.private] in types and _sees(grant, c)]
        shown = [render.channel(channel, member=_is_member(grant, channel)) for channel in visible]
        page, rest = cut(shown, arguments, "conversations.list", ",".join(sorted(types)), default=100)
        return {"channels": page, "response_metadata": {"next_cursor": rest}}

    def info(self, arguments: Arguments, grant: Grant) -> dict[str, Any]:
        """conversations.info."""
        channel = self._channel(arguments, grant)
        return {"channel": render.channel(channel, member=_is_member(grant, channel))}

    def history(self, arguments: Arguments, grant: Grant) -> dict[str, Any]:
        """conversations.history: newest first, without the replies in threads."""
        channel = self._channel(arguments, grant)
        messages = [message for message in reversed(channel.messages) if message.root is None]
        return self._listed(_within(messages, arguments), arguments, "history", channel.id, default=100)

    def replies(self, arguments: Arguments, grant: Grant) -> dict[str, Any]:
        """conversations.replies: a thread, oldest first, by its first message or any other."""
        channel = self._channel(arguments, grant)
        message = _at(channel, arguments.get("ts", ""), "thread_not_found")
        root = message.root or message
        messages = [root, *_within(root.replies, arguments)]
        return self._listed(messages, arguments, "replies", channel.id, root.ts, default=1000)

    def permalink(self, arguments: Arguments, grant: Grant) -> dict[str, Any]:
        """chat.getPermalink."""
        channel = self._channel(arguments, grant)
        message = _at(channel, arguments.get("message_ts", ""), "message_not_found")
        return {"channel": channel.id, "permalink": message.permalink}

    def _channel(self, arguments: Arguments, grant: Grant) -> Channel:
        channel = self._workspace.channels.get(arguments.get("channel", ""))
        if channel is None or not _sees(grant, channel):
            raise SlackError("channel_not_found")
        return channel

    def _listed(self, messages: Sequence[Message], arguments: Arguments, *scope: str, default: int) -> dict[str, Any]:
        page, rest = cut(messages, arguments, *scope, default=default)
        texts = [render.history(message, render.mrkdwn(message.row.text, self._workspace)) for message in page]
        more = {"response_metadata": {"next_cursor": rest}} if rest else {}
        return {"messages": texts, "has_more": bool(rest), **more}


def _is_member(grant: Grant, channel: Channel) -> bool:
    return grant.sees_private or member_id(grant.person) in channel.members


def _sees(grant: Grant, channel: Channel) -> bool:
    return not channel.private or _is_member(grant, channel)


def _micros(text: str, error: str) -> int:
    stamp = _TS.fullmatch(text)
    if stamp is None:
        raise SlackError(error)
    return int(stamp[1]) * 1_000_000 + int((stamp[2] or "").ljust(6, "0"))


def _at(channel: Channel, ts: str, error: str) -> Message:
    micros = _micros(ts, error)
    for message in channel.messages:
        if message.micros == micros:
            return message
    raise SlackError(error)


def _within(messages: Sequence[Message], arguments: Arguments) -> Sequence[Message]:
    """Between `oldest` and `latest`, which are themselves left out unless `inclusive`."""
    oldest = _micros(arguments.get("oldest") or "0", "invalid_ts_oldest")
    latest = _micros(arguments["latest"], "invalid_ts_latest") if arguments.get("latest") else _FOREVER
    inclusive = choice(arguments, "inclusive", "false", "true", "0", "1") in ("true", "1")
    if inclusive:
        return [message for message in messages if oldest <= message.micros <= latest]
    return [message for message in messages if oldest < message.micros < latest]
