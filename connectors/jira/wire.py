"""The parts of Jira's replies that we read: https://developer.atlassian.com/cloud/jira/platform/rest/v3/ ."""

from __future__ import annotations

from pydantic import Field

from connectors.wire import IsoInstant, Line, Wire


class User(Wire):
    """Somebody with an Atlassian account; ``emailAddress`` only where their profile shows it."""

    accountId: Line  # noqa: N815 — Jira's spelling
    accountType: Line = ""  # noqa: N815
    displayName: Line = ""  # noqa: N815
    emailAddress: Line = ""  # noqa: N815
    active: bool = True


class Project(Wire):
    """``key`` begins the keys of its issues."""

    id: Line
    key: Line = ""
    name: Line = ""


class Category(Wire):
    """What kind of status: ``new``, ``indeterminate``, ``done`` or ``undefined``."""

    key: Line = ""


class Status(Wire):
    """A status of a workflow; ``name`` in the words of the site."""

    name: Line = ""
    statusCategory: Category | None = None  # noqa: N815


class Named(Wire):
    """A type, priority or resolution."""

    name: Line = ""


class Parent(Wire):
    """The epic or task that an issue is part of."""

    key: Line = ""


class Remark(Wire):
    """A comment; ``body`` is an Atlassian Document."""

    author: User | None = None
    body: object = None
    created: IsoInstant


class Remarks(Wire):
    """The comments that come with an issue; each is read by itself, so that one bad one costs only itself."""

    comments: tuple[object, ...] = ()


class Fields(Wire):
    """The fields that are asked for; ``description`` is an Atlassian Document or nothing."""

    summary: Line = ""
    description: object = None
    project: Project | None = None
    reporter: User | None = None
    creator: User | None = None
    assignee: User | None = None
    status: Status | None = None
    issuetype: Named | None = None
    priority: Named | None = None
    resolution: Named | None = None
    labels: tuple[Line, ...] | None = None
    parent: Parent | None = None
    created: IsoInstant | None = None
    updated: IsoInstant | None = None
    duedate: Line = ""
    resolutiondate: Line = ""
    comment: Remarks | None = None


class Issue(Wire):
    """One issue."""

    key: Line
    fields: Fields


class Found(Wire):
    """A page of issues, each read by itself so that one bad one costs only itself. There is no total."""

    issues: tuple[object, ...]
    nextPageToken: str | None = None  # noqa: N815
    isLast: bool = False  # noqa: N815

    @property
    def next(self) -> str | None:
        """The token of the next page. A token after the last page, or after one without issues, leads in a circle."""
        return None if self.isLast or not self.issues else self.nextPageToken or None


class ProjectPage(Wire):
    """A page of projects."""

    values: tuple[object, ...]
    isLast: bool = True  # noqa: N815


class Refusal(Wire):
    """An error as Jira tells it (``errorMessages``, ``errors``), or as Atlassian's gateway does (``message``)."""

    errorMessages: tuple[str, ...] = ()  # noqa: N815
    errors: dict[str, object] = Field(default_factory=dict)
    message: str = ""

    @property
    def said(self) -> str:
        """Everything that it says, in one line."""
        named = (f"{name}: {problem}" for name, problem in self.errors.items())
        return "; ".join(filter(None, (*self.errorMessages, *named, self.message)))
