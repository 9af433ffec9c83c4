"""What is said of one of Google's APIs, and of a request to it, without loading Google's client.

Its errors are sorted by reason: https://developers.google.com/workspace/drive/api/guides/handle-errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectors.errors import Forbidden, Rejected, SourceError, Throttled, Unauthenticated, advised
from connectors.http import Reply, error_for, retry_after
from connectors.text import quote
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from connectors.exchange import HttpRequest


@record
class GoogleApi:
    """One of Google's APIs, by the name and version of its discovery document; ``title`` is what people call it.

    ``batch``: how many requests may go out as one; Google allows 100, and says that more than 50 are likely throttled.
    """

    name: str
    version: str
    title: str
    batch: int = 50


def accepts_text(request: HttpRequest) -> bool:
    """Whether a request is for the content of a file and not for JSON."""
    return request.headers.get("Accept", "").startswith("text/")


NOT_SIGNED_IN, NO_RIGHT = 401, 403
TOO_OFTEN = frozenset(
    {
        "ratelimitexceeded",
        "userratelimitexceeded",
        "dailylimitexceeded",
        "sharingratelimitexceeded",
        "quotaexceeded",
        "concurrentlimitexceeded",
        "resource_exhausted",
        "rate_limit_exceeded",
    }
)
NO_SCOPE = frozenset({"insufficientpermissions", "insufficientscopes", "access_token_scope_insufficient"})
NOT_ENABLED = frozenset({"accessnotconfigured", "service_disabled"})


def google_error(reply: Reply, title: str, scope: str) -> SourceError | None:
    """What a reply of the API called ``title`` stands for, ``None`` for a success. ``scope``: the one that it takes."""
    if reply.ok:
        return None
    error = _error(reply.data)
    message = quote(error.get("message") or f"HTTP {reply.status}")
    said = Said("{title} says: {message}").filled(title=title, message=message)
    reasons = {reason.casefold() for reason in _reasons(error)}
    if reasons & TOO_OFTEN:
        return Throttled(said, retry_after(reply.headers))
    if reply.status == NOT_SIGNED_IN:
        return Unauthenticated(advised(said, Said("access tokens last an hour")))
    if reasons & NO_SCOPE or "metadata scope" in message.casefold():
        return Forbidden(advised(said, Said("the access token needs the scope {scope}").filled(scope=scope)))
    if reasons & NOT_ENABLED:
        return Forbidden(
            advised(said, Said("enable the {title} API for the project that the token belongs to").filled(title=title))
        )
    # A parameter that lacks a right is no right that a person lacks: it may not be sent like this.
    return Rejected(said) if reply.status == NO_RIGHT and refused_place(reply) else error_for(reply, said)


def refused_place(reply: Reply) -> str:
    """The parameter that an error is about, where Google names one."""
    places = (
        entry.get("location") for entry in _entries(_error(reply.data)) if entry.get("locationType") == "parameter"
    )
    return next((place for place in places if isinstance(place, str)), "")


def _error(data: object) -> Mapping[str, object]:
    error = data.get("error") if isinstance(data, Mapping) else None
    return error if isinstance(error, Mapping) else {"message": error} if isinstance(error, str) else {}


def _entries(error: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Google says more in up to two places, older services in ``errors``, newer ones in ``details``."""
    listed = [error.get("errors"), error.get("details")]
    return [entry for entries in listed if isinstance(entries, list) for entry in entries if isinstance(entry, Mapping)]


def _reasons(error: Mapping[str, object]) -> list[str]:
    reasons = [entry.get("reason") for entry in _entries(error)]
    return [reason for reason in (*reasons, error.get("status")) if isinstance(reason, str)]
