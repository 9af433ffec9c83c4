"""The nodes of Linear's graph, named as Python names things; the schema's camelCase is put on in resolving."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ORGANIZATION = "acme"
PRIORITIES = ("No priority", "Urgent", "High", "Medium", "Low")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    """What every node of Linear's graph has."""

    id: str
    created_at: datetime = EPOCH
    updated_at: datetime = EPOCH
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class User(Node):
    """A member; `is_me` for the token's owner."""

    name: str
    display_name: str
    email: str
    title: str | None
    is_me: bool
    active: bool = True
    admin: bool = False
    guest: bool = False
    timezone: str | None = None
    avatar_url: str | None = None

    @property
    def url(self) -> str:
        """The member's profile."""
        return f"https://linear.app/{ORGANIZATION}/profiles/{self.display_name}"

    @property
    def initials(self) -> str:
        """First letters of the name."""
        return "".join(word[0] for word in self.name.split())[:2]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Team(Node):
    """A team; issues are numbered within it."""

    key: str
    name: str
    description: str | None = None
    private: bool = False

    @property
    def display_name(self) -> str:
        """The same as its name: nothing is nested here."""
        return self.name


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class State(Node):
    """A workflow state."""

    name: str
    type: str
    position: float = 0.0
    color: str = "#bec2c8"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Project(Node):
    """A project."""

    name: str
    description: str = ""

    @property
    def slug_id(self) -> str:
        """The short id in its link."""
        return self.id.replace("-", "")[:12]

    @property
    def url(self) -> str:
        """Where people open it."""
        return f"https://linear.app/{ORGANIZATION}/project/{self.slug_id}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Label(Node):
    """An issue label."""

    name: str
    color: str = "#bec2c8"
    is_group: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comment(Node):
    """A comment on an issue."""

    body: str
    url: str
    user: User | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Issue(Node):
    """An issue."""

    row: str
    number: int
    team: Team
    state: State
    title: str
    description: str | None
    url: str
    priority: int
    due_date: date | None
    started_at: datetime | None
    completed_at: datetime | None
    canceled_at: datetime | None
    assignee: User | None
    creator: User | None
    project: Project | None
    labels: Sequence[Label]
    comments: Sequence[Comment]
    estimate: float | None = None
    trashed: bool | None = None

    @property
    def identifier(self) -> str:
        """The key people write, such as PAY-142."""
        return f"{self.team.key}-{self.number}"

    @property
    def priority_label(self) -> str:
        """The priority in words."""
        return PRIORITIES[self.priority]

    @property
    def label_ids(self) -> Sequence[str]:
        """The ids of its labels."""
        return [label.id for label in self.labels]

    @property
    def branch_name(self) -> str:
        """The suggested git branch."""
        return self.identifier.lower()

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What Linear says about a search hit; not emulated."""
        return {}
