"""The body of a search, refused where the documentation says that Graph refuses it, and Graph's errors: https://learn.microsoft.com/en-us/graph/errors.

https://learn.microsoft.com/en-us/graph/api/resources/search-api-overview (page sizes, known limitations) and
https://learn.microsoft.com/en-us/graph/api/resources/searchrequest.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from orchestrator.sandbox.microsoft365.store import STORED
from orchestrator.sandbox.wire import WireReply, json_reply

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
