"""Refusals as GitHub's REST API words them."""

from collections.abc import Mapping, Sequence
from typing import Any

DOCUMENTATION = "https://docs.github.com/rest"


class RestError(Exception):
    """A request that is refused with a status and a body."""

    def __init__(self, status: int, message: str, errors: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.body: Mapping[str, Any] = {
            "message": message,
            **({"errors": list(errors)} if errors else {}),
            "documentation_url": DOCUMENTATION,
            "status": str(status),
        }


def invalid(message: str = "", *, field: str = "q", code: str = "invalid") -> RestError:
    """422: a search that cannot be made."""
    error = {"resource": "Search", "field": field, "code": code}
    return RestError(422, "Validation Failed", [{"message": message, **error} if message else error])
