"""Graph's errors: a code, a message, and the identifiers that Microsoft asks for: https://learn.microsoft.com/en-us/graph/errors."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

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
