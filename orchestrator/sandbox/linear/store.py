"""The issues, teams, projects and people that a corpus makes up in Linear's terms."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from orchestrator.sandbox.corpus import Person, Row, highest, holding_up, moment
from orchestrator.sandbox.index import composed
from orchestrator.sandbox.linear.nodes import (
    EPOCH,
    ORGANIZATION,
    PRIORITIES,
    Comment,
    Issue,
    Label,
    Project,
    Relation,
    State,
    Team,
    User,
)
from orchestrator.sandbox.wire import Situation

STATES = {
    "backlog": ("Backlog", "backlog"),
    "todo": ("Todo", "unstarted"),
    "in progress": ("In Progress", "started"),
    "in review": ("In Review", "started"),
    "done": ("Done", "completed"),
    "canceled": ("Canceled", "canceled"),
    "open": ("In Progress", "started"),
    "closed": ("Canceled", "canceled"),
    "merged": ("Done", "completed"),
}
"""State names of corpora, and what Linear calls them; the last three are those of pull requests."""

_SPACE = uuid5(NAMESPACE_URL, "https://linear.app/acme")
_KEY = re.compile(r"([A-Z][A-Z0-9]*)-(\d{1,9})", re.ASCII)


class Tracker:
    """Everything in one Linear workspace."""

    def __init__(self, situation: Situation) -> None:
        everyone = situation.everyone
        self.users = [_user(person, is_me=person.id == situation.owner.id) for person in everyone]
        self._users = {person.id: user for person, user in zip(everyone, self.users, strict=True)}
        self._people = situation.corpus.people
        self._named: dict[tuple[str, str], Any] = {}
        self._teams: dict[str, Team] = {}
        rows = situation.corpus.of("linear")
        taken = {(row.said("key")) for row in rows}
        keys = filter(None, map(_KEY.fullmatch, taken))
        self._numbers = highest((found[1], int(found[2])) for found in keys)
        self.issues = [self._issue(row, self._identity(row, taken)) for row in rows]
        for issue, held in holding_up(rows, self.issues):
            number, made = _id("relation", f"{issue.row}:{held.row}"), issue.created_at
            relation = Relation(
                id=number, created_at=made, updated_at=made, type="blocks", issue=issue, related_issue=held
            )
            issue.relations.append(relation)
            held.inverse_relations.append(relation)
        self.by_name: Mapping[str, Issue] = {name: i for i in self.issues for name in (i.id, i.identifier)}

    @property
    def teams(self) -> Sequence[Team]:
        """Teams in order of appearance."""
        return list(self._teams.values())

    @property
    def viewer(self) -> User:
        """Whose token it is."""
        return next(user for user in self.users if user.is_me)

    def _identity(self, row: Row, taken: set[str]) -> tuple[Team, int]:
        if found := _KEY.fullmatch(row.said("key")):
            return self._team(found[1], row), int(found[2])
        key = row.said("team").upper() or _letters(row.container or row.source)
        number = self._numbers.get(key, 0) + 1
        while f"{key}-{number}" in taken:
            number += 1
        self._numbers[key] = number
        return self._team(key, row), number

    def _team(self, key: str, row: Row) -> Team:
        name = composed(row.container) or row.source
        return self._teams.setdefault(key, Team(id=_id("team", key), key=key, name=name))

    def _issue(self, row: Row, identity: tuple[Team, int]) -> Issue:
        team, number = identity
        state = self._state(row)
        created = row.created or EPOCH
        updated = row.updated or created
        completed = moment(row.said("completed"))
        key = f"{team.key}-{number}"
        url = row.url or f"https://linear.app/{ORGANIZATION}/issue/{key}"
        due = moment(row.said("due"))
        project = composed(row.said("project"))
        return Issue(
            id=_id("issue", row.id),
            row=row.id,
            created_at=created,
            updated_at=updated,
            number=number,
            team=team,
            state=state,
            title=composed(row.title),
            description=composed(row.text) or None,
            url=url,
            priority=min(max(row.extra.get("priority", 0), 0), len(PRIORITIES) - 1),
            due_date=due.date() if due else None,
            started_at=None,
            completed_at=completed if state.type == "completed" else None,
            canceled_at=completed if state.type == "canceled" else None,
            assignee=self._member(row.said("assignee")),
            creator=self._member(row.author),
            project=self._one("project", project, lambda i: Project(id=i, name=project)) if project else None,
            labels=self._labels(row.listed("labels")),
            comments=self._comments(row, url),
        )

    def _labels(self, names: Iterable[str]) -> Sequence[Label]:
        return [self._one("label", name, lambda i, name=name: Label(id=i, name=name)) for name in map(composed, names)]

    def _comments(self, row: Row, url: str) -> Sequence[Comment]:
        made = [(moment(c.get("created") or "") or row.created or EPOCH, c) for c in row.extra.get("comments", ())]
        return [
            Comment(
                id=(number := _id("comment", f"{row.id}:{place}")),
                created_at=created,
                updated_at=created,
                body=composed(comment["text"]),
                url=f"{url}#comment-{number[:8]}",
                user=self._member(comment.get("author") or ""),
            )
            for place, (created, comment) in enumerate(made)
        ]

    def _state(self, row: Row) -> State:
        said = row.said("state") or "Backlog"
        name, kind = STATES.get("merged" if row.merged else said.casefold(), (said, "unstarted"))
        state: State = self._one("state", name, lambda i: State(id=i, name=name, type=kind))
        return state

    def _member(self, name: str) -> User | None:
        person = self._people.find(name)
        return self._users[person.id] if person else None

    def _one(self, kind: str, name: str, make: Any) -> Any:
        if (kind, name) not in self._named:
            self._named[kind, name] = make(_id(kind, name))
        return self._named[kind, name]


def _id(kind: str, name: str) -> str:
    return str(uuid5(_SPACE, f"{kind}:{name}"))


def _user(person: Person, *, is_me: bool) -> User:
    return User(
        id=_id("user", person.id),
        name=person.name,
        display_name=person.handle,
        email=person.email,
        title=person.title or None,
        is_me=is_me,
    )


def _letters(name: str) -> str:
    return re.sub(r"[^A-Z]", "", name.upper())[:3] or "TEAM"
