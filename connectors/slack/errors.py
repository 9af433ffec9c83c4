"""Slack's error codes, sorted by what to do about them: https://docs.slack.dev/reference/methods/search.messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.http import retry_after
from connectors.text import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

SIGN_IN_AGAIN = frozenset(
    {"invalid_auth", "not_authed", "token_expired", "token_revoked", "account_inactive", "two_factor_setup_required"}
)
NO_RIGHT = frozenset(
    {
        "access_denied",
        "accesslimited",
        "ekm_access_denied",
        "enterprise_is_restricted",
        "no_permission",
        "org_login_required",
        "team_access_not_granted",
        "user_is_restricted",
    }
)
TOO_OFTEN = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
TRY_LATER = frozenset({"fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org"})


def error_in(body: Mapping[str, object], headers: Mapping[str, str]) -> SourceError:
    """What ``{"ok": false, "error": …}`` stands for; an unknown code is a request that Slack refused."""
    code = quote(body.get("error") or "no reason given")
    said = f"Slack says {code}"
    if code == "missing_scope":
        needed = quote(body.get("needed") or "unknown")
        return Forbidden(f"{said}: add the scope {needed} to the Slack app, install it again and use its new token")
    if code in ("not_allowed_token_type", "is_bot"):
        return Misconfigured(f"{said}: searching needs a user token (xoxp-…), not a bot's (xoxb-…)")
    if code in SIGN_IN_AGAIN:
        return Unauthenticated(f"{said}: get a new user token (xoxp-…)")
    if code in NO_RIGHT:
        return Forbidden(f"{said}: ask an administrator of the workspace")
    if code in TOO_OFTEN:
        return Throttled(said, retry_after(headers))
    return Unavailable(said) if code in TRY_LATER else Rejected(said)
