"""Microsoft Graph, as far as searching and reading needs it, over the mail, messages and files of a corpus.

The body of a search is refused where the documentation says that Graph refuses it:
https://learn.microsoft.com/en-us/graph/api/resources/search-api-overview (page sizes, known limitations),
https://learn.microsoft.com/en-us/graph/api/resources/searchrequest. Errors: https://learn.microsoft.com/en-us/graph/errors.
Messages of Teams are listed as https://learn.microsoft.com/en-us/graph/api/chat-list-messages, …/channel-list-messages and
…/chatmessage-list-replies say; a row of a channel with a ``thread`` answers the row of that id. That a search does not say what
a message answers, and that a reply is read by no other path than its own, is what people report of the service.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.microsoft365 import render
from orchestrator.sandbox.microsoft365.grammar import KqlError, parse, positive_texts
from orchestrator.sandbox.microsoft365.search import GraphSearch, newest_first
from orchestrator.sandbox.microsoft365.store import STORED, Item, Tenant
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

__all__ = ["EMULATOR", "GraphEmulator"]

CODES: Mapping[int, str] = MappingProxyType(
    {
        400: "BadRequest", 401: "InvalidAuthenticationToken", 403: "Forbidden", 404: "itemNotFound", 405: "Request_BadRequest",
        413: "RequestEntityTooLarge", 429: "TooManyRequests", 500: "InternalServerError", 503: "serviceNotAvailable",
    }
)  # fmt: skip
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_REQUEST_ID = "00000000-0000-4000-8000-000000000000"


class GraphError(Exception):
    """A request refused; `code` is the status's usual one unless given."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code or CODES.get(status, "UnknownError")


def error_reply(
    error: GraphError, headers: Mapping[str, str] = _NO_HEADERS, asked: Mapping[str, Any] = MappingProxyType({})
) -> WireReply:
    """`{"error": {"code", "message", "innerError"}}`; without a token, how to sign in as a header."""
    inner = {"date": "2026-11-20T00:00:00", "request-id": _REQUEST_ID, "client-request-id": _REQUEST_ID}
    body = {"error": {"code": error.code, "message": error.message, "innerError": inner}}
    challenge = {"WWW-Authenticate": 'Bearer realm=""'} if error.status == HTTPStatus.UNAUTHORIZED else {}
    return json_reply(error.status, body, headers={"request-id": _REQUEST_ID, **challenge, **headers}, asked=asked)


