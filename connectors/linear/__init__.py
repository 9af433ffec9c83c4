"""Linear: issues by its GraphQL API, searched by text and filtered by structure."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.comments import Comment, read_comments, with_comments
from connectors.contract import WORKSPACE, Call, Fact, Health, Hit, HitPage, LeftOut, SourceDirectory, known_facts
from connectors.errors import BadReply, SourceError, Throttled
from connectors.http import HttpRequest, HttpSource, Page, Reply, answered, error_for
from connectors.linear.settings import LinearSettings
from connectors.linear.wire import (
    FoundData,
    Issue,
    ListedData,
    Relation,
    Relations,
    Remark,
    Team,
    User,
    ViewerData,
    error_from,
    errors_in,
    not_there,
    said_by,
    wait,
)
from connectors.manifest import load_manifest
from connectors.markup import from_markdown
from connectors.paging import read_list
from connectors.text import quote
from connectors.wire import read, read_each
from translators.query import Container, Kind, Person, State
from translators.said import Said, quoting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from connectors.linear.wire import GraphqlError
    from translators.translator import Json, NativeQuery

LISTED = 100  # people or teams a page
TOO_MANY = 429
LESS = Said("Linear left something out: {said}")
STATES = MappingProxyType(
    {
        "triage": State.OPEN,
        "backlog": State.OPEN,
        "unstarted": State.OPEN,
        "started": State.OPEN,
        "completed": State.DONE,
        "canceled": State.DONE,
        "duplicate": State.DONE,
    }
)


# Our GraphQL documents by file name without ending; read here, since reading files would stop the event loop later.
DOCUMENTS = {
    path.name.removesuffix(".graphql"): path.read_text("utf-8")
    for path in resources.files("connectors.linear").joinpath("documents").iterdir()
}


class LinearSource(HttpSource):
    """One Linear workspace, seen with the eyes of the key's owner. A hit is one issue."""

    manifest = load_manifest("connectors.linear")
    settings_type = LinearSettings
    settings: LinearSettings

    def authorization(self, secret: str) -> Mapping[str, str]:
        """Personal keys stand by themselves, access tokens after ``Bearer`` (https://linear.app/developers/graphql)."""
        return {"Authorization": secret if secret.startswith("lin_api_") else f"Bearer {secret}"}

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """``searchIssues`` for words, ``issues`` where there are none and only filters, ``issue`` for one by its key."""
        if "id" in native.args:
            return _ask("fetch", {"id": native.args["id"]})
        variables: dict[str, Json] = {"first": page.limit, "includeArchived": self.settings.archived}
        if page.cursor is not None:
            variables["after"] = page.cursor
        variables |= {name: native.args[name] for name in ("filter", "orderBy") if name in native.args}
        if not native.text.strip():
            return _ask("list", variables)
        return _ask("search", {"term": native.text, "includeComments": self.settings.comments, **variables})

    def parse(self, reply: Reply) -> HitPage:
        """The issues of a page, or the one that was fetched; errors beside data tell what is left out."""
        errors = _errors(reply)
        if (said := not_there(errors)) is not None:
            return HitPage(
                remarks=(
                    Said("no such issue, or none that this token may see ({said})").filled(said=quote(said_by(said))),
                )
            )
        data = _data(reply)
        if isinstance(data, Mapping) and "issue" in data:
            hits, notes = read_each(Issue, [data["issue"]], self._hit, "issues", self.known)
            return HitPage(hits, None, None, notes, _partial(errors))
        found = read(FoundData, data, "Linear").found
        hits, notes = read_each(Issue, found.nodes, self._hit, "issues", self.known)
        total = None if found.totalCount is None else int(found.totalCount)
        return HitPage(hits, found.pageInfo.next, total, notes, _partial(errors))

    def error(self, reply: Reply) -> SourceError | None:
        """``errors`` without data is an error whatever the status says."""
        body = reply.members
        errors = _errors(reply)
        if not_there(errors) is not None:
            return None
        if errors and not (reply.ok and _has_data(body)):
            return error_from(errors, reply)
        if reply.status == TOO_MANY:
            return Throttled(answered("Linear", 429), wait(reply.headers))
        return error_for(reply, answered("Linear", reply.status))

    async def directory(self, call: Call) -> SourceDirectory:
        """Active people, and teams by name and by key: a hit stands in a team, whatever its project."""
        users, few_users = await self._listed("users", call)
        teams, few_teams = await self._listed("teams", call)
        people, unread = read_each(User, users, _names, "people")
        of_teams, unread_teams = read_each(Team, teams, _containers, "teams")
        return SourceDirectory(
            tuple(person for names in people for person in names),
            tuple(container for names in of_teams for container in names),
            (*few_users, *few_teams, *unread, *unread_teams),
        )

    async def probe(self, call: Call) -> Health:
        """Who the key belongs to."""
        who = read(ViewerData, _data(await self.send(_ask("viewer", {}), call)), "Linear")
        workspace = (
            WORKSPACE.filled(name=quoting(who.organization.name)) if who.organization and who.organization.name else ""
        )
        return Health(ok=True, detail=workspace, account=who.viewer.email or who.viewer.name)

    async def _listed(self, name: str, call: Call) -> tuple[list[object], tuple[str, ...]]:
        """The nodes of a list, page by page within reason, and a note if there were more."""

        async def page(more: Mapping[str, Json] | None) -> tuple[Sequence[object], Mapping[str, Json] | None]:
            reply = await self.send(_ask(name, {"first": LISTED, **(more or {})}), call)
            listed = read(ListedData, _data(reply), "Linear").listed
            return listed.nodes, None if (cursor := listed.pageInfo.next) is None else {"after": cursor}

        return await read_list(page, self.settings.directory_pages, name, refusals=())

    def _hit(self, issue: Issue) -> Hit:
        remarks = issue.comments.nodes if issue.comments else ()
        comments = read_comments(Remark, remarks, _dated, self.known)
        text, voices, whole = with_comments(from_markdown(issue.description), comments, self.settings.max_text)
        return Hit(
            source="",
            id=issue.identifier,
            kind=Kind.ISSUE,
            title=issue.title,
            url=issue.url,
            snippet=text,
            complete=whole and not self.settings.comments,
            author=_person(issue.creator),
            assignee=_person(issue.assignee),
            container=_place(issue),
            state=STATES.get(issue.state.type) if issue.state else None,
            created=issue.createdAt,
            updated=issue.updatedAt,
            facts=_facts(issue, voices),
        )


