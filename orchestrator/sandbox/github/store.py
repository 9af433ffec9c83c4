"""The repositories, things, files and people that a corpus makes up in GitHub's terms."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import quote, unquote

from orchestrator.sandbox.corpus import Person, Row, highest, moment
from orchestrator.sandbox.index import composed
from orchestrator.sandbox.wire import Situation

ORGANIZATION = "acme"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
WEB = "https://github.com"

ThingKind = Literal["issue", "pull", "discussion"]
KINDS: Mapping[str, ThingKind] = {
    "pr": "pull", "prs": "pull", "pull": "pull", "pull_request": "pull",
    "discussion": "discussion", "discussions": "discussion", "thread": "discussion",
}  # fmt: skip
"""Kinds of rows; code is told apart before, and all others are issues."""

FILES = frozenset({"code", "file", "files"})
_PATHS = {"issue": "issues", "pull": "pull", "discussion": "discussions"}
_NUMBERED = re.compile(r"https?://[^/]+/([^/]+/[^/]+)/(issues|pull|discussions)/(\d{1,9})", re.ASCII)
_BLOB = re.compile(r"https?://[^/]+/([^/]+/[^/]+)/blob/([^/]+)/([^?#]+)")
_REPOSITORY = re.compile(r"[A-Za-z0-9-]+/[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True, eq=False)
class User:
    """A member; `login` is what GitHub calls people."""

    login: str
    name: str
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """A comment on a thing."""

    number: int
    author: User | None
    body: str
    created: datetime


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """An issue, a pull request or a discussion; the three share their numbers within a repository."""

    row: str
    kind: ThingKind
    repository: str
    number: int
    title: str
    body: str
    url: str
    author: User | None
    assignees: Sequence[User]
    labels: Sequence[str]
    milestone: str
    category: str
    closed: bool
    merged: bool
    draft: bool
    created: datetime
    updated: datetime
    completed: datetime | None
    comments: Sequence[Comment]

    @property
    def name(self) -> str:
        """What people write: `acme/app#12`."""
        return f"{self.repository}#{self.number}"

    @property
    def node(self) -> str:
        """Its id in both APIs."""
        return f"{self.kind[0].upper()}_{self.row}"


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """A file on the default branch of a repository."""

    row: str
    repository: str
    path: str
    ref: str
    text: str
    url: str

    @property
    def sha(self) -> str:
        """Git's name for the content."""
        content = self.text.encode()
        return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


class Forge:
    """Everything that one token sees."""

    def __init__(self, situation: Situation) -> None:
        everyone = situation.everyone
        self._people = situation.corpus.people
        self._users = _users(everyone)
        self.viewer = self._users[situation.owner.id]
        rows = situation.corpus.of("github")
        linked = filter(None, (_NUMBERED.match(row.url) for row in rows))
        self._numbers = highest((found[1].casefold(), int(found[3])) for found in linked)
        self.things = [self._thing(row) for row in rows if row.kind not in FILES]
        self.files = [_file(row) for row in rows if row.kind in FILES]
        self.by_name: Mapping[str, Thing] = {thing.name.casefold(): thing for thing in self.things}
        self.by_node: Mapping[str, Thing] = {thing.node: thing for thing in self.things}
        self.by_path: Mapping[str, File] = {f"{file.repository.casefold()}/{file.path}": file for file in self.files}
        self.users: Mapping[str, User] = {user.login.casefold(): user for user in self._users.values()}
        named = {thing.repository for thing in self.things} | {file.repository for file in self.files}
        names = named | {f"{ORGANIZATION}/{ORGANIZATION}"}
        self.repositories: Mapping[str, str] = {name.casefold(): name for name in sorted(names)}
        self.owners: Mapping[str, str] = {name.partition("/")[0].casefold(): name.partition("/")[0] for name in names}

    @property
    def members(self) -> Sequence[User]:
        """Everybody, in the order of the corpus."""
        return list(self.users.values())

    def _thing(self, row: Row) -> Thing:
        kind = KINDS.get(row.kind, "issue")
        found = _NUMBERED.match(row.url)
        repository = found[1] if found else _repository(row)
        number = int(found[3]) if found else self._next(repository)
        created = row.created or EPOCH
        completed = moment(row.said("completed"))
        state = row.said("state").casefold()
        assignees = [user for user in (self._user(row.said("assignee")),) if user]
        return Thing(
            row=row.id,
            kind=kind,
            repository=repository,
            number=number,
            title=composed(row.title),
            body=composed(row.text),
            url=row.url if found else f"{WEB}/{repository}/{_PATHS[kind]}/{number}",
            author=self._user(row.author),
            assignees=assignees if kind != "discussion" else [],
            labels=[composed(label) for label in row.listed("labels")],
            milestone=composed(row.said("project")),
            category=composed(row.said("team")) or "General",
            closed=row.merged or completed is not None or state in ("closed", "done", "merged", "canceled"),
            merged=row.merged and kind == "pull",
            draft=state == "draft",
            created=created,
            updated=row.updated or created,
            completed=completed,
            comments=self._comments(row, created),
        )

    def _comments(self, row: Row, created: datetime) -> Sequence[Comment]:
        said = row.extra.get("comments", ())
        return [
            Comment(
                number=_number(f"{row.id}:{place}"),
                author=self._user(comment.get("author") or ""),
                body=composed(comment["text"]),
                created=moment(comment.get("created") or "") or created,
            )
            for place, comment in enumerate(said)
        ]

    def _next(self, repository: str) -> int:
        self._numbers[repository.casefold()] = number = self._numbers.get(repository.casefold(), 0) + 1
        return number

    def _user(self, name: str) -> User | None:
        person = self._people.find(name)
        return self._users[person.id] if person else None


def _file(row: Row) -> File:
    found = _BLOB.match(row.url)
    if found:
        repository, ref, path = found[1], found[2], unquote(found[3])
        return File(row.id, repository, composed(path), ref, composed(row.text), row.url)
    repository, path = _repository(row), composed(row.title).lstrip("/") or f"{row.id}.txt"
    return File(row.id, repository, path, "main", composed(row.text), f"{WEB}/{repository}/blob/main/{quote(path)}")


def _repository(row: Row) -> str:
    if _REPOSITORY.fullmatch(row.container):
        return row.container
    return f"{ORGANIZATION}/{_slug(row.container) or ORGANIZATION}"


def _users(people: Iterable[Person]) -> Mapping[str, User]:
    users: dict[str, User] = {}
    taken: set[str] = set()
    for person in people:
        login = _slug(person.handle) or f"user-{_number(person.id)}"
        while login in taken:
            login = f"{login}-2"
        taken.add(login)
        users[person.id] = User(login, person.name, _number(person.id))
    return users


def _slug(name: str) -> str:
    """The ASCII letters and digits of a name, joined by dashes, as GitHub allows them in names."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold().replace("_", "-")).strip("-")[:39].rstrip("-")


def _number(name: str) -> int:
    return int(hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()[:7], 16) + 1