MAIL = "message"
MOST_MESSAGES, MOST_STORED, MOST_SORTS = 25, 500, 5
ENTITIES = frozenset(
    {"event", "message", "driveItem", "externalItem", "site", "list", "listItem", "drive", "chatMessage", "person", "acronym", "bookmark"}
)  # fmt: skip
KNOWN = frozenset(
    {"entityTypes", "query", "from", "size", "fields", "sortProperties", "enableTopResults", "region", "contentSources",
     "aggregations", "aggregationFilters", "collapseProperties", "queryAlterationOptions", "resultTemplateOptions",
     "sharePointOneDriveOptions"}
)  # fmt: skip
SORTABLE: Mapping[str, str] = MappingProxyType(
    {
        "lastmodifieddatetime": "updated",
        "lastmodifiedtime": "updated",
        "createddatetime": "created",
        "created": "created",
        "name": "title",
    }
)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A request that can be answered. `sort`: attributes, the most important first, and whether each descends."""

    types: Sequence[str]
    query: str
    start: int
    size: int
    sort: Sequence[tuple[str, bool]]
    top: bool


def read_search(body: bytes) -> SearchRequest:
    """The one request in a body; raises `GraphError`."""
    asked = _request(body)
    if unknown := asked.keys() - KNOWN:
        raise GraphError(400, f"The property '{min(unknown)[:100]}' does not exist on type 'searchRequest'.")
    types = _types(asked.get("entityTypes"))
    stored = STORED.issuperset(types)
    query = asked.get("query")
    text = query.get("queryString") if isinstance(query, dict) else None
    if not isinstance(text, str):
        raise GraphError(400, "The query of a search request is to hold a queryString.")
    if asked.get("sortProperties") and not stored:
        raise GraphError(400, f"Sorting is not supported for {', '.join(types)}.")
    return SearchRequest(
        types=types,
        query=text,
        start=_whole(asked, "from", 0, 0, 10**6),
        size=_whole(asked, "size", 25, 1, MOST_STORED if stored else MOST_MESSAGES),
        sort=_sort(asked.get("sortProperties") or []),
        top=_flag(asked, "enableTopResults"),
    )


def _request(body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise GraphError(400, "Unable to read JSON request payload.") from error
    requests = value.get("requests") if isinstance(value, dict) else None
    if not isinstance(requests, list) or not requests or not all(isinstance(each, dict) for each in requests):
        raise GraphError(400, "The body is to hold requests, a list of search requests.")
    if len(requests) > 1:
        raise GraphError(400, "The service supports a single search request at a time.")
    first: Mapping[str, Any] = requests[0]
    return first


def _types(value: object) -> Sequence[str]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise GraphError(400, "entityTypes is to be a list of types.")
    if unknown := sorted(set(value) - ENTITIES):
        raise GraphError(400, f"'{unknown[0][:100]}' is no value of entityType.")
    apart = [each for each in value if each not in STORED]
    if apart and len(value) > 1:
        raise GraphError(400, f"The entity types {', '.join(value)} cannot be searched in one request.")
    if apart and apart[0] not in (MAIL, "chatMessage"):
        raise GraphError(400, f"The sandbox holds nothing of the type {apart[0]}.")
    return tuple(value)


def _sort(value: object) -> Sequence[tuple[str, bool]]:
    if not isinstance(value, list) or len(value) > MOST_SORTS or not all(isinstance(each, dict) for each in value):
        raise GraphError(400, f"sortProperties is to be a list of at most {MOST_SORTS} properties.")
    found = [(SORTABLE.get(str(each.get("name")).casefold(), ""), each.get("isDescending", False)) for each in value]
    if not all(name and isinstance(descending, bool) for name, descending in found):
        raise GraphError(400, "A property to sort by is not sortable or does not exist.")
    return found


def _whole(asked: Mapping[str, Any], name: str, usual: int, least: int, most: int) -> int:
    value = asked.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise GraphError(400, f"'{name}' is to be a whole number from {least} to {most}.")
    return value


def _flag(asked: Mapping[str, Any], name: str) -> bool:
    value = asked.get(name) or False
    if not isinstance(value, bool):
        raise GraphError(400, f"'{name}' is to be true or false.")
    return value


TOKEN = "eyJ0eXAi.sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
MAIL_TOKEN = "eyJ0eXAi.sandbox-mail"  # noqa: S105
"""A token with the right to mail (and to who its owner is), and to nothing else."""
USERS_A_PAGE = 100
_OF_CONVERSATION = re.compile(r"conversationId eq '((?:[^']|'')*)'")
Answered = tuple[Mapping[str, Any], int]
MOST_SAID, SAID_A_PAGE = 50, 20
_CHANNEL = "/teams/(?P<team>[^/]+)/channels/(?P<thread>[^/]+)/messages"
_ORDERS: Mapping[str, str] = MappingProxyType(
    {"": "updated", "lastmodifieddatetime desc": "updated", "createddatetime desc": "created"}
)
_SENT = re.compile(r"(createdDateTime|lastModifiedDateTime) (lt|gt) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z)")
_NOT_FOUND = "The specified object was not found in the store."


@dataclass(frozen=True, slots=True)
class _Call:
    """One accepted request: the parts of its path, its parameters, and whether its token may read mail only."""

    parts: Mapping[str, str]
    query: Mapping[str, str]
    request: WireRequest
    mail_only: bool


Route = Callable[[_Call], Answered]


class GraphEmulator:
    """Microsoft Graph over one person's share of a corpus."""

    source = "microsoft365"
    base_path = "/v1.0"

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, MAIL_TOKEN)
        self._clock = situation.clock
        self._tenant = Tenant(situation)
        self._search = GraphSearch(self._tenant, situation.zone)
        self._mails = {item.id: item for item in self._tenant.items if item.type == "message"}
        self._messages = {(item.thread, item.id): item for item in self._tenant.items if item.type == "chatMessage"}
        self._routes: Sequence[tuple[str, re.Pattern[str], Route]] = (
            ("POST", re.compile("/search/query"), self._find),
            ("GET", re.compile("/me"), self._me),
            ("GET", re.compile("/users"), self._users),
            ("GET", re.compile("/sites"), self._sites),
            ("GET", re.compile("/me/messages"), self._conversation),
            ("GET", re.compile("/me/messages/(?P<id>[^/]+)"), self._mail),
            ("GET", re.compile("/chats/(?P<thread>[^/]+)/messages/(?P<id>[^/]+)"), self._message),
            ("GET", re.compile("/chats/(?P<thread>[^/]+)/messages"), self._said),
            ("GET", re.compile(_CHANNEL.removesuffix("/messages")), self._channel),
            ("GET", re.compile(_CHANNEL), self._posts),
            ("GET", re.compile(f"{_CHANNEL}/(?P<id>[^/]+)"), self._message),
            ("GET", re.compile(f"{_CHANNEL}/(?P<first>[^/]+)/replies"), self._replies),
            ("GET", re.compile(f"{_CHANNEL}/(?P<first>[^/]+)/replies/(?P<id>[^/]+)"), self._message),
        )

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is an error object with its own HTTP status."""
        asked = _recorded(request)
        try:
            value, hits = self._routed(request)
        except GraphError as error:
            return error_reply(error, asked=asked)
        return json_reply(200, value, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 `TooManyRequests` (with `Retry-After` if the fault names one), or another of Graph's errors."""
        status = fault.refusal or 500
        return error_reply(GraphError(status, f"A fault of the sandbox: HTTP {status}."), retry_header(fault))

    def too_large(self) -> WireReply:
        return error_reply(GraphError(413, "The request entity is too large."))

    def origins(self) -> Mapping[str, str]:
        """By what search and paths call a thing, and by its URL; a message by its chat or channel and number."""
        names: dict[str, str] = {}
        for item in self._tenant.items:
            own = f"{item.thread}:{item.id}" if item.type == "chatMessage" else item.id
            names |= dict.fromkeys((own, item.hit_id, item.url.replace(" ", "%20"), item.url), item.row.id)
        return {name: row for name, row in names.items() if name}

    def _routed(self, request: WireRequest) -> Answered:
        if request.bearer is None:
            raise GraphError(401, "Access token is empty.")
        if request.bearer not in self.tokens:
            raise GraphError(401, "CompactToken parsing failed with error code: 80049217")
        path = request.path.removeprefix(self.base_path)
        for method, pattern, route in self._routes:
            if request.path.startswith(self.base_path) and (found := pattern.fullmatch(path)):
                if request.method != method:
                    raise GraphError(405, f"Specified HTTP method is not allowed: {request.method}.")
                mail_only = request.bearer == MAIL_TOKEN
                return route(_Call(found.groupdict(), dict(request.query()), request, mail_only))
        raise GraphError(
            404, f"Resource not found for the segment '{path.strip('/').split('/')[0]}'.", "ResourceNotFound"
        )

    def _find(self, call: _Call) -> Answered:
        asked = read_search(call.request.body)
        _check_rights(call, asked.types)
        try:
            query = parse(asked.query)
        except KqlError as error:
            raise GraphError(400, f"The query is not valid KQL: {error}.") from error
        found = self._ordered(asked, self._search.find(query, asked.types, self._clock()))
        shown = found[asked.start : asked.start + asked.size]
        hits = [render.hit(item, asked.start + place, query) for place, item in enumerate(shown, 1)]
        more = asked.start + asked.size < len(found)
        # Of mail and messages, the total counts those on the page only.
        total = len(found) if STORED.issuperset(asked.types) else len(shown)
        terms = [text.text for text in positive_texts(query)]
        return render.page(hits, total, more=more, terms=terms), len(found)

    def _ordered(self, asked: SearchRequest, found: Sequence[Item]) -> Sequence[Item]:
        if not STORED.issuperset(asked.types):
            return newest_first(found, top=asked.top)
        for name, descending in reversed(asked.sort):
            found = sorted(found, key=lambda item: getattr(item, name), reverse=descending)
        return found

    def _me(self, _: _Call) -> Answered:
        return render.user(self._tenant.owner), 0

    def _users(self, call: _Call) -> Answered:
        if call.mail_only:
            raise GraphError(403, "Insufficient privileges to complete the operation.", "Authorization_RequestDenied")
        size = _number(call, "$top", USERS_A_PAGE, 1, 999)
        start = _number(call, "$skiptoken", 0, 0, 10**9)
        people = [render.user(account) for account in self._tenant.people]
        value: dict[str, Any] = {"value": people[start : start + size]}
        if start + size < len(people):
            host = call.request.headers.get("host", "graph.microsoft.com")
            again = "&".join(f"{name}={quote(text)}" for name, text in call.query.items() if name != "$skiptoken")
            value["@odata.nextLink"] = f"http://{host}{self.base_path}/users?{again}&$skiptoken={start + size}"
        return value, 0

    def _sites(self, call: _Call) -> Answered:
        if call.mail_only:
            raise GraphError(403, "Access denied", "accessDenied")
        wanted = call.query.get("search", "*").casefold()
        sites = [
            {"displayName": name, "name": address.rsplit("/", 1)[-1], "webUrl": address}
            for address, name in self._tenant.sites.items()
            if wanted == "*" or wanted in name.casefold()
        ]
        return {"value": sites[: _number(call, "$top", 200, 1, 999)]}, 0

    def _mail(self, call: _Call) -> Answered:
        item = self._mails.get(call.parts["id"])
        if item is None:
            raise GraphError(404, _NOT_FOUND, "ErrorItemNotFound")
        return _selected(render.mail(item), call.query.get("$select", "")), 1

    def _conversation(self, call: _Call) -> Answered:
        """The mails that a filter names by their conversation; no other filter is known here."""
        asked = _OF_CONVERSATION.fullmatch(call.query.get("$filter", ""))
        if asked is None:
            raise GraphError(400, "Invalid filter clause", "BadRequest")
        name = asked[1].replace("''", "'")
        found = [render.mail(item) for item in self._mails.values() if render.conversation(item) == name]
        shown = found[: _number(call, "$top", 10, 1, 1000)]
        return {"value": [_selected(each, call.query.get("$select", "")) for each in shown]}, len(found)

    def _message(self, call: _Call) -> Answered:
        """A message by its own path: that of a reply names what it answers, and it has no other."""
        item = self._known(call, call.parts["id"])
        first = self._tenant.first_of(item)
        if (first.id if first else None) != call.parts.get("first"):
            raise GraphError(404, "NotFound", "NotFound")
        return render.chat_message(item, first), 1

    def _replies(self, call: _Call) -> Answered:
        """The replies to the first message of a thread, newest first, and by no other parameter than how many."""
        first = self._known(call, call.parts["first"])
        _only(call, "$top")
        if self._tenant.first_of(first) is not None:
            raise GraphError(404, "NotFound", "NotFound")
        replies = self._answers(first)
        return {"value": replies[: _number(call, "$top", SAID_A_PAGE, 1, MOST_SAID)]}, len(replies)

    def _channel(self, call: _Call) -> Answered:
        """A channel of a team: what it is called."""
        first = self._there(call)[0]
        return _selected({"id": first.thread, "displayName": first.place}, call.query.get("$select", "")), 1

    def _posts(self, call: _Call) -> Answered:
        """What began the threads of a channel, newest first, with the replies where that is wished."""
        _only(call, "$top", "$expand")
        there = self._there(call)
        posts = [item for item in there if self._tenant.first_of(item) is None]
        shown = posts[: _number(call, "$top", SAID_A_PAGE, 1, MOST_SAID)]
        whole = call.query.get("$expand") == "replies"
        value = [{**render.chat_message(each), **({"replies": self._answers(each)} if whole else {})} for each in shown]
        return {"value": value}, len(posts)

    def _said(self, call: _Call) -> Answered:
        """The messages of a chat, newest first. A filter counts only beside an order by the same property."""
        _only(call, "$top", "$orderby", "$filter")
        order = call.query.get("$orderby", "")
        attribute = _ORDERS.get(order.casefold())
        if attribute is None:
            raise GraphError(400, "OrderBy is supported for lastModifiedDateTime and createdDateTime, descending.")
        there = sorted(self._there(call), key=lambda item: getattr(item, attribute), reverse=True)
        for name, operator, text in _conditions(call.query.get("$filter", "")):
            if name == "createdDateTime" and operator == "gt":
                raise GraphError(400, "createdDateTime supports lt only.")
            if order.casefold().startswith(name.casefold()):
                moment = datetime.fromisoformat(text)
                there = [
                    item
                    for item in there
                    if (getattr(item, attribute) < moment) == (operator == "lt") and getattr(item, attribute) != moment
                ]
        shown = there[: _number(call, "$top", SAID_A_PAGE, 1, MOST_SAID)]
        return {"value": [render.chat_message(each) for each in shown]}, len(there)

    def _there(self, call: _Call) -> Sequence[Item]:
        """The messages of a chat or of a team's channel, newest first."""
        if call.mail_only:
            raise GraphError(403, "Missing scope permissions on the request.")
        there = [item for (thread, _), item in self._messages.items() if thread == call.parts["thread"]]
        known = [item for item in there if (item.team if item.in_channel else None) == call.parts.get("team")]
        if not known:
            raise GraphError(404, "NotFound", "NotFound")
        return newest_first(known, top=False)

    def _known(self, call: _Call, number: str) -> Item:
        found = next((item for item in self._there(call) if item.id == number), None)
        if found is None:
            raise GraphError(404, "NotFound", "NotFound")
        return found

    def _answers(self, first: Item) -> list[Mapping[str, Any]]:
        replies = [item for item in self._messages.values() if self._tenant.first_of(item) is first]
        return [render.chat_message(each, first) for each in newest_first(replies, top=False)]


