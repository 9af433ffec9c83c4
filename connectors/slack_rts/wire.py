"""The parts of Real-time Search's replies that we read.

What Real-time Search has to say besides Slack's usual errors.

https://docs.slack.dev/reference/methods/assistant.search.context#errors
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator

from connectors.errors import Forbidden, Misconfigured, SourceError
from connectors.slack.wire import Metadata, Stamp, created_at
from connectors.text import quote
from connectors.wire import (
    FIRST_YEAR,
    LAST_YEAR,
    Line,
    Url,
    Wire,
)
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


def _epoch(value: object) -> object:
    """Microseconds since 1970, says the manual; Slack's older methods tell seconds, so what makes sense decides."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("is not a time stamp")  # noqa: TRY004 — pydantic collects ValueErrors
    for unit in (1_000_000, 1_000, 1):
        try:
            moment = datetime.fromtimestamp(value / unit, UTC)
        except (OverflowError, OSError, ValueError):
            continue
        if FIRST_YEAR < moment.year <= LAST_YEAR:
            return moment
    raise ValueError("is not a time stamp within reason")


class Spoken(Wire):
    """One message that was found; ``content`` is what it says in Slack's markup."""

    author_name: Line = ""
    author_user_id: Line = ""
    author_email: Line = ""
    channel_id: Line
    channel_name: Line = ""
    message_ts: Stamp
    content: str | None = None
    permalink: Url = ""
    is_author_bot: bool = False
    reply_count: int = 0

    @property
    def created(self) -> datetime:
        """When it was posted."""
        return created_at(self.message_ts)


class File(Wire):
    """One file that was found; ``content`` is as much of its text as Slack shows."""

    file_id: Line
    title: Line = ""
    author_name: Line = ""
    author_user_id: Line = ""
    author_email: Line = ""
    file_type: Line = ""
    permalink: Url = ""
    content: str | None = None
    size: int = 0
    date_created: Annotated[datetime, BeforeValidator(_epoch)] | None = None
    date_updated: Annotated[datetime, BeforeValidator(_epoch)] | None = None


class Found(Wire):
    """What was found, by its type; each is read by itself, so that one bad one costs only itself."""

    messages: tuple[object, ...] = ()
    files: tuple[object, ...] = ()


class Context(Wire):
    """The reply of assistant.search.context."""

    results: Found
    response_metadata: Metadata = Metadata()


class Powers(Wire):
    """The reply of assistant.search.info."""

    is_ai_search_enabled: bool = False
