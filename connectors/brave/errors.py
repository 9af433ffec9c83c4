"""Brave's errors: a ``code`` in the body, and limits of several windows in the headers.

https://api-dashboard.search.brave.com/documentation/guides/rate-limiting ; that a wrong token is told with 422 is from
reports of its users.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from connectors.brave.wire import Refusal, Refused
from connectors.errors import Forbidden, Rejected, SourceError, Throttled, Unauthenticated
from connectors.http import answered, error_for, retry_after
from connectors.text import quote
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.http import Reply

WRONG_TOKEN = frozenset({"SUBSCRIPTION_TOKEN_INVALID", "SUBSCRIPTION_NOT_FOUND"})
NOT_IN_PLAN = frozenset({"OPTION_NOT_IN_PLAN", "RESOURCE_NOT_ALLOWED"})
TOO_MANY = frozenset({"RATE_LIMITED", "QUOTA_LIMITED"})


def error_from(reply: Reply) -> SourceError | None:
    """What is wrong with a reply, if anything."""
    if reply.ok:
        return None
    why = _refusal(reply.data)
    said = answered("Brave", reply.status, quote(why.detail or why.code) if why.code else "")
    if why.code in WRONG_TOKEN:
        return Unauthenticated(said)
    if why.code in NOT_IN_PLAN:
        return Forbidden(
            joined(
                "; ",
                (
                    said,
                    Said("the plan of this key does not include what was asked for"),
                ),
            )
        )
    found = error_for(reply, said)
    if why.code in TOO_MANY or isinstance(found, Throttled):
        return Throttled(said, _wait(reply.headers))
    return Rejected(said) if isinstance(found, Rejected) else found


def _refusal(data: object) -> Refusal:
    try:
        return Refused.model_validate(data).error
    except ValidationError:
        return Refusal()


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until the last of the windows that are used up begins anew: ``X-RateLimit-Reset: 1, 1419704``."""
    asked = retry_after(headers)
    if asked is not None:
        return asked
    left, resets = (_numbers(headers.get(f"x-ratelimit-{name}", "")) for name in ("remaining", "reset"))
    spent = [reset for reset, remaining in zip(resets, left, strict=False) if remaining <= 0]
    return max(spent) if spent else min(resets, default=None)


def _numbers(listed: str) -> list[float]:
    """Numbers between commas; none at all if one of them is no number."""
    parts = [part.strip() for part in listed.split(",")]
    return [float(part) for part in parts] if all(part.isascii() and part.isdigit() for part in parts) else []
