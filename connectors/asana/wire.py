"""The parts of Asana's replies that we read: https://developers.asana.com/reference/rest-api-reference ."""

from __future__ import annotations

from connectors.wire import IsoInstant, Line, Text, Url, Wire


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


class Task(Wire):
    """One task, with the fields that are asked for."""

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
