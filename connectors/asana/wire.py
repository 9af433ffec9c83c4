"""The parts of Asana's replies that we read: https://developers.asana.com/reference/rest-api-reference .

Asana's errors, sorted by what to do: https://developers.asana.com/docs/errors .
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from connectors.errors import (
    Forbidden,
    Misconfigured,
    SourceError,
    advised,
)
from connectors.http import answered, error_for
from connectors.text import quote
from connectors.wire import (
    IsoInstant,
    Line,
    Text,
    Url,
    Wire,
)
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply


class Named(Wire):
    """A project, section, tag, parent or workspace; ``gid`` is its number, a string of digits."""

    gid: Line
    name: Line = ""


class User(Named):
    """Somebody; ``name`` is missing where only the number was given, ``email`` where it was not asked for."""

    email: Line = ""


class Membership(Wire):
    """Where in a project a task stands: a section, which is a column of its board."""

    section: Named | None = None


class Beside(Wire):
    """A task that another one waits for, or that waits for it."""

    name: Line = ""
    completed: bool | None = None


class Task(Wire):
    """One task, with the fields that are asked for; what it depends on, and what on it, is read each by itself."""

    gid: Line
    name: Line = ""
    notes: Text = ""
    resource_subtype: Line = ""
    completed: bool | None = None
    completed_at: Line = ""
    created_at: IsoInstant | None = None
    modified_at: IsoInstant | None = None
    due_at: Line = ""
    due_on: Line = ""
    created_by: User | None = None
    assignee: User | None = None
    projects: tuple[Named, ...] | None = None
    memberships: tuple[Membership, ...] | None = None
    tags: tuple[Named, ...] | None = None
    parent: Named | None = None
    permalink_url: Url = ""
    dependencies: tuple[object, ...] | None = None
    dependents: tuple[object, ...] | None = None


class Story(Wire):
    """What happened to a task, or what somebody said of it."""

    resource_subtype: Line = ""
    text: Text = ""
    created_at: IsoInstant
    created_by: User | None = None


class Body(Wire):
    """Any success: one thing, or a list of things that are each read by themselves."""

    data: object


class NextPage(Wire):
    """Where a list goes on; a search has none."""

    offset: str = ""


class Listed(Wire):
    """A page of people or workspaces."""

    data: tuple[object, ...]
    next_page: NextPage | None = None

    @property
    def offset(self) -> str:
        """The token of the next page, empty on the last."""
        return self.next_page.offset if self.next_page else ""


class Me(User):
    """Whose token it is, and the workspaces they belong to."""

    workspaces: tuple[Named, ...] = ()


class MeBody(Wire):
    """The reply to the question who we are."""

    data: Me


class Problem(Wire):
    """One of ``errors``; ``phrase`` comes with failures on Asana's side, whose support finds them by it."""

    message: str = ""
    phrase: str = ""


class Refusal(Wire):
    """An error: https://developers.asana.com/docs/errors ."""

    errors: tuple[Problem, ...] = ()


PLAN = Said(
    "Asana lets only members on a paid plan search tasks: ask for a seat on one, or switch this source off with enabled = false"
)
RIGHTS = Said("the token's owner may not read this, or the token lacks scopes such as tasks:read")
PLACE = Said("is workspace the number of a workspace that the token's owner belongs to?")
ADDRESS = Said("is base_url the address of Asana's API?")

KNOWN_AS = Said("{said} (Asana's support knows it as: {phrase})")


class NotThere(Misconfigured):
    """What was named by its number does not exist, or not for the token's owner."""


def error_from(reply: Reply) -> SourceError | None:
    """What is wrong with a reply, ``None`` if nothing is."""
    if reply.ok:
        return None
    problems = _problems(reply)
    said = _said(reply.status, problems)
    match reply.status:
        case 402:
            return Forbidden(advised(said, PLAN))
        case 403:
            return Forbidden(advised(said, RIGHTS))
        case 404 if any(problem.message for problem in problems.errors):
            return NotThere(advised(said, PLACE))
        case 404:
            return Misconfigured(advised(said, ADDRESS))
        case _:
            return error_for(reply, said)


def _problems(reply: Reply) -> Refusal:
    try:
        return Refusal.model_validate(reply.data)
    except ValidationError:
        return Refusal()


def _said(status: int, refusal: Refusal) -> Said:
    messages = "; ".join(problem.message for problem in refusal.errors if problem.message)
    told = answered("Asana", status, quote(messages) if messages else "")
    phrase = next((problem.phrase for problem in refusal.errors if problem.phrase), "")
    return KNOWN_AS.filled(said=told, phrase=quote(phrase)) if phrase else told
