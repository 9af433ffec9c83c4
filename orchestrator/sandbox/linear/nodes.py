"""The nodes of Linear's graph, named as Python names things (resolving puts camelCase on), and the search of its issues.

Any word of the term will do, ranked; titles weigh more than descriptions and comments.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from orchestrator.sandbox.index import Matches, TextIndex, words

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
    relations: list["Relation"] = field(default_factory=list)
    inverse_relations: list["Relation"] = field(default_factory=list)
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Relation(Node):
    """How an issue stands to another one, from the one that it leads from."""

    type: str
    issue: Issue
    related_issue: Issue


TITLE_WEIGHT = 2.0
TEAM_BOOST = 1.5
"""How much better results of the boosted team count; Linear does not say."""

_IDENTIFIER = re.compile(r"\b([A-Za-z][A-Za-z0-9]*-\d{1,9})\b", re.ASCII)


class IssueSearch:
    """Search over one workspace; the indexes are built once."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        self._issues = issues
        self._numbers = {issue.identifier: number for number, issue in enumerate(issues)}
        self._titles = TextIndex((issue.title,) for issue in issues)
        self._texts = TextIndex((issue.description or "",) for issue in issues)
        self._comments = TextIndex([comment.body for comment in issue.comments] for issue in issues)

    def find(self, term: str, *, comments: bool = False, boosted: Team | None = None) -> Sequence[Issue]:
        """Issues with any word of the term, best first; an issue named by its identifier comes before all."""
        scores: dict[int, float] = {}
        for index, weight in ((self._titles, TITLE_WEIGHT), (self._texts, 1.0), (self._comments, float(comments))):
            if weight:
                for number, score in _scored(index, term).items():
                    scores[number] = scores.get(number, 0.0) + weight * score
        for number in scores if boosted else ():
            if self._issues[number].team is boosted:
                scores[number] *= TEAM_BOOST
        for name in _IDENTIFIER.findall(term):
            if (number := self._numbers.get(name.upper(), -1)) >= 0:
                scores[number] = float("inf")
        return [self._issues[number] for number in sorted(scores, key=lambda n: self._rank(n, scores))]

    def _rank(self, number: int, scores: Mapping[int, float]) -> tuple[float, float, str]:
        issue = self._issues[number]
        return -scores[number], -issue.updated_at.timestamp(), issue.id


def _scored(index: TextIndex, term: str) -> Mapping[int, float]:
    matches: list[Matches] = [index.find(word, "stem") for word in dict.fromkeys(words(term))]
    return index.score(matches, set().union(*matches))
