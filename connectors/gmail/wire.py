"""The parts of Gmail's replies that we read: https://developers.google.com/workspace/gmail/api/reference/rest."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from connectors.wire import Line, UnixMilliseconds, Wire

ID = r"^[0-9A-Za-z_-]{1,64}$"
Id = Annotated[str, Field(pattern=ID)]  # it becomes part of a path and of a link


class Listed(Wire):
    """What the list says of a message: nothing but ids."""

    id: Id


class Listing(Wire):
    """A page of messages; ``messages`` is missing when there is none."""

    messages: tuple[object, ...] = ()
    nextPageToken: str | None = None  # noqa: N815 — Google's spelling
    resultSizeEstimate: int | None = None  # noqa: N815


class Header(Wire):
    """A header; Gmail has decoded most of them."""

    name: str = ""
    value: Line = ""


class Body(Wire):
    """The bytes of a part in base64url, or the id under which they can be fetched."""

    data: str = ""
    attachmentId: str = ""  # noqa: N815


class Part(Wire):
    """A part of a message, with parts of its own if it is a multipart."""

    mimeType: Line = ""  # noqa: N815
    filename: Line = ""
    headers: tuple[Header, ...] = ()
    body: Body = Body()
    parts: tuple[Part, ...] = ()


class Message(Wire):
    """One message, whole or only its headers."""

    id: Id
    threadId: Line = ""  # noqa: N815
    labelIds: tuple[Line, ...] = ()  # noqa: N815
    snippet: str = ""
    internalDate: UnixMilliseconds | None = None  # noqa: N815
    payload: Part = Part()


class Thread(Wire):
    """All messages of a thread, the oldest first."""

    messages: tuple[object, ...] = ()


class Profile(Wire):
    """The mailbox."""

    emailAddress: Line = ""  # noqa: N815
