"""The tasks, projects, sections, tags, teams and people that a corpus makes up in Asana's terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from orchestrator.sandbox.corpus import Person, Row, holding_up, moment
from orchestrator.sandbox.index import composed
from orchestrator.sandbox.wire import Situation

WORKSPACE = "1200000000000001"
NAME = "Acme"
USERS, PROJECTS, SECTIONS, TAGS, TEAMS = (1_200_000_000_000_000 + place * 100_000 for place in range(1, 6))
TASKS, STORIES = 1_208_000_000_000_000, 1_209_000_000_000_000
"""Where the numbers of each kind begin; Asana's are unique over all kinds."""

COMPLETED = frozenset({"done", "canceled", "closed", "merged"})
"""State names of corpora that mean a completed task; Asana itself knows completed or not."""

MILESTONE, TASK = "milestone", "default_task"
COMMENT, ASSIGNED = "comment_added", "assigned"
EPOCH = "1970-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Named:
    """Anything with a number and a name; `kind` is its `resource_type`."""

    gid: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class User(Named):
    """Somebody with an account."""

    email: str


@dataclass(frozen=True, slots=True)
class Membership:
    """A task in a section of a project."""

    project: Named
    section: Named


@dataclass(frozen=True, slots=True)
class Story:
    """A comment, or what happened to a task."""

    gid: str
    subtype: str
    text: str
    created_at: datetime
    created_by: User | None


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A task. `teams` are those of its projects, `stories` what happened to it and what was said of it, oldest first."""

    row: str
    gid: str
    name: str
    notes: str
    subtype: str
    completed_at: datetime | None
    completed: bool
    created_at: datetime
    modified_at: datetime
    due_on: date | None
    created_by: User | None
    assignee: User | None
    memberships: Sequence[Membership]
    teams: Sequence[Named]
    tags: Sequence[Named]
    stories: Sequence[Story]
    dependencies: list["Task"] = field(default_factory=list)
    dependents: list["Task"] = field(default_factory=list)

    @property
    def commenters(self) -> frozenset[str]:
        """The numbers of who commented on it."""
        return frozenset(each.created_by.gid for each in self.stories if each.subtype == COMMENT and each.created_by)

    @property
    def url(self) -> str:
        """Where people open it."""
        place = f"/project/{self.memberships[0].project.gid}" if self.memberships else ""
        return f"https://app.asana.com/1/{WORKSPACE}{place}/task/{self.gid}"

    @property
    def followers(self) -> Sequence[User]:
        """Whoever created a task follows it, and so does whoever has to do it."""
        return tuple({user.gid: user for user in (self.created_by, self.assignee) if user}.values())


class Workspace:
    """Everything in one workspace."""

    def __init__(self, situation: Situation) -> None:
        everyone = situation.everyone
        self._people = situation.corpus.people
        self._accounts = {person.id: _user(place, person) for place, person in enumerate(everyone)}
        self.users: Sequence[User] = tuple(self._accounts.values())
        self.viewer = self._accounts[situation.owner.id]
        self.zone = situation.zone
        self._named: dict[tuple[str, str, str], Named] = {}
        self.tasks: Sequence[Task] = tuple(self._task(n, row) for n, row in enumerate(situation.corpus.of("asana")))
        for held_up, waiting in holding_up(situation.corpus.of("asana"), self.tasks):
            held_up.dependents.append(waiting)
            waiting.dependencies.append(held_up)
        self.by_gid: Mapping[str, Task] = {task.gid: task for task in self.tasks}

    def named(self, kind: str) -> Sequence[Named]:
        """Everything of one kind in order of appearance."""
        return tuple(each for each in self._named.values() if each.kind == kind)

    def _task(self, place: int, row: Row) -> Task:
        said = row.said("state") or "To do"
        completed = said.casefold() in COMPLETED
        created = row.created or moment(EPOCH)
        assert created is not None
        due = moment(row.said("due"))
        return Task(
            row=row.id,
            gid=str(TASKS + place),
            name=composed(row.title),
            notes=composed(row.text),
            subtype=MILESTONE if row.kind == MILESTONE else TASK,
            completed_at=(moment(row.said("completed")) or row.updated or created) if completed else None,
            completed=completed,
            created_at=created,
            modified_at=row.updated or created,
            due_on=due.date() if due else None,
            created_by=self._member(row.author),
            assignee=self._member(row.said("assignee")),
            memberships=[self._membership(name, said) for name in _projects(row)],
            teams=[self._one("team", row.container, TEAMS)] if row.container else [],
            tags=[self._one("tag", label, TAGS) for label in row.listed("labels")],
            stories=self._stories(place, row, created),
        )

    def _stories(self, place: int, row: Row, created: datetime) -> Sequence[Story]:
        """That it was given to somebody, where it was, and its comments."""
        author, assignee = self._member(row.author), self._member(row.said("assignee"))
        given = (
            [(ASSIGNED, f"{author.name} assigned to {assignee.name}", created, author)] if author and assignee else []
        )
        said = [
            (
                COMMENT,
                composed(each["text"]),
                moment(each.get("created") or "") or created,
                self._member(each.get("author") or ""),
            )
            for each in row.extra.get("comments", ())
        ]
        ordered = sorted((*given, *said), key=lambda each: each[2])
        return tuple(Story(str(STORIES + place * 1000 + n), *each) for n, each in enumerate(ordered))

    def _membership(self, project: str, state: str) -> Membership:
        found = self._one("project", project, PROJECTS)
        return Membership(found, self._one("section", state, SECTIONS, within=found.gid))

    def _one(self, kind: str, name: str, first: int, within: str = "") -> Named:
        """The thing of this name, within another where the name is only unique there."""
        key = (kind, within, composed(name))
        if key not in self._named:
            known = sum(other == kind for other, _, _ in self._named)
            self._named[key] = Named(str(first + known), kind, key[-1])
        return self._named[key]

    def _member(self, name: str) -> User | None:
        person = self._people.find(name)
        return self._accounts[person.id] if person else None


def _projects(row: Row) -> Sequence[str]:
    """The projects of a task: those it lists, else its own, else where it lies, else none."""
    several = row.listed("projects")
    one = row.said("project") or row.container
    return several or ([one] if one else [])


def _user(place: int, person: Person) -> User:
    return User(str(USERS + place), "user", person.name, person.email)
