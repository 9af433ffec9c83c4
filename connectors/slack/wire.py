"""The parts of Slack's replies that we read.

Slack's error codes, sorted by what to do about them: https://docs.slack.dev/reference/methods/search.messages.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from connectors.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.exchange import UNSPECIFIED
from connectors.http import retry_after
from connectors.text import quote
from connectors.wire import Line, Url, Wire
from translators.said import UNSAID, Said, joined

if TYPE_CHECKING:
    from collections.abc import Mapping

SIGN_IN_AGAIN = frozenset(
    {"invalid_auth", "not_authed", "token_expired", "token_revoked", "account_inactive", "two_factor_setup_required"}
)
NO_RIGHT = frozenset(
    {
        "access_denied",
        "accesslimited",
        "channel_is_limited_access",
        "ekm_access_denied",
        "enterprise_is_restricted",
        "no_permission",
        "org_login_required",
        "team_access_not_granted",
        "user_is_restricted",
    }
)
NOT_THERE = frozenset({"channel_not_found", "thread_not_found", "message_not_found"})
TOO_OFTEN = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
TRY_LATER = frozenset({"fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org"})


class NotThere(Forbidden):
    """There is no such message or channel, or the token may not see it: Slack does not say which."""


ADVICE: tuple[tuple[frozenset[str], type[SourceError], Said], ...] = (
    (SIGN_IN_AGAIN, Unauthenticated, Said("get a new user token (xoxp-…)")),
    (NO_RIGHT, Forbidden, Said("ask an administrator of the workspace")),
    (
        NOT_THERE,
        NotThere,
        Said("there is no such message, or this token may not see it"),
    ),
    (
        frozenset({"not_in_channel"}),
        Forbidden,
        Said("join the channel in Slack, or invite the app to it"),
    ),
    (
        frozenset({"not_allowed_token_type", "is_bot"}),
        Misconfigured,
        Said(
            'searching needs a user token (xoxp-…), not a bot\'s (xoxb-…), unless search = "realtime" is set for this source'
        ),
    ),
)


def error_in(body: Mapping[str, object], headers: Mapping[str, str]) -> SourceError:
    """What ``{"ok": false, "error": …}`` stands for; an unknown code is a request that Slack refused."""
    code = quote(body.get("error") or UNSPECIFIED)
    said = Said("Slack says {code}").filled(code=code)
    if code == "missing_scope":
        needed = quote(body.get("needed") or "unknown")
        advice = Said("add the scope {needed} to the Slack app, install it again and use its new token").filled(
            needed=needed
        )
        return Forbidden(
            joined("", (joined(": ", (said, advice)), _other_search(needed, str(body.get("provided") or ""))))
        )
    for codes, kind, advice in ADVICE:
        if code in codes:
            return kind(joined(": ", (said, advice)))
    if code in TOO_OFTEN:
        return Throttled(said, retry_after(headers))
    return Unavailable(said) if code in TRY_LATER else Rejected(said)


def _other_search(needed: str, provided: str) -> Said:
    """What to do instead, where the token has the scopes of Slack's other search."""
    scopes = {scope.strip() for scope in provided.split(",")}
    if needed == "search:read" and any(scope.startswith("search:read.") for scope in scopes):
        return Said('; or set search = "realtime" for this source, which the token\'s scopes allow')
    if needed.startswith("search:read.") and "search:read" in scopes:
        return Said('; or set search = "messages" for this source, which the token\'s scopes allow')
    return UNSAID


# Seconds since 1970, unique within a channel.
Stamp = Annotated[str, Field(pattern=r"^[0-9]{1,10}\.[0-9]{1,6}$")]


def created_at(stamp: str) -> datetime:
    """When a message was posted; the digits after the point order messages and are not to be rounded away."""
    seconds, micros = stamp.split(".")
    return datetime.fromtimestamp(int(seconds), UTC).replace(microsecond=int(micros.ljust(6, "0")))


class Channel(Wire):
    """Where a message stands; in a direct message ``name`` is the other person's id."""

    id: Line
    name: Line = ""


class Attachment(Wire):
    """A preview or a card under a message, in Slack's own markup."""

    title: str | None = None
    text: str | None = None
    fallback: str | None = None


class Reaction(Wire):
    """One emoji and how often."""

    name: Line
    count: int = 0


class Block(Wire):
    """A piece of layout; only ``rich_text`` repeats exactly what ``text`` says."""

    type: Line


class Match(Wire):
    """One message that was found."""

    channel: Channel
    ts: Stamp
    user: Line = ""
    username: Line = ""
    text: str | None = None
    permalink: Url = ""
    score: float | None = None
    attachments: tuple[Attachment, ...] | None = None
    blocks: tuple[Block, ...] | None = None
    files: tuple[object, ...] | None = None
    reactions: tuple[Reaction, ...] | None = None

    @property
    def created(self) -> datetime:
        """When it was posted."""
        return created_at(self.ts)


class Paging(Wire):
    """``pages`` of hits; this is number ``page``."""

    page: int = 1
    pages: int = 1


class Messages(Wire):
    """A page of messages; each is read by itself, so that one bad one costs only itself."""

    matches: tuple[object, ...]
    total: int | None = None
    paging: Paging = Paging()


class Search(Wire):
    """The reply of search.messages."""

    messages: Messages


class Profile(Wire):
    """How a person calls themselves."""

    real_name: Line = ""
    display_name: Line = ""
    email: Line = ""


class Member(Wire):
    """One account of the workspace; ``name`` is the handle."""

    id: Line
    name: Line = ""
    real_name: Line = ""
    deleted: bool = False
    profile: Profile = Profile()


class Metadata(Wire):
    """Where the next page begins; empty at the end."""

    next_cursor: Line = ""


class Members(Wire):
    """The reply of users.list."""

    listed: tuple[object, ...] = Field(alias="members")
    response_metadata: Metadata = Metadata()


class Channels(Wire):
    """The reply of conversations.list."""

    listed: tuple[object, ...] = Field(alias="channels")
    response_metadata: Metadata = Metadata()


class Sent(Wire):
    """A message among others, by when it was sent."""

    ts: str


class Spoken(Wire):
    """The reply of conversations.history and conversations.replies."""

    messages: tuple[object, ...]


class Conversation(Channel):
    """A channel, or a direct message, which has no name but whom it is with."""

    user: Line = ""


class Info(Wire):
    """The reply of conversations.info."""

    channel: Conversation


class Linked(Wire):
    """The reply of chat.getPermalink."""

    permalink: Url


class Identity(Wire):
    """The reply of auth.test."""

    user: Line = ""
    team: Line = ""
