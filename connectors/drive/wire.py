"""The parts of Drive's replies that we read: https://developers.google.com/workspace/drive/api/reference/rest/v3."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from connectors.wire import IsoInstant, Line, Text, Url, Wire

Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,128}$")]  # it becomes part of a path, of a query and of a link


class User(Wire):
    """Somebody; the address is missing where it is not shown to us."""

    displayName: Line = ""  # noqa: N815 — Google's spelling
    emailAddress: Line = ""  # noqa: N815
    me: bool = False


class File(Wire):
    """A file. One in a shared drive has no owner; one that was shared with us has no parent that we see."""

    id: Id
    name: Line = ""
    mimeType: Line = ""  # noqa: N815
    description: Text = ""
    webViewLink: Url = ""  # noqa: N815
    createdTime: IsoInstant | None = None  # noqa: N815
    modifiedTime: IsoInstant | None = None  # noqa: N815
    size: int | None = None
    parents: tuple[Id, ...] = ()
    driveId: Id | None = None  # noqa: N815
    starred: bool = False
    trashed: bool = False
    owners: tuple[User, ...] = ()
    lastModifyingUser: User | None = None  # noqa: N815


class FileList(Wire):
    """A page of files; each is read by itself, so that one bad one costs only itself."""

    files: tuple[object, ...] = ()
    nextPageToken: str | None = None  # noqa: N815
    incompleteSearch: bool = False  # noqa: N815


class Named(Wire):
    """A folder or a shared drive."""

    id: Id
    name: Line


class DriveList(Wire):
    """A page of shared drives."""

    drives: tuple[object, ...] = ()
    nextPageToken: str | None = None  # noqa: N815


class People(Wire):
    """Of a file, only who had to do with it."""

    owners: tuple[User, ...] = ()
    lastModifyingUser: User | None = None  # noqa: N815


class About(Wire):
    """The account."""

    user: User
