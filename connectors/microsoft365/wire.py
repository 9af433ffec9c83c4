"""The parts of Graph's replies that we read: https://learn.microsoft.com/en-us/graph/api/resources/searchhit.

Graph's errors, sorted by what to do about them: https://learn.microsoft.com/en-us/graph/errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from connectors.errors import (
    Forbidden,
    Misconfigured,
    SourceError,
    Throttled,
    Unauthenticated,
    advised,
)
from connectors.http import error_for, retry_after
from connectors.text import quote
from connectors.wire import (
    IsoInstant,
    Line,
    Text,
    Wire,
)
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply

RIGHTS = Said(
    "mail needs Mail.Read, Teams Chat.Read and ChannelMessage.Read.All, files Files.Read.All, sites and lists Sites.Read.All, names of people User.ReadBasic.All; an administrator may have to consent"
)
SIGN_IN_AGAIN = frozenset({"invalidauthenticationtoken", "unauthenticated", "tokennotfound"})
TOO_OFTEN = frozenset({"toomanyrequests", "activitylimitreached", "applicationthrottled", "throttledrequest"})
NO_RIGHT = frozenset(
    {
        "accessdenied",
        "authorization_requestdenied",
        "erroraccessdenied",
        "forbidden",
        "mailboxnotenabledforrestapi",
        "mailboxnotsupportedforrestapi",
    }
)
NOT_FOUND, BUSY = HTTPStatus.NOT_FOUND, frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT, 509})


def error_of(reply: Reply) -> SourceError | None:
    """What a reply stands for, ``None`` for a success. Graph may throttle with 503 as well as with 429."""
    if reply.ok:
        return None
    code, message = _said(reply.data)
    said = Said("Microsoft 365 says {what}").filled(
        what=": ".join(filter(None, (code or f"HTTP {reply.status}", message.rstrip("."))))
    )
    known, wait = code.casefold(), retry_after(reply.headers)
    if known in TOO_OFTEN or (reply.status in BUSY and wait is not None):
        return Throttled(said, wait)
    if known in SIGN_IN_AGAIN:
        return Unauthenticated(said)
    if known in NO_RIGHT or reply.status == HTTPStatus.FORBIDDEN:
        return Forbidden(advised(said, RIGHTS))
    if reply.status == NOT_FOUND and not code:
        return Misconfigured(advised(said, Said("is base_url the address of Microsoft Graph?")))
    return error_for(reply, said)


def _said(data: object) -> tuple[str, str]:
    """The code and the message of ``{"error": {"code", "message"}}``."""
    error = data.get("error") if isinstance(data, Mapping) else None
    if isinstance(error, str):
        return quote(error), ""
    return (
        (quote(error.get("code") or ""), quote(error.get("message") or "")) if isinstance(error, Mapping) else ("", "")
    )


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
    messageType: Line = ""  # noqa: N815
    subject: Line = ""
    body: Body | None = None
    from_: Somebody | None = Field(default=None, alias="from")
    createdDateTime: IsoInstant | None = None  # noqa: N815
    lastEditedDateTime: IsoInstant | None = None  # noqa: N815
    deletedDateTime: Line = ""  # noqa: N815
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


class ChannelName(Wire):
    """A channel by its name."""

    displayName: Line = ""  # noqa: N815


class Listing(Wire):
    """A page of a list, and the address of the next."""

    value: tuple[object, ...]
    next: Line = Field(default="", alias="@odata.nextLink")
