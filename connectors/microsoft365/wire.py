"""The parts of Graph's replies that we read: https://learn.microsoft.com/en-us/graph/api/resources/searchhit."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from connectors.wire import IsoInstant, Line, Text, Wire


class Address(Wire):
    """A mailbox: the name that people see and the address."""

    name: Line = ""
    address: Line = ""


class Identity(Wire):
    """An account by its name; several names may stand in one, apart by semicolons."""

    displayName: Line = ""  # noqa: N815 — Graph's spelling, here and below
    email: Line = ""


class Somebody(Wire):
    """Who did something: search names senders as mail does, the Teams API by their accounts."""

    emailAddress: Address | None = None  # noqa: N815
    user: Identity | None = None
    application: Identity | None = None


class Body(Wire):
    """A whole text; ``contentType`` is ``html`` or ``text``."""

    contentType: Line = ""  # noqa: N815
    content: Text = ""


class Mail(Wire):
    """A message of a mailbox."""

    id: Line = ""
    subject: Line = ""
    bodyPreview: Text = ""  # noqa: N815
    body: Body | None = None
    sender: Somebody | None = None
    from_: Somebody | None = Field(default=None, alias="from")
    toRecipients: tuple[Somebody, ...] | None = None  # noqa: N815
    receivedDateTime: IsoInstant | None = None  # noqa: N815
    sentDateTime: IsoInstant | None = None  # noqa: N815
    hasAttachments: bool | None = None  # noqa: N815
    importance: Line = ""
    conversationId: Line = ""  # noqa: N815
    internetMessageId: Line = ""  # noqa: N815
    webLink: Line = ""  # noqa: N815


class Channel(Wire):
    """Where a message of a team stands; empty for one of a chat."""

    teamId: Line = ""  # noqa: N815
    channelId: Line = ""  # noqa: N815


class ChatMessage(Wire):
    """A message in Teams. ``id`` is unique within its chat or channel only."""

    id: Line = ""
    subject: Line = ""
    body: Body | None = None
    from_: Somebody | None = Field(default=None, alias="from")
    createdDateTime: IsoInstant | None = None  # noqa: N815
    lastEditedDateTime: IsoInstant | None = None  # noqa: N815
    chatId: Line = ""  # noqa: N815
    channelIdentity: Channel | None = None  # noqa: N815
    replyToId: Line = ""  # noqa: N815
    attachments: tuple[object, ...] | None = None
    webUrl: Line = ""  # noqa: N815
    webLink: Line = ""  # noqa: N815


class Parent(Wire):
    """Which drive something lies in."""

    driveId: Line = ""  # noqa: N815


class File(Wire):
    """What only files have."""

    mimeType: Line = ""  # noqa: N815


class Fields(Wire):
    """The columns of a list that we read."""

    title: Line = ""


class Stored(Wire):
    """A file or folder, an item of a list, or a site."""

    id: Line = ""
    name: Line = ""
    displayName: Line = ""  # noqa: N815
    description: Text = ""
    webUrl: Line = ""  # noqa: N815
    createdBy: Somebody | None = None  # noqa: N815
    lastModifiedBy: Somebody | None = None  # noqa: N815
    createdDateTime: IsoInstant | None = None  # noqa: N815
    lastModifiedDateTime: IsoInstant | None = None  # noqa: N815
    parentReference: Parent | None = None  # noqa: N815
    size: int | None = None
    file: File | None = None
    folder: object = None
    fields: Fields | None = None


class Kinded(Wire):
    """What a resource says it is: ``#microsoft.graph.message``, with or without the sign before it."""

    type: Line = Field(default="", alias="@odata.type")


class Found(Wire):
    """One hit. ``summary`` marks words with ``<c0>…</c0>`` and gaps with ``<ddd/>``."""

    hitId: Line  # noqa: N815
    summary: Text = ""
    resource: dict[str, object]


class Hits(Wire):
    """A page of hits, each read by itself; there is no ``hits`` where there are none, which ``total`` says then."""

    hits: tuple[object, ...] | None = None
    total: int | None = None
    moreResultsAvailable: bool | None = None  # noqa: N815

    @model_validator(mode="after")
    def _tells(self) -> Self:
        if self.hits is None and self.total is None:
            raise ValueError("holds neither hits nor how many there are")
        return self


class Answer(Wire):
    """The answer to one search request."""

    hitsContainers: tuple[Hits, ...]  # noqa: N815


class Answers(Wire):
    """The reply of ``/search/query``: one answer for the one request that is sent."""

    value: tuple[Answer, ...] = Field(min_length=1)


class Account(Wire):
    """Somebody of the directory, or whoever is signed in."""

    displayName: Line = ""  # noqa: N815
    mail: Line = ""
    userPrincipalName: Line = ""  # noqa: N815


class Site(Wire):
    """A site by its name and address."""

    displayName: Line = ""  # noqa: N815
    name: Line = ""
    webUrl: Line = ""  # noqa: N815


class Listing(Wire):
    """A page of a list, and the address of the next."""

    value: tuple[object, ...]
    next: Line = Field(default="", alias="@odata.nextLink")
