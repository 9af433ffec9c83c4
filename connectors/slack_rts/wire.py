"""The parts of Real-time Search's replies that we read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import BeforeValidator

from connectors.slack.wire import Metadata, Stamp, created_at
from connectors.wire import FIRST_YEAR, LAST_YEAR, Line, Url, Wire


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
