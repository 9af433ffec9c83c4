"""Slack as `search.messages` and the methods around it show it, over the messages of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.slack import render
from orchestrator.sandbox.slack.arguments import (
    Arguments,
    SlackError,
    choice,
    cut,
    paging,
    read_arguments,
    read_page,
    whole,
)
from orchestrator.sandbox.slack.realtime import RealtimeSearch, read_values
from orchestrator.sandbox.slack.search import MessageSearch, Reader, SlackQuery, parse
from orchestrator.sandbox.slack.signing_in import PAGE, SigningIn
from orchestrator.sandbox.slack.store import (
    GUEST,
    TEAM_ID,
    WORKSPACE,
    Channel,
    Grant,
    Message,
    Workspace,
    grants,
    member_id,
)
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header

MAX_COUNT = 100
Method = Callable[[Arguments, Grant], dict[str, Any]]
TypedMethod = Callable[[Mapping[str, Any], Grant], dict[str, Any]]
__all__ = ["EMULATOR", "SlackEmulator"]


class SlackEmulator:
    """Slack over the messages of a corpus."""

    source = "slack"
    base_path = "/api/"

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self._situation = situation
        self._workspace = Workspace(situation.corpus.of(self.source), situation.corpus.people)
        self._search = MessageSearch(self._workspace)
        self._grants = grants(situation.owner, token)
        self.tokens: Sequence[str] = tuple(self._grants)
        self.signing_in = SigningIn(situation, situation.corpus.people)
        self._signs: Mapping[str, Callable[[WireRequest, object], dict[str, Any]]] = {
            "oauth.v2.access": self.signing_in.access,
            "auth.revoke": self.signing_in.revoke,
        }
        talks = Conversations(self._workspace)
        realtime = RealtimeSearch(situation, self._workspace, self._search)
        self._typed: Mapping[str, TypedMethod] = {
            "assistant.search.context": realtime.context,
            "assistant.search.info": realtime.info,
        }
        self._methods: Mapping[str, tuple[str, Method]] = {
            "auth.test": ("", self._auth_test),
            "search.messages": ("search:read", self._search_messages),
            "users.list": ("users:read", self._users_list),
            "users.info": ("users:read", self._users_info),
            "users.lookupByEmail": ("users:read.email", self._users_lookup),
            "conversations.list": ("channels:read", talks.list),
            "conversations.info": ("channels:read", talks.info),
            "conversations.history": ("channels:history", talks.history),
            "conversations.replies": ("channels:history", talks.replies),
            "chat.getPermalink": ("", talks.permalink),
        }

    def answer(self, request: WireRequest) -> WireReply:
        """Slack answers HTTP 200 and says `ok: false` for nearly everything that is wrong."""
        if request.path == PAGE and request.method == "GET":
            return self.signing_in.page(request)
        if not request.path.startswith(self.base_path):
            return json_reply(404, {"ok": False, "error": "not_found"})
        if request.method not in ("GET", "POST"):
            return json_reply(405, {"ok": False, "error": "invalid_post_type"}, headers={"Allow": "GET, POST"})
        name = request.path.removeprefix(self.base_path)
        asked: dict[str, Any] = {}
        try:
            asked = read_values(request) if name in self._typed else dict(read_arguments(request))
            token = request.bearer or asked.pop("token", None)
            asked.pop("token", None)
            if name in self._signs:
                asked = {}  # all of them are secrets, and none is recorded
            body = self._signs[name](request, token) if name in self._signs else self._call(name, asked, token)
        except SlackError as error:
            return json_reply(200, {"ok": False, "error": error.code, **error.details}, asked=_shown(asked))
        hits = body["messages"]["total"] if name == "search.messages" else body.pop("__total__", 0)
        return json_reply(200, {"ok": True, **body}, asked=_shown(asked), hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 with `Retry-After`, or an HTTP error as Slack's edge gives it."""
        status = fault.refusal or 500
        code = {429: "ratelimited", 503: "service_unavailable"}.get(status, "internal_error")
        return json_reply(status, {"ok": False, "error": code}, headers=retry_header(fault))

    def too_large(self) -> WireReply:
        return json_reply(413, {"ok": False, "error": "request_too_large"})

    def origins(self) -> Mapping[str, str]:
        """By permalink and by `channel:ts`."""
        links = {message.permalink: message.row.id for message in self._workspace.messages}
        return links | {f"{m.channel.id}:{m.ts}": m.row.id for m in self._workspace.messages}

    def _call(self, name: str, arguments: Mapping[str, Any], token: object) -> dict[str, Any]:
        if not token or not isinstance(token, str):
            raise SlackError("not_authed")
        grant = self._grants.get(token) or self.signing_in.grant(token)
        if grant is None:
            raise SlackError("invalid_auth")
        if name in self._typed:
            return self._typed[name](arguments, grant)
        if name not in self._methods:
            raise SlackError("unknown_method", req_method=name)
        scope, method = self._methods[name]
        if grant.bot and scope == "search:read":
            raise SlackError("not_allowed_token_type")
        if scope and scope not in grant.scopes:
            raise SlackError("missing_scope", needed=scope, provided=",".join(sorted(grant.scopes)))
        return method(arguments, grant)

    def _auth_test(self, _: Arguments, grant: Grant) -> dict[str, Any]:
        names = {"user": grant.person.handle, "user_id": member_id(grant.person)}
        bot = {"bot_id": "B0SANDBOX"} if grant.bot else {}
        return {"url": f"{WORKSPACE}/", "team": "Acme", "team_id": TEAM_ID, **names, **bot}

    def _search_messages(self, arguments: Arguments, grant: Grant) -> dict[str, Any]:
        text = arguments.get("query", "")
        if not text.strip():
            raise SlackError("no_query")
        count = min(whole(arguments, "count", 20, least=1), MAX_COUNT)
        order, direction = choice(arguments, "sort", "score", "timestamp"), choice(arguments, "sort_dir", "desc", "asc")
        scope = (text, order, direction)
        page = read_page(arguments, count, scope)
        query = parse(text)
        found = self._sorted(query, grant, order, direction)
        shown = found[page.start : page.start + count]
        marking = arguments.get("highlight", "").casefold() in ("true", "1")
        matches = [render.match(message, self._rendered(message, query, marking=marking)) for message in shown]
        return {"query": text, "messages": {"matches": matches, **paging(page, len(found), len(shown), scope)}}

    def _sorted(self, query: SlackQuery, grant: Grant, order: str, direction: str) -> Sequence[Message]:
        now = self._situation.clock()
        reader = Reader(member_id(grant.person), grant.sees_private, now, self._situation.zone)
        found = self._search.find(query, reader)
        if order == "timestamp":
            found = sorted(found, key=lambda pair: (pair[0].micros, pair[0].row.id))
        else:
            found = sorted(found, key=lambda pair: (pair[1], pair[0].micros, pair[0].row.id))
        messages = [message for message, _ in found]
        return messages if direction == "asc" else messages[::-1]

    def _rendered(self, message: Message, query: SlackQuery, *, marking: bool) -> str:
        text = render.mrkdwn(message.row.text, self._workspace)
        return render.highlighted(text, query.wanted) if marking else text

    def _users_list(self, arguments: Arguments, _: Grant) -> dict[str, Any]:
        everyone = [*self._workspace.members.values(), GUEST]
        members = [self._member(person) for person in everyone]
        shown, following = cut(members, arguments, "users.list", default=len(members))
        now = int(self._situation.clock().timestamp())
        return {"members": shown, "cache_ts": now, "response_metadata": {"next_cursor": following}}

    def _users_info(self, arguments: Arguments, _: Grant) -> dict[str, Any]:
        person = self._person(arguments.get("user", ""))
        return {"user": self._member(person)}

    def _users_lookup(self, arguments: Arguments, _: Grant) -> dict[str, Any]:
        email = arguments.get("email", "")
        person = self._workspace.people.find(email)
        if person is None or person.email.casefold() != email.casefold():
            raise SlackError("users_not_found")
        return {"user": self._member(person)}

    def _person(self, user: str) -> Person:
        person = self._workspace.members.get(user) or (GUEST if user == GUEST.id else None)
        if person is None:
            raise SlackError("user_not_found")
        return person

    def _member(self, person: Person) -> dict[str, Any]:
        now, zone = self._situation.clock(), self._situation.zone
        return render.member(person, zone, now, restricted=person is GUEST)


def _shown(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a record may hold: an action token is as secret as any other."""
    return {name: value for name, value in asked.items() if name != "action_token"}


# ---- the methods on conversations: listing them, reading history and threads, permalinks

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


EMULATOR = SlackEmulator
