"""What Real-time Search has to say besides Slack's usual errors.

https://docs.slack.dev/reference/methods/assistant.search.context#errors
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.errors import Forbidden, Misconfigured, SourceError
from connectors.text import quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

SWITCHED_OFF = frozenset({"feature_not_enabled", "assistant_search_context_disabled"})


def realtime_error_in(body: Mapping[str, object]) -> SourceError | None:
    """The error, if it is one of this method's own."""
    code = quote(body.get("error") or "")
    said = Said("Slack says {code}").filled(code=code)
    if code == "invalid_action_token":
        return Forbidden(
            Said(
                "{said}: the event that this question came with is too old or not the app's; ask the bot again"
            ).filled(said=said)
        )
    if code in SWITCHED_OFF:
        return Forbidden(
            Said(
                '{said}: ask an administrator of the workspace to allow Real-time Search for the app, or set search = "messages" for this source'
            ).filled(said=said)
        )
    if code in ("not_allowed_token_type", "is_bot"):
        return Misconfigured(
            Said("{said}: use a user token (xoxp-…) with the scope search:read.public").filled(said=said)
        )
    return None


def without_trigger() -> Forbidden:
    """The error for a bot that nobody has asked anything in Slack."""
    return Forbidden(
        Said(
            "with a bot's token (xoxb-…) Slack can be searched only for a question that was put to the bot in Slack itself (it comes with an action_token); for questions from elsewhere use a user token (xoxp-…) with the scope search:read.public"
        )
    )
