"""The parts of Linear's replies that we read."""

from __future__ import annotations

from connectors.wire import IsoInstant, Line, Text, Url, Wire


class User(Wire):
    """``name`` is the full name, ``displayName`` the handle."""

    id: Line
    name: Line = ""
    displayName: Line = ""  # noqa: N815 — Linear's spelling
    email: Line = ""
    active: bool = True


class Team(Wire):
    """``key`` begins the identifiers of its issues."""

    id: Line
    key: Line
    name: Line = ""


class Project(Wire):
    """What issues of several teams work towards."""

    name: Line = ""


class Status(Wire):
    """A state of a team's workflow; ``type`` is one of Linear's own six, ``name`` the team's word for it."""

    name: Line = ""
    type: Line = ""


class Label(Wire):
    """A label by its name."""

    name: Line


class Labels(Wire):
    """Some labels."""

    nodes: tuple[Label, ...] = ()


class Remark(Wire):
    """A comment; ``user`` is nobody for one that an integration left."""

    body: Text = ""
    createdAt: IsoInstant  # noqa: N815
    user: User | None = None


class Remarks(Wire):
    """The newest comments; each is read by itself, so that one bad one costs only itself."""

    nodes: tuple[object, ...] = ()


class Issue(Wire):
    """One issue."""

    identifier: Line
    title: Line = ""
    description: Text = ""
    url: Url = ""
    priorityLabel: Line = ""  # noqa: N815
    createdAt: IsoInstant  # noqa: N815
    updatedAt: IsoInstant  # noqa: N815
    completedAt: Line = ""  # noqa: N815
    canceledAt: Line = ""  # noqa: N815
    dueDate: Line = ""  # noqa: N815
    state: Status | None = None
    team: Team | None = None
    project: Project | None = None
    assignee: User | None = None
    creator: User | None = None
    labels: Labels | None = None
    comments: Remarks | None = None


class PageInfo(Wire):
    """Where the next page begins."""

    hasNextPage: bool = False  # noqa: N815
    endCursor: str | None = None  # noqa: N815

    @property
    def next(self) -> str | None:
        """The cursor of the next page, if there is one."""
        return self.endCursor if self.hasNextPage else None


class Found(Wire):
    """A page of anything; each node is read by itself, so that one bad one costs only itself."""

    nodes: tuple[object, ...]
    pageInfo: PageInfo = PageInfo()  # noqa: N815
    totalCount: float | None = None  # noqa: N815


class FoundData(Wire):
    """The ``data`` of a search."""

    found: Found


class ListedData(Wire):
    """The ``data`` of a listing."""

    listed: Found


class Organization(Wire):
    """A workspace."""

    name: Line = ""


class ViewerData(Wire):
    """The ``data`` of the question who we are."""

    viewer: User
    organization: Organization | None = None


class Extensions(Wire):
    """What kind of error; which of the two is filled differs between errors."""

    code: Line = ""
    type: Line = ""
    userPresentableMessage: Line = ""  # noqa: N815


class GraphqlError(Wire):
    """One entry of ``errors``."""

    message: Line = ""
    path: tuple[object, ...] = ()
    extensions: Extensions | None = None
