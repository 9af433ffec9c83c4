"""The parts of Jira's replies that we read: https://developer.atlassian.com/cloud/jira/platform/rest/v3/ .

Jira's errors, sorted by what to do, and how long it wants to be left alone.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError

from connectors.atlassian import (
    OF_THIS_KIND,
    SIGN_IN,
    SIGNATURE,
    asked_wait,
)
from connectors.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    advised,
)
from connectors.http import answered, error_for, reply_time
from connectors.text import MASK, quote
from connectors.wire import IsoInstant, Line, Wire
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.http import Reply


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


class LinkType(Wire):
    """How a link is called, from the one that it leads to and from the one that it leads from."""

    inward: Line = ""
    outward: Line = ""


class LinkedFields(Wire):
    """What comes along of a linked issue, or of a part of an issue."""

    summary: Line = ""
    status: Status | None = None


class LinkedIssue(Wire):
    """Another issue, which is linked or a part of it."""

    key: Line
    fields: LinkedFields = LinkedFields()


class Link(Wire):
    """A link to another issue: ``inwardIssue`` stands in the words of ``inward`` to this one ("is blocked by"), ``outwardIssue`` in those of ``outward``."""

    type: LinkType = LinkType()
    inwardIssue: LinkedIssue | None = None  # noqa: N815
    outwardIssue: LinkedIssue | None = None  # noqa: N815


class Fields(Wire):
    """The fields that are asked for; ``description`` is an Atlassian Document or nothing; of links and sub-tasks each is read by itself."""

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
    issuelinks: tuple[object, ...] | None = None
    subtasks: tuple[object, ...] | None = None
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


SCOPES = Said("the token needs the scopes read:jira-work and read:jira-user")
LEFT = re.compile(r"(?:^|;)\s*t=(\d{1,9})")


def error_from(reply: Reply) -> SourceError | None:  # noqa: PLR0911 — one line for each thing that can be done
    """What is wrong with a reply, ``None`` if nothing is."""
    login = reply.headers.get("x-seraph-loginreason", "")
    said = _said(reply)
    if "AUTHENTICATION_DENIED" in login:
        return Unauthenticated(advised(said, Said("too many failed sign-ins: sign in to Jira once in a browser")))
    # Jira takes a request with a wrong token for an anonymous one, which sees public projects only.
    if reply.status == 401 and "scope" in said.lower():  # noqa: PLR2004 — HTTP's own number
        return Forbidden(advised(said, SCOPES))
    if "AUTHENTICATED_FAILED" in login or reply.status == 401:  # noqa: PLR2004
        return Unauthenticated(advised(said, SIGN_IN))
    match reply.status:
        case 403:
            return Forbidden(
                advised(said, Said("ask for the permission to browse projects, or {scopes}").filled(scopes=SCOPES))
            )
        case 404:
            return Misconfigured(advised(said, Said("is base_url the address of a Jira Cloud site?")))
        case 410:
            return Rejected(advised(said, Said("Jira has removed what was asked for, so a newer fedsearch is needed")))
        case 429:
            reason = quote(reply.headers.get("ratelimit-reason", ""))
            return Throttled(OF_THIS_KIND.filled(said=said, kind=reason) if reason else said, wait(reply.headers))
        case _:
            return error_for(reply, said)


def wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until Jira may be asked again: as it says, else for a quota the rest of the hour in which it counts.

    https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
    """
    asked = asked_wait(headers)
    if asked is not None:
        return asked
    if left := LEFT.search(headers.get("ratelimit", "")):
        return float(left[1])
    if headers.get("ratelimit-reason", "").startswith("jira-quota-"):
        now = reply_time(headers)
        hour = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        return (hour - now).total_seconds()
    return None


def _said(reply: Reply) -> Said:
    try:
        said = Refusal.model_validate(reply.data).said
    except ValidationError:
        said = ""
    return answered("Jira", reply.status, quote(SIGNATURE.sub(MASK, said)))
