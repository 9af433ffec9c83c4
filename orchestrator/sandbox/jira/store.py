"""The issues, projects and people that a corpus makes up in Jira's terms."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import NAMESPACE_URL, uuid5

from orchestrator.sandbox.corpus import Person, Row, highest, holding_up, moment
from orchestrator.sandbox.index import composed
from orchestrator.sandbox.wire import Situation

SITE = "https://acme.atlassian.net"
FIRST_NUMBER = 10_000
PRIORITIES = ("Medium", "Highest", "High", "Medium", "Low")
CATEGORIES = {
    "new": (2, "To Do", "blue-gray"),
    "indeterminate": (4, "In Progress", "yellow"),
    "done": (3, "Done", "green"),
}
STATES = {
    "backlog": ("Backlog", "new"),
    "todo": ("To Do", "new"),
    "in progress": ("In Progress", "indeterminate"),
    "in review": ("In Review", "indeterminate"),
    "done": ("Done", "done"),
    "canceled": ("Canceled", "done"),
    "open": ("In Progress", "indeterminate"),
    "closed": ("Canceled", "done"),
    "merged": ("Done", "done"),
}
"""State names of corpora, and what Jira might call them; the last three are those of pull requests."""

_SPACE = uuid5(NAMESPACE_URL, SITE)
_KEY = re.compile(r"([A-Z][A-Z0-9_]*)-(\d{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class User:
    """Somebody with an account."""

    account: str
    name: str
    email: str


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """A project; issues are numbered within it."""

    number: int
    key: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """What somebody wrote below an issue."""

    number: int
    text: str
    author: User | None
    created: datetime


@dataclass(frozen=True, slots=True, eq=False)
class Issue:
    """An issue. `category` is the key of its status's category."""

    row: str
    number: int
    key: str
    project: Project
    summary: str
    description: str
    comments: Sequence[Comment]
    kind: str
    status: str
    category: str
    priority: str
    labels: Sequence[str]
    reporter: User | None
    assignee: User | None
    created: datetime
    updated: datetime
    due: date | None
    resolved: datetime | None
    blocks: list["Issue"] = field(default_factory=list)
    blocked_by: list["Issue"] = field(default_factory=list)
    parts: list["Issue"] = field(default_factory=list)
    whole: list["Issue"] = field(default_factory=list)


class Site:
    """Everything on one Jira site."""

    def __init__(self, situation: Situation) -> None:
        everyone = situation.everyone
        self._people = situation.corpus.people
        self._accounts = {person.id: _user(person) for person in everyone}
        self.users: Sequence[User] = tuple(self._accounts.values())
        self.viewer = self._accounts[situation.owner.id]
        self.zone = situation.zone
        self._projects: dict[str, Project] = {}
        rows = situation.corpus.of("jira")
        keys = filter(None, map(_KEY.fullmatch, (row.said("key") for row in rows)))
        self._numbers = highest((found[1], int(found[2])) for found in keys)
        self.issues: Sequence[Issue] = tuple(self._issue(place, row) for place, row in enumerate(rows))
        for issue, held in holding_up(rows, self.issues):
            issue.blocks.append(held)
            held.blocked_by.append(issue)
        by_row = {issue.row: issue for issue in self.issues}
        for row in rows:
            if whole := by_row.get(row.said("parent")):
                whole.parts.append(by_row[row.id])
                by_row[row.id].whole.append(whole)
        self.by_name: Mapping[str, Issue] = {
            name: issue for issue in self.issues for name in (issue.key.casefold(), str(issue.number))
        }

    @property
    def projects(self) -> Sequence[Project]:
        """Projects in order of appearance."""
        return tuple(self._projects.values())

    def _identity(self, row: Row) -> tuple[Project, int]:
        if found := _KEY.fullmatch(row.said("key")):
            return self._project(found[1], row), int(found[2])
        key = row.said("team").upper() or _letters(row.container or row.source)
        self._numbers[key] = self._numbers.get(key, 0) + 1
        return self._project(key, row), self._numbers[key]

    def _project(self, key: str, row: Row) -> Project:
        name = composed(row.container) or key
        return self._projects.setdefault(key, Project(FIRST_NUMBER + len(self._projects), key, name))

    def _issue(self, place: int, row: Row) -> Issue:
        project, number = self._identity(row)
        said = row.said("state") or "Backlog"
        status, category = STATES.get("merged" if row.merged else said.casefold(), (said, "indeterminate"))
        created = row.created or moment("1970-01-01T00:00:00Z")
        assert created is not None
        due = moment(row.said("due"))
        level = row.extra.get("priority", 0)
        return Issue(
            row=row.id,
            number=FIRST_NUMBER + place,
            key=f"{project.key}-{number}",
            project=project,
            summary=composed(row.title),
            description=composed(row.text),
            comments=[
                Comment(
                    FIRST_NUMBER + at,
                    composed(each["text"]),
                    self._member(each.get("author") or ""),
                    moment(each.get("created") or "") or created,
                )
                for at, each in enumerate(row.extra.get("comments", ()))
            ],
            kind="Task",
            status=status,
            category=category,
            priority=PRIORITIES[level] if 0 <= level < len(PRIORITIES) else "Medium",
            labels=[composed(label) for label in row.listed("labels")],
            reporter=self._member(row.author),
            assignee=self._member(row.said("assignee")),
            created=created,
            updated=row.updated or created,
            due=due.date() if due else None,
            resolved=moment(row.said("completed")) if category == "done" else None,
        )

    def _member(self, name: str) -> User | None:
        person = self._people.find(name)
        return self._accounts[person.id] if person else None


def _user(person: Person) -> User:
    return User(f"557058:{uuid5(_SPACE, person.id)}", person.name, person.email)


def _letters(name: str) -> str:
    return re.sub(r"[^A-Z]", "", name.upper())[:4] or "WORK"
