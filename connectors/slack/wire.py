"""The parts of Slack's replies that we read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from connectors.wire import Line, Url, Wire

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
    is_archived: bool = False


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
