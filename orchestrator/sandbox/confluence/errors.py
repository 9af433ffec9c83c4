"""Confluence's errors: one object in the older version of its API, a list in the newer."""

from collections.abc import Mapping
from typing import Any

_BAD_REQUEST = "com.atlassian.confluence.api.service.exceptions.BadRequestException: "
_CODES = {
    400: "INVALID_REQUEST_PARAMETER",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    429: "RATE_LIMITED",
}


class ConfluenceError(Exception):
    """A request refused, with what Confluence says."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    def body(self, *, newer: bool = False) -> Mapping[str, Any]:
        """The body of the reply."""
        if newer:
            code = _CODES.get(self.status, "INTERNAL_SERVER_ERROR")
            return {"errors": [{"status": self.status, "code": code, "title": self.message, "detail": None}]}
        data = {"authorized": False, "valid": True, "errors": [], "successful": False}
        return {"statusCode": self.status, "data": data, "message": self.message}


class CqlError(ValueError):
    """What is wrong with a query."""


def unparsed(cql: str, error: CqlError) -> ConfluenceError:
    """Confluence repeats the query; the reason after it is the sandbox's own."""
    return ConfluenceError(400, f"{_BAD_REQUEST}Could not parse cql : {cql[:500]} ({error})")
