"""What requests carry: bodies whose keys and types are Jira's, the opaque tokens of pages, and the errors of what is wrong."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.sandbox.wire import WireReply, WireRequest, cursor, json_reply, place_of, whole_number

_NOTHING: Mapping[str, str] = {}


class JiraError(Exception):
    """A request refused, with its HTTP status."""

    def __init__(self, status: int, *messages: str, headers: Mapping[str, str] = _NOTHING) -> None:
        super().__init__(*messages)
        self.status = status
        self.messages: Sequence[str] = messages
        self.headers = headers


def error_reply(error: JiraError, asked: Mapping[str, object] = _NOTHING) -> WireReply:
    """The error as a reply."""
    value = {"errorMessages": list(error.messages), "errors": {}}
    return json_reply(error.status, value, headers=error.headers, asked=asked)


def refused(message: str) -> JiraError:
    """HTTP 400: what is asked cannot be."""
    return JiraError(400, message)


_KEYS = {
    "jql": str, "nextPageToken": str, "maxResults": int, "fields": list, "expand": str, "properties": list,
    "fieldsByKeys": bool, "reconcileIssues": list,
}  # fmt: skip
_BULK_KEYS = {"issueIdsOrKeys": list, "fields": list, "expand": list, "properties": list, "fieldsByKeys": bool}
USUAL = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A page of a search: `start` is where its token points."""

    jql: str
    fields: Sequence[str]
    size: int
    start: int
    recorded: Mapping[str, Any]

    def token(self, start: int) -> str:
        """The token of the page that begins at `start`."""
        return cursor(start, self.jql)


def read_search(request: WireRequest) -> Asked:
    """A search by POST. Unknown keys are refused, as the contract allows no others."""
    return _asked(_body(request, _KEYS))


def read_search_parameters(request: WireRequest) -> Asked:
    """A search by GET: the same in query parameters, fields joined by commas or repeated."""
    given: dict[str, Any] = {}
    for name, value in request.query():
        if name == "fields":
            given.setdefault("fields", []).extend(part.strip() for part in value.split(","))
        elif name == "maxResults":
            number = whole_number(value, 1, 10**6)
            if number is None:
                raise refused("maxResults must be a whole number.")
            given[name] = number
        else:
            given[name] = value
    return _asked(given)


def read_count(request: WireRequest) -> str:
    """The query whose issues are counted."""
    return str(_body(request, {"jql": str}).get("jql", ""))


def read_bulk(request: WireRequest) -> tuple[Sequence[str], Sequence[str]]:
    """The issues to read and the fields wanted."""
    body = _body(request, _BULK_KEYS)
    return tuple(dict.fromkeys(_texts(body, "issueIdsOrKeys"))), _texts(body, "fields")


def _asked(given: Mapping[str, Any]) -> Asked:
    jql, size = given.get("jql", ""), given.get("maxResults", USUAL)
    if size < 1:
        raise refused("The maxResults parameter must be greater than 0.")
    token = given.get("nextPageToken")
    start = 0 if token is None else place_of(token, jql)
    if start is None:
        raise _stale()
    return Asked(jql, _texts(given, "fields"), size, start, given)


def _body(request: WireRequest, keys: Mapping[str, type]) -> Mapping[str, Any]:
    if not request.headers.get("content-type", "").strip().casefold().startswith("application/json"):
        raise JiraError(415, "Unsupported Media Type")
    try:
        value = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise _invalid() from error
    if not isinstance(value, dict) or value.keys() - keys.keys():
        raise _invalid()
    given = {name: each for name, each in value.items() if each is not None}
    for name, each in given.items():
        if not isinstance(each, keys[name]) or (isinstance(each, bool) and keys[name] is int):
            raise _invalid()
    return {
        name: each.encode("utf-8", "replace").decode() if isinstance(each, str) else each
        for name, each in given.items()
    }


def _texts(given: Mapping[str, Any], name: str) -> Sequence[str]:
    listed = given.get(name, [])
    if not all(isinstance(each, str) for each in listed):
        raise _invalid()
    return tuple(listed)


def _invalid() -> JiraError:
    return refused("Invalid request payload. Refer to the REST API documentation and try again.")


def _stale() -> JiraError:
    return refused("The provided nextPageToken is invalid or has expired.")
