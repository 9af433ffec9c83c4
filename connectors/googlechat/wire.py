"""The parts of Google Chat's replies that we read: https://developers.google.com/workspace/chat/api/reference/rest."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from connectors.wire import IsoInstant, Line, Text, Url, Wire

Name = Annotated[str, Field(pattern=r"^spaces/[0-9A-Za-z_-]{1,128}/messages/[0-9A-Za-z_.-]{1,256}$")]  # part of a link
SpaceName = Annotated[str, Field(pattern=r"^spaces/[0-9A-Za-z_-]{1,128}$")]  # part of a query


class User(Wire):
    """Somebody; name and address are missing where they are not shown to us."""

    name: Line = ""
    displayName: Line = ""  # noqa: N815 — Google's spelling
    email: Line = ""


class Thread(Wire):
    """What a message belongs to."""

    name: Line = ""


class Emoji(Wire):
    """A character, or nothing for an emoji of the organisation's own."""

    unicode: Line = ""


class Reaction(Wire):
    """How often people reacted with one emoji."""

    emoji: Emoji = Emoji()
    reactionCount: int = 0  # noqa: N815


class Attachment(Wire):
    """An uploaded file, or one in Drive."""

    contentName: Line = ""  # noqa: N815


class Message(Wire):
    """One message. ``threadReply``: it answers another; cards are what applications show beside their text."""

    name: Name
    sender: User | None = None
    createTime: IsoInstant  # noqa: N815
    lastUpdateTime: IsoInstant | None = None  # noqa: N815
    text: Text = ""
    thread: Thread | None = None
    threadReply: bool = False  # noqa: N815
    attachment: tuple[Attachment, ...] = ()
    cardsV2: tuple[object, ...] = ()  # noqa: N815
    emojiReactionSummaries: tuple[Reaction, ...] = ()  # noqa: N815


class Result(Wire):
    """A message that was found."""

    message: Message


class Found(Wire):
    """A page of results; each is read by itself, so that one bad one costs only itself."""

    results: tuple[object, ...] = ()
    nextPageToken: str | None = None  # noqa: N815


class Listed(Wire):
    """A page of the messages of a thread."""

    messages: tuple[object, ...] = ()
    nextPageToken: str | None = None  # noqa: N815


class Space(Wire):
    """Where messages stand; a direct message has no name."""

    name: SpaceName
    displayName: Line = ""  # noqa: N815
    spaceType: Line = ""  # noqa: N815
    spaceUri: Url = ""  # noqa: N815


class Spaces(Wire):
    """A page of spaces."""

    spaces: tuple[object, ...] = ()
    nextPageToken: str | None = None  # noqa: N815
