"""Errors of Google's APIs, as older and newer services put them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.wire import WireReply, json_reply

_STATUSES = {
    400: ("invalidArgument", "INVALID_ARGUMENT"),
    401: ("authError", "UNAUTHENTICATED"),
    403: ("forbidden", "PERMISSION_DENIED"),
    404: ("notFound", "NOT_FOUND"),
    405: ("httpMethodNotAllowed", "UNIMPLEMENTED"),
    413: ("uploadTooLarge", "INVALID_ARGUMENT"),
    429: ("rateLimitExceeded", "RESOURCE_EXHAUSTED"),
    500: ("backendError", "INTERNAL"),
    503: ("backendError", "UNAVAILABLE"),
    504: ("backendError", "DEADLINE_EXCEEDED"),
}
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="https://accounts.google.com/"'}


class GoogleError(Exception):
    """An error of Google's: HTTP status, message, reason, and the parameter that it is about, if it is about one."""

    def __init__(self, code: int, message: str, reason: str = "", parameter: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.parameter = parameter


def error_reply(error: GoogleError, headers: Mapping[str, str] | None = None) -> WireReply:
    """The error as a reply."""
    reason, status = _STATUSES.get(error.code, ("backendError", "UNKNOWN"))
    detail = {"message": error.message, "domain": "global", "reason": error.reason or reason}
    if error.parameter:
        detail |= {"locationType": "parameter", "location": error.parameter}
    challenge = _CHALLENGE if error.code == HTTPStatus.UNAUTHORIZED else {}
    value = {"code": error.code, "message": error.message, "errors": [detail], "status": status}
    return json_reply(error.code, {"error": value}, headers={**challenge, **(headers or {})})


def status_reply(error: GoogleError, headers: Mapping[str, str] | None = None) -> WireReply:
    """The error as newer services put it: a status, and the reason among the details where it is about no parameter."""
    _, status = _STATUSES.get(error.code, ("", "UNKNOWN"))
    value: dict[str, Any] = {"code": error.code, "message": error.message, "status": status}
    if error.reason and not error.parameter:
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": error.reason, "domain": "googleapis.com"}
        value["details"] = [info]
    challenge = _CHALLENGE if error.code == HTTPStatus.UNAUTHORIZED else {}
    return json_reply(error.code, {"error": value}, headers={**challenge, **(headers or {})})
