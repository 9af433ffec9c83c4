"""The parts of Linear's replies that we read.

Linear's errors: ``errors[]`` with HTTP 200 or 400, sorted by what to do (https://linear.app/developers/graphql).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connectors.errors import (
    Forbidden,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.exchange import UNSPECIFIED
from connectors.http import answered, reply_time, retry_after
from connectors.text import quote
from connectors.wire import (
    IsoInstant,
    Line,
    Text,
    Url,
    Wire,
    read_each,
)
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.http import Reply


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


class Related(Wire):
    """Another issue."""

    identifier: Line
    state: Status | None = None


class Relation(Wire):
    """How an issue stands to a ``relatedIssue``, or another ``issue`` to it: ``blocks`` or something else."""

    type: Line = ""
    issue: Related | None = None
    relatedIssue: Related | None = None  # noqa: N815


class Relations(Wire):
    """Some relations; each is read by itself, so that one bad one costs only itself."""

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
    relations: Relations | None = None
    inverseRelations: Relations | None = None  # noqa: N815


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


LIMITS = ("endpoint-requests", "requests", "complexity", "endpoint-complexity")

# Words for the same thing in ``extensions.code`` and in ``extensions.type``, compared without case, blanks and "_".
TOO_OFTEN = frozenset({"ratelimited"})
SIGN_IN_AGAIN = frozenset({"authenticationerror", "unauthenticated"})
NO_RIGHT = frozenset({"forbidden", "featurenotaccessible"})
TRY_LATER = frozenset({"internalservererror", "internalerror", "networkerror", "locktimeout", "bootstraperror"})


def errors_in(body: Mapping[str, object]) -> tuple[GraphqlError, ...]:
    """The entries of ``errors`` that are errors at all."""
    listed = body.get("errors")
    entries = listed if isinstance(listed, list) else []
    return read_each(GraphqlError, entries, lambda entry: entry, "errors")[0] or (
        (GraphqlError(message=Said("an error without a description")),) if entries else ()
    )


def error_from(errors: Sequence[GraphqlError], reply: Reply) -> SourceError:
    """The one error that the entries stand for: the first of a kind that we know."""
    words = {word for each in errors for word in _words(each)}
    said = answered("Linear", reply.status, quote(said_by(errors[0])))
    if words & TOO_OFTEN:
        return Throttled(said, wait(reply.headers))
    if words & SIGN_IN_AGAIN:
        return Unauthenticated(advised(said, Said("get a new API key or access token")))
    if words & NO_RIGHT:
        return Forbidden(advised(said, Said("ask for read access in Linear")))
    return Unavailable(said) if words & TRY_LATER else Rejected(said)


def not_there(errors: Sequence[GraphqlError]) -> GraphqlError | None:
    """The error that says of a fetched issue that there is none, or none that this token may see."""
    return next((each for each in errors if each.path == ("issue",) and "not found" in each.message.casefold()), None)


def said_by(error: GraphqlError) -> str:
    """What an error says to people, else to developers."""
    presentable = error.extensions.userPresentableMessage if error.extensions else ""
    return presentable or error.message or UNSPECIFIED


def wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until the limit that is used up is renewed: ``X-RateLimit-…-Reset`` is in milliseconds since 1970.

    https://linear.app/developers/rate-limiting. Several may be used up; the last to be renewed counts.
    """
    asked = retry_after(headers)
    if asked is not None:
        return asked
    used_up = [name for name in LIMITS if headers.get(f"x-ratelimit-{name}-remaining", "").strip() in ("0", "0.0")]
    resets = [moment for name in used_up or LIMITS if (moment := _reset(headers, name))]
    if not resets:
        return None
    return max(0.0, ((max if used_up else min)(resets) - reply_time(headers)).total_seconds())


def _reset(headers: Mapping[str, str], name: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(headers.get(f"x-ratelimit-{name}-reset", "")) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _words(error: GraphqlError) -> set[str]:
    kinds = (error.extensions.code, error.extensions.type) if error.extensions else ()
    return {kind.casefold().replace("_", "").replace(" ", "") for kind in kinds}
