"""Google Chat's REST API, as far as searching and reading needs it, over the messages of a corpus."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.sandbox.google import (
    GoogleCall,
    GoogleEmulator,
    GoogleError,
    GoogleMethod,
    mask_of,
    masked,
    paged,
    size_of,
    status_reply,
)
from orchestrator.sandbox.googlechat.search import FilterError, MessageSearch, needs_spaces
from orchestrator.sandbox.googlechat.store import Message, Messages, Space, user_name
from orchestrator.sandbox.wire import Situation, WireRequest

TOKEN = "ya29.sandbox-chat"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
MESSAGES_TOKEN = "ya29.sandbox-chat-messages"  # noqa: S105
"""A token without the scope chat.spaces.readonly: it may not list spaces, nor ask for them by name."""
MOST_MESSAGES, MOST_SPACES, MOST_LISTED = 100, 1000, 1000
_SPACE = "name,displayName,spaceType,type,spaceUri,spaceThreadingState,spaceHistoryState"
SPACES = mask_of(f"nextPageToken,spaces({_SPACE})")
MESSAGE = mask_of(
    "name,sender(name,displayName,email,type,domainId),createTime,lastUpdateTime,text,formattedText,argumentText,"
    "thread(name),threadReply,space(name),attachment(name,contentName,contentType,source),cardsV2(cardId),"
    "emojiReactionSummaries(emoji(unicode,customEmoji(uid,emojiName)),reactionCount),annotations,fallbackText"
)
FOUND = {"nextPageToken": {}, "results": {"message": MESSAGE, "read": {}, "spaceMuteSetting": {}}}
SAID = {"nextPageToken": {}, "messages": MESSAGE}
_THREAD = re.compile(r"\s*thread\.name\s*=\s*(?P<name>spaces/[\w-]+/threads/[\w.-]+)\s*", re.ASCII)
_KEYS = frozenset({"filter", "pageSize", "pageToken", "orderBy", "view", "markupSyntax"})
_ORDERS = ("create_time desc", "relevance desc")
__all__ = ["EMULATOR", "GoogleChatEmulator"]


class GoogleChatEmulator(GoogleEmulator):
    """Google Chat over the messages of a corpus."""

    source = "googlechat"
    quota = ("Quota exceeded for quota metric 'Message searches'.", "RATE_LIMIT_EXCEEDED")
    told = staticmethod(status_reply)

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, MESSAGES_TOKEN)
        self._messages = Messages(situation.corpus.of(self.source), situation.corpus.people, situation.owner)
        self._search = MessageSearch(self._messages)
        message = re.compile(r"/v1/(?P<step>spaces/[\w-]+/messages/[\w.-]+)", re.ASCII)
        self.methods = (
            GoogleMethod(re.compile(r"/v1/spaces/(?P<step>[^/]+)/messages:search"), self._found, verb="POST"),
            GoogleMethod(message, self._get, frozenset({"markupSyntax"})),
            GoogleMethod(
                re.compile(r"/v1/(?P<step>spaces/[\w-]+)/messages", re.ASCII),
                self._said,
                frozenset({"filter", "orderBy", "pageSize", "pageToken", "showDeleted"}),
            ),
            GoogleMethod(re.compile("/v1/spaces(?P<step>)"), self._listed, frozenset({"pageSize", "pageToken"})),
        )

    def recorded(self, request: WireRequest) -> dict[str, Any]:
        """With what the body says, where it can be read."""
        try:
            return {**super().recorded(request), **_body(request)}
        except GoogleError:
            return super().recorded(request)

    def origins(self) -> Mapping[str, str]:
        """By resource name, and by URL where the corpus has one."""
        messages = self._messages.messages
        return {m.name: m.row.id for m in messages} | {m.row.url: m.row.id for m in messages if m.row.url}

    def _found(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        body, mask = _body(call.request), call.mask(FOUND, FOUND)
        if call.step != "-":
            raise GoogleError(400, "Invalid parent: only spaces/- is supported.")
        order = body.get("orderBy") or "create_time desc"
        if order not in _ORDERS:
            raise GoogleError(400, "Invalid order by.")
        try:
            if needs_spaces(body.get("filter", "")) and call.narrow:
                raise _no_scope()
            found = self._search.find(body["filter"], by_relevance=order == "relevance desc")
        except FilterError as error:
            raise GoogleError(400, "Invalid filter.") from error
        size = _size(str(body.get("pageSize") or 25), MOST_MESSAGES)
        page = paged("results", found, size, body.get("pageToken", ""), (body.get("filter"), order))
        results = [{"message": _message(each)} for each in page["results"]]
        return masked({**page, "results": results} if results else {}, mask), len(found)

    def _get(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        return masked(_message(self._known(call.step)), call.mask(MESSAGE, MESSAGE)), 1

    def _said(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        """The messages of a space or of one of its threads; oldest first unless the order says otherwise. By their times none is asked for here."""
        thread = _THREAD.fullmatch(call.one("filter"))
        if call.one("filter") and not thread:
            raise GoogleError(400, "Invalid filter query.")
        there = [each for each in self._messages.messages if each.space.name == call.step]
        if not there:
            raise GoogleError(404, "Requested entity was not found.")
        if call.one("orderBy").upper().removeprefix("CREATE_TIME").strip() != "DESC":
            there.reverse()
        if thread:
            there = [each for each in there if each.thread == thread["name"]]
        size = _size(call.one("pageSize") or "25", MOST_LISTED)
        page = paged(
            "messages", there, size, call.one("pageToken"), (call.step, call.one("filter"), call.one("orderBy"))
        )
        messages = [_message(each) for each in page["messages"]]
        return masked({**page, "messages": messages} if messages else {}, call.mask(SAID, SAID)), len(there)

    def _listed(self, call: GoogleCall) -> tuple[dict[str, Any], int]:
        if call.narrow:
            raise _no_scope()
        size = _size(call.one("pageSize") or "100", MOST_SPACES)
        every = [_space(each) for each in self._messages.spaces.values()]
        return masked(paged("spaces", every, size, call.one("pageToken"), ("spaces",)), call.mask(SPACES, SPACES)), 0

    def _known(self, name: str) -> Message:
        if name in self._messages.hidden:
            raise GoogleError(403, "Permission denied to perform the requested action on the specified resource.")
        message = self._messages.by_name.get(name)
        if message is None:
            raise GoogleError(404, "Message not found.")
        return message


def _message(message: Message) -> dict[str, Any]:
    sender = message.sender
    value: dict[str, Any] = {
        "name": message.name,
        "sender": {"name": user_name(sender), "displayName": sender.name, "email": sender.email, "type": "HUMAN"},
        "createTime": _instant(message.created),
        "lastUpdateTime": _instant(message.edited) if message.edited else None,
        "text": message.text,
        "formattedText": message.text,
        "thread": {"name": message.thread},
        "threadReply": message.reply or None,
        "space": {"name": message.space.name},
        "attachment": [{"name": f"{message.name}/attachments/{n}", "contentName": name, "source": "UPLOADED_CONTENT"}
                       for n, name in enumerate(message.files)],
        "emojiReactionSummaries": [{"emoji": {"customEmoji": {"emojiName": f":{name}:"}}, "reactionCount": 1}
                                   for name in message.reactions],
    }  # fmt: skip
    return {name: part for name, part in value.items() if part not in (None, [], "")}


def _space(space: Space) -> dict[str, Any]:
    value = {"name": space.name, "displayName": space.title, "spaceType": space.type, "spaceUri": space.uri}
    return {name: part for name, part in value.items() if part}


def _instant(moment: Any) -> str:
    return f"{moment.isoformat(timespec='microseconds').removesuffix('+00:00')}Z"


def _body(request: WireRequest) -> Mapping[str, Any]:
    """The JSON object of a request, its fields known and of the right type."""
    if not request.body.strip():
        return {}
    try:
        value = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise GoogleError(400, "Invalid JSON payload received. Parse error.") from error
    if not isinstance(value, dict):
        raise GoogleError(400, "Invalid JSON payload received. Unknown name.")
    for name, part in value.items():
        if name not in _KEYS:
            raise GoogleError(400, f'Invalid JSON payload received. Unknown name "{name[:100]}": Cannot find field.')
        if not isinstance(part, str) and (name != "pageSize" or not isinstance(part, int) or isinstance(part, bool)):
            raise GoogleError(400, f"Invalid value at '{name}'.")
    return value


def _no_scope() -> GoogleError:
    return GoogleError(403, "Request had insufficient authentication scopes.", "ACCESS_TOKEN_SCOPE_INSUFFICIENT")


def _size(text: str, most: int) -> int:
    """Of nothing, as many as there may be."""
    return size_of(text, 0, most) or most


EMULATOR = GoogleChatEmulator
