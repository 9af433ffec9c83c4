"""Errors as Google's APIs report them."""

from collections.abc import Mapping

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


class GmailError(Exception):
    """An error of Google's: HTTP status, reason, message."""

    def __init__(self, code: int, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason


def error_reply(error: GmailError, headers: Mapping[str, str] | None = None) -> WireReply:
    """The error as a reply."""
    reason, status = _STATUSES.get(error.code, ("backendError", "UNKNOWN"))
    detail = {"message": error.message, "domain": "global", "reason": error.reason or reason}
    value = {"code": error.code, "message": error.message, "errors": [detail], "status": status}
    return json_reply(error.code, {"error": value}, headers=headers or {})