def _dated(remark: Remark) -> tuple[datetime, Comment]:
    return remark.createdAt, Comment(_person(remark.user), from_markdown(remark.body))


def _ask(name: str, variables: Mapping[str, Json]) -> HttpRequest:
    return HttpRequest("POST", "", json={"query": DOCUMENTS[name], "variables": variables})


def _data(reply: Reply) -> object:
    if not isinstance(reply.data, Mapping) or "data" not in reply.data:
        raise BadReply(Said("Linear answered something other than a GraphQL reply: data is missing"))
    return reply.data["data"]


def _has_data(body: Mapping[str, object]) -> bool:
    data = body.get("data")
    return isinstance(data, Mapping) and any(value is not None for value in data.values())


def _errors(reply: Reply) -> tuple[GraphqlError, ...]:
    return errors_in(reply.data) if isinstance(reply.data, Mapping) else ()


def _partial(errors: Sequence[GraphqlError]) -> tuple[LeftOut, ...]:
    return tuple(LeftOut(LESS.filled(said=quote(said_by(each)))) for each in errors[:1])


def _person(user: User | None) -> Person | None:
    return Person(user.name or user.displayName, user.id, user.email or None) if user else None


def _place(issue: Issue) -> Container | None:
    """The team; a project is among the facts, as an issue need not have one."""
    return Container(issue.team.name or issue.team.key, issue.team.id) if issue.team else None


def _names(user: User) -> tuple[Person, ...] | None:
    if not user.active:
        return None
    return tuple(
        Person(name, user.id, user.email or None) for name in dict.fromkeys((user.name, user.displayName)) if name
    )


def _containers(team: Team) -> tuple[Container, ...]:
    return tuple(Container(name, team.id) for name in dict.fromkeys((team.name, team.key)) if name)


def _facts(issue: Issue, voices: tuple[str, ...]) -> Mapping[str, Fact]:
    facts: dict[str, Fact] = {
        "key": issue.identifier,
        "state": issue.state.name if issue.state else "",
        "state_type": issue.state.type if issue.state else "",
        "labels": tuple(label.name for label in issue.labels.nodes) if issue.labels else (),
        "priority": issue.priorityLabel,
        "due": issue.dueDate,
        "completed": issue.completedAt or issue.canceledAt,
        "project": issue.project.name if issue.project else "",
        "team": issue.team.key if issue.team else "",
        "blocked_by": _open_beside(issue.inverseRelations),
        "blocks": _open_beside(issue.relations),
        "voices": voices,
    }
    return known_facts(facts)


def _open_beside(relations: Relations | None) -> tuple[str, ...]:
    """The keys of the issues that one blocks, or by which it is blocked, but for those that are done."""

    def key(relation: Relation) -> str | None:
        other = relation.relatedIssue or relation.issue
        open_still = other is not None and STATES.get(other.state.type if other.state else "") is not State.DONE
        return other.identifier if other and open_still and relation.type == "blocks" else None

    return read_each(Relation, relations.nodes if relations else (), key, "relations")[0]


SOURCE = LinearSource
