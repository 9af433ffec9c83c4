"""The parts of GitHub's replies that we read: REST in snake_case, GraphQL in camelCase."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from connectors.wire import IsoInstant, Line, Text, Url, Wire

FULL_NAME = r"^[^/]+/[^/]+$"  # owner/name


class Actor(Wire):
    """A person, an app or an organisation. ``name`` is what a person is called, where that is told."""

    login: Line
    name: Line = ""


class Label(Wire):
    """A label by its name."""

    name: Line = ""


class Named(Wire):
    """A milestone or a category."""

    title: Line = ""
    name: Line = ""


class Match(Wire):
    """A piece of text in which something was found, and whose it is."""

    object_type: Line = ""
    property: Line = ""
    fragment: Text = ""


class PullRequest(Wire):
    """What makes an issue a pull request."""

    merged_at: Line = ""


class Issue(Wire):
    """An issue or a pull request in a search (https://docs.github.com/en/rest/search/search)."""

    number: int
    node_id: Line = ""
    title: Line = ""
    body: Text = ""
    html_url: Url = ""
    repository_url: Annotated[Line, Field(pattern=r"/repos/[^/?#]+/[^/?#]+$")]
    state: Line = ""
    state_reason: Line = ""
    draft: bool = False
    comments: int = 0
    user: Actor | None = None
    assignees: tuple[Actor, ...] | None = None
    labels: tuple[Label, ...] = ()
    milestone: Named | None = None
    pull_request: PullRequest | None = None
    created_at: IsoInstant
    updated_at: IsoInstant
    score: float | None = None
    text_matches: tuple[Match, ...] = ()

    @property
    def repository(self) -> str:
        """``owner/name`` of the repository."""
        return "/".join(self.repository_url.rsplit("/", 2)[1:])


class Repository(Wire):
    """A repository; ``full_name`` in REST is ``nameWithOwner`` in GraphQL."""

    full_name: Annotated[Line, Field(alias="nameWithOwner", pattern=FULL_NAME)]


class CodeRepository(Wire):
    """The repository of a file."""

    full_name: Annotated[Line, Field(pattern=FULL_NAME)]


class File(Wire):
    """A file in a search of code."""

    path: Line
    html_url: Url = ""
    repository: CodeRepository
    language: Line = ""
    last_modified_at: IsoInstant | None = None
    score: float | None = None
    text_matches: tuple[Match, ...] = ()


class Contents(Wire):
    """A file that was read (https://docs.github.com/en/rest/repos/contents); ``content`` is as ``encoding`` says."""

    type: Line
    path: Line
    url: Annotated[Line, Field(pattern=r"/repos/[^/?#]+/[^/?#]+/contents/")]
    html_url: Url = ""
    encoding: Line = ""
    content: str = ""

    @property
    def repository(self) -> str:
        """``owner/name`` of the repository."""
        return "/".join(self.url.partition("/repos/")[2].split("/", 2)[:2])


class SearchReply(Wire):
    """A page of a search; each item is read by itself, so that one bad one costs only itself."""

    total_count: int
    incomplete_results: bool = False
    items: tuple[object, ...]


# ---- GraphQL


class PageInfo(Wire):
    """Where the next page begins."""

    hasNextPage: bool = False  # noqa: N815 — GitHub's spelling
    endCursor: str | None = None  # noqa: N815

    @property
    def next(self) -> str | None:
        """The cursor of the next page, if there is one."""
        return self.endCursor if self.hasNextPage else None


class Labels(Wire):
    """Some labels."""

    nodes: tuple[Label, ...] = ()


class Actors(Wire):
    """Some people."""

    nodes: tuple[Actor, ...] = ()


class Count(Wire):
    """How many there are."""

    totalCount: int = 0  # noqa: N815


class Node(Wire):
    """A discussion, an issue or a pull request; what the others have is empty."""

    typename: Annotated[Line, Field(alias="__typename")]
    id: Line = ""
    number: int
    title: Line = ""
    bodyText: Text = ""  # noqa: N815
    url: Url = ""
    createdAt: IsoInstant  # noqa: N815
    updatedAt: IsoInstant  # noqa: N815
    closed: bool = False
    merged: bool = False
    isDraft: bool = False  # noqa: N815
    isAnswered: bool | None = None  # noqa: N815
    stateReason: Line = ""  # noqa: N815
    upvoteCount: int = 0  # noqa: N815
    author: Actor | None = None
    assignees: Actors | None = None
    repository: Repository
    category: Named | None = None
    milestone: Named | None = None
    labels: Labels | None = None
    comments: Count = Count()


class Remark(Wire):
    """A comment; ``author`` is missing where the account was deleted."""

    body: Text = ""
    createdAt: IsoInstant  # noqa: N815
    author: Actor | None = None


class Remarks(Wire):
    """The newest comments of a thing, each read by itself, and how many there are."""

    totalCount: int = 0  # noqa: N815
    nodes: tuple[object, ...] = ()


class Discussed(Wire):
    """A thing that was read for its comments."""

    typename: Annotated[Line, Field(alias="__typename")]
    id: Line
    body: Text = ""
    comments: Remarks


class Edge(Wire):
    """A node as a search found it."""

    node: Node
    textMatches: tuple[Match, ...] | None = None  # noqa: N815


class Found(Wire):
    """A page of a search."""

    discussionCount: int = 0  # noqa: N815
    pageInfo: PageInfo = PageInfo()  # noqa: N815
    edges: tuple[object, ...]


class Things(Wire):
    """What has a number in a repository: an issue or a pull request, or else a discussion."""

    issueOrPullRequest: object = None  # noqa: N815
    discussion: object = None


class Data(Wire):
    """The ``data`` of a search, of reading one thing, or of reading some for their comments."""

    search: Found | None = None
    repository: Things | None = None
    nodes: tuple[object, ...] = ()


class Listed(Wire):
    """A page of anything."""

    nodes: tuple[object, ...]
    pageInfo: PageInfo = PageInfo()  # noqa: N815


class Owner(Wire):
    """An organisation or an account with a list of something."""

    listed: Listed | None = None


class OwnerData(Wire):
    """The ``data`` of a listing."""

    owner: Owner | None = None


class ViewerData(Wire):
    """The ``data`` of the question who we are."""

    viewer: Actor
    owner: Actor | None = None


class GraphqlError(Wire):
    """One entry of ``errors``."""

    type: Line = ""
    message: Line = ""