def _only(call: _Call, *names: str) -> None:
    """Refuse parameters of OData that a list does not know."""
    if unknown := sorted(name for name in call.query if name.startswith("$") and name not in names):
        raise GraphError(400, f"Query option '{unknown[0][:100]}' is not allowed.")


def _conditions(text: str) -> list[tuple[str, str, str]]:
    found = [_SENT.fullmatch(each) for each in text.split(" and ")] if text else []
    read = [(each[1], each[2], each[3]) for each in found if each]
    if len(read) < len(found):
        raise GraphError(400, "Invalid filter clause")
    return read


def _check_rights(call: _Call, types: Sequence[str]) -> None:
    if call.mail_only and set(types) != {MAIL}:
        needed = ", ".join(types)
        raise GraphError(403, f"Access to {needed} in Graph API requires permissions that the token does not have.")


def _number(call: _Call, name: str, usual: int, least: int, most: int) -> int:
    text = call.query.get(name, str(usual))
    number = whole_number(text, least, most)
    if number is None:
        raise GraphError(400, f"Invalid value '{text[:100]}' for {name}.", "Request_BadRequest")
    return number


def _selected(value: Mapping[str, Any], names: str) -> Mapping[str, Any]:
    wanted = {name.strip() for name in names.split(",") if name.strip()}
    return {name: each for name, each in value.items() if name in wanted} if wanted else value


def _recorded(request: WireRequest) -> Mapping[str, Any]:
    """The parameters, or the one search that a body holds."""
    try:
        body = json.loads(request.body) if request.body else None
    except (ValueError, RecursionError):
        body = None
    requests = body.get("requests") if isinstance(body, dict) else None
    first = requests[0] if isinstance(requests, list) and requests else None
    return MappingProxyType(first) if isinstance(first, dict) else dict(request.query())


EMULATOR = GraphEmulator
