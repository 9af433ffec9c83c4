"""Google's errors, sorted by reason: https://developers.google.com/workspace/gmail/api/guides/handle-errors."""

from __future__ import annotations

from collections.abc import Mapping

from connectors.errors import Forbidden, SourceError, Throttled, Unauthenticated
from connectors.http import Reply, error_for, retry_after
from connectors.text import quote

SCOPE = "https://www.googleapis.com/auth/gmail.readonly"

TOO_OFTEN = frozenset(
    {
        "ratelimitexceeded",
        "userratelimitexceeded",
        "dailylimitexceeded",
        "quotaexceeded",
        "concurrentlimitexceeded",
        "resource_exhausted",
        "rate_limit_exceeded",
    }
)
NO_SCOPE = frozenset({"insufficientpermissions", "insufficientscopes", "access_token_scope_insufficient"})
NOT_ENABLED = frozenset({"accessnotconfigured", "service_disabled"})


def error_of(reply: Reply) -> SourceError | None:
    """What a reply stands for, ``None`` for a success."""
    if reply.ok:
        return None
    error = _error(reply.data)
    message = quote(error.get("message") or f"HTTP {reply.status}")
    said = f"Gmail says: {message}"
    reasons = {reason.casefold() for reason in _reasons(error)}
    if reasons & TOO_OFTEN:
        return Throttled(said, retry_after(reply.headers))
    if reply.status == 401:  # noqa: PLR2004 — named by the class beside it
        return Unauthenticated(f"{said}; access tokens last an hour: get a new one with the scope {SCOPE}")
    if reasons & NO_SCOPE or "metadata scope" in message.casefold():
        return Forbidden(f"{said}; the access token needs the scope {SCOPE}")
    if reasons & NOT_ENABLED:
        return Forbidden(f"{said}; enable the Gmail API for the project that the token belongs to")
    return error_for(reply, said)


def _error(data: object) -> Mapping[str, object]:
    error = data.get("error") if isinstance(data, Mapping) else None
    return error if isinstance(error, Mapping) else {"message": error} if isinstance(error, str) else {}


def _reasons(error: Mapping[str, object]) -> list[str]:
    """Google says the reason in up to three places, older services in ``errors``, newer ones in ``details``."""
    listed = [error.get("errors"), error.get("details")]
    entries = [entry for entries in listed if isinstance(entries, list) for entry in entries]
    reasons = [entry.get("reason") for entry in entries if isinstance(entry, Mapping)]
    return [reason for reason in (*reasons, error.get("status")) if isinstance(reason, str)]
