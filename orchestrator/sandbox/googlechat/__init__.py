"""Google Chat's REST API, as far as searching and reading needs it, over the messages of a corpus."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.google import (
    FieldError,
    GoogleError,
    Mask,
    Parameters,
    check_names,
    limited,
    mask_of,
    masked,
    one,
    parameters_of,
    recorded,
    status_reply,
    token_of,
    wrong_token,
)
from orchestrator.sandbox.googlechat.search import FilterError, MessageSearch, needs_spaces
from orchestrator.sandbox.googlechat.store import Message, Messages, Space, user_name
from orchestrator.sandbox.wire import (
    Situation,
    WireReply,
    WireRequest,
    cursor,
    json_reply,
    place_of,
    retry_header,
    whole_number,
)

TOKEN = "ya29.sandbox-chat"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
MESSAGES_TOKEN = "ya29.sandbox-chat-messages"  # noqa: S105
"""A token without the scope chat.spaces.readonly: it may not list spaces, nor ask for them by name."""
MOST_MESSAGES, MOST_SPACES = 100, 1000
_SPACE = "name,displayName,spaceType,type,spaceUri,spaceThreadingState,spaceHistoryState"
SPACES = mask_of(f"nextPageToken,spaces({_SPACE})")
MESSAGE = mask_of(
    "name,sender(name,displayName,email,type,domainId),createTime,lastUpdateTime,text,formattedText,argumentText,"
    "thread(name),threadReply,space(name),attachment(name,contentName,contentType,source),cardsV2(cardId),"
    "emojiReactionSummaries(emoji(unicode,customEmoji(uid,emojiName)),reactionCount),annotations,fallbackText"
)
FOUND = {"nextPageToken": {}, "results": {"message": MESSAGE, "read": {}, "spaceMuteSetting": {}}}
_GET = re.compile(r"/v1/(spaces/[\w-]+/messages/[\w.-]+)", re.ASCII)
_SEARCH = re.compile(r"/v1/spaces/([^/]+)/messages:search")
_KEYS = frozenset({"filter", "pageSize", "pageToken", "orderBy", "view", "markupSyntax"})
_ORDERS = ("create_time desc", "relevance desc")
__all__ = ["EMULATOR", "GoogleChatEmulator"]


class GoogleChatEmulator:
    """Google Chat over the messages of a corpus."""

    source = "googlechat"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, MESSAGES_TOKEN)
        self._messages = Messages(situation.corpus.of(self.source), situation.corpus.people, situation.owner)
        self._search = MessageSearch(self._messages)

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is an error object with its own HTTP status."""
        asked: Mapping[str, Any] = recorded(request)
        try:
            parameters = parameters_of(request)
            token = token_of(request, parameters)
            if token not in self.tokens:
                raise wrong_token()
            body = _body(request)
            asked = {**asked, **body}
            value, hits = self._routed(request, parameters, body, spaces=token != MESSAGES_TOKEN)
        except GoogleError as error:
            return replace(status_reply(error), asked=asked)
        return json_reply(200, value, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 with the reason `RATE_LIMIT_EXCEEDED` (and `Retry-After` if the fault names one), or another error."""
        status = fault.refusal or 500
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            error = GoogleError(status, "Quota exceeded for quota metric 'Message searches'.", "RATE_LIMIT_EXCEEDED")
        else:
            error = GoogleError(status, f"A fault of the sandbox: HTTP {status}.")
        return status_reply(error, retry_header(fault))

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return status_reply(GoogleError(413, "Request payload size exceeds the limit: 1048576 bytes."))

    def origins(self) -> Mapping[str, str]:
        """By resource name, and by URL where the corpus has one."""
        messages = self._messages.messages
        return {m.name: m.row.id for m in messages} | {m.row.url: m.row.id for m in messages if m.row.url}

    def _routed(
        self, request: WireRequest, parameters: Parameters, body: Mapping[str, Any], *, spaces: bool
    ) -> tuple[dict[str, Any], int]:
        if found := _SEARCH.fullmatch(request.path):
            _check_method(request, "POST")
            check_names(parameters, ())
            return self._found(found[1], body, _mask(parameters, FOUND), spaces=spaces)
        _check_method(request, "GET")
        if found := _GET.fullmatch(request.path):
            check_names(parameters, {"markupSyntax"})
            return masked(_message(self._known(found[1])), _mask(parameters, MESSAGE)), 1
        if request.path == "/v1/spaces":
            check_names(parameters, {"pageSize", "pageToken"})
            return self._listed(parameters, spaces=spaces)
        raise GoogleError(404, "The requested URL was not found on this server.")

    def _found(self, parent: str, body: Mapping[str, Any], mask: Mask, *, spaces: bool) -> tuple[dict[str, Any], int]:
        if parent != "-":
            raise GoogleError(400, "Invalid parent: only spaces/- is supported.")
        order = body.get("orderBy") or "create_time desc"
        if order not in _ORDERS:
            raise GoogleError(400, "Invalid order by.")
        try:
            if needs_spaces(body.get("filter", "")) and not spaces:
                raise _no_scope()
            found = self._search.find(body["filter"], by_relevance=order == "relevance desc")
        except FilterError as error:
            raise GoogleError(400, "Invalid filter.") from error
        size = _size(str(body.get("pageSize") or 25), MOST_MESSAGES)
        start = _start(body.get("pageToken", ""), body.get("filter"), order)
        value: dict[str, Any] = {"results": [{"message": _message(each)} for each in found[start : start + size]]}
        if start + size < len(found):
            value["nextPageToken"] = cursor(start + size, body.get("filter"), order)
        return masked({name: part for name, part in value.items() if part}, mask), len(found)

    def _listed(self, parameters: Parameters, *, spaces: bool) -> tuple[dict[str, Any], int]:
        if not spaces:
            raise _no_scope()
        every = list(self._messages.spaces.values())
        size = _size(one(parameters, "pageSize") or "100", MOST_SPACES)
        start = _start(one(parameters, "pageToken"), "spaces")
        value: dict[str, Any] = {"spaces": [_space(each) for each in every[start : start + size]]}
        if start + size < len(every):
            value["nextPageToken"] = cursor(start + size, "spaces")
        return masked(value, _mask(parameters, SPACES)), 0

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


def _check_method(request: WireRequest, method: str) -> None:
    if request.method != method:
        raise GoogleError(405, f"Only {method} is allowed.")


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


def _mask(parameters: Parameters, known: Mask) -> Mask:
    text = one(parameters, "fields")
    try:
        return limited(mask_of(text), known) if text else known
    except FieldError as error:
        raise GoogleError(400, f"Invalid field selection {str(error)[:100]}") from error


def _no_scope() -> GoogleError:
    return GoogleError(403, "Request had insufficient authentication scopes.", "ACCESS_TOKEN_SCOPE_INSUFFICIENT")


def _size(text: str, most: int) -> int:
    size = whole_number(text, 0, 10**9)
    if size is None:
        raise GoogleError(400, "Invalid page size.")
    return min(size, most) or most


def _start(token: str, *scope: object) -> int:
    start = place_of(token, *scope) if token else 0
    if start is None:
        raise GoogleError(400, "Invalid page token.")
    return start


EMULATOR = GoogleChatEmulator
