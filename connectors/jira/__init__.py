"""Jira Cloud: issues by its REST API, searched with JQL and read by key."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote as percent

from connectors.atlassian import AtlassianSource
from connectors.comments import Comment, read_comments, with_comments
from connectors.contract import Call, Fact, Health, Hit, HitPage, SourceDirectory, known_facts
from connectors.errors import BadReply, Forbidden, Rejected, SourceError
from connectors.http import HttpRequest, Page, Reply
from connectors.jira.adf import from_adf
from connectors.jira.settings import JiraSettings
from connectors.jira.wire import Found, Issue, Link, LinkedIssue, Project, ProjectPage, Remark, Status, User, error_from
from connectors.manifest import load_manifest
from connectors.paging import read_list
from connectors.text import absolute_url
from connectors.wire import read, read_each
from translators.patterns import regex
from translators.query import Container, Kind, Person, State
from translators.said import Said, quoting

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from translators.translator import Json, NativeQuery

SEARCH, FETCH = "rest/api/3/search/jql", "rest/api/3/issue/bulkfetch"
PEOPLE, PROJECTS, MYSELF = "rest/api/3/users/search", "rest/api/3/project/search", "rest/api/3/myself"
# Without this Jira answers with numbers alone.
FIELDS = (
    "summary", "description", "project", "reporter", "creator", "assignee", "status", "issuetype", "priority",
    "resolution", "labels", "parent", "issuelinks", "subtasks", "created", "updated", "duedate", "resolutiondate",
    "comment",
)  # fmt: skip
PEOPLE_LISTED, PROJECTS_LISTED = 200, 100  # a page
HELD_UP = regex(r"\bblocked by\b|\bdepends? on\b|\bwaits? (?:for|on)\b|의해|차단됨|막힘|막혀|기다", re.IGNORECASE)
HOLDS_UP = regex(r"\bblocks\b|\bis depended\b|차단|막고|막음|막는", re.IGNORECASE)
"""What a site calls a link by which an issue holds up another one: "is blocked by" and "blocks" where nobody has changed it."""
SITE = Said("site {address}")
DONE = "done"  # the key of a status category is the same in every language


class JiraSource(AtlassianSource):
    """One Jira Cloud site, seen with the eyes of the token's owner. A hit is one issue."""

    manifest = load_manifest("connectors.jira")
    settings_type = JiraSettings
    settings: JiraSettings

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search, or the reading of one issue: a search for a key that is not there would be refused."""
        fields: list[Json] = list(FIELDS)
        if key := native.args.get("issue"):
            return HttpRequest("POST", FETCH, json={"issueIdsOrKeys": [key], "fields": fields})
        body: dict[str, Json] = {"jql": native.text, "maxResults": page.limit, "fields": fields}
        if page.cursor is not None:
            body["nextPageToken"] = page.cursor
        return HttpRequest("POST", SEARCH, json=body)

    def parse(self, reply: Reply) -> HitPage:
        """The issues of a page."""
        found = read(Found, reply.data, "Jira")
        hits, notes = read_each(Issue, found.issues, self._hit, "issues", self.known)
        return HitPage(hits, found.next, None, notes)

    def error(self, reply: Reply) -> SourceError | None:
        """Jira's own words with what to do."""
        return error_from(reply)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page that names itself as the next is the last."""
        page = await super().search(native, call)
        return page if page.cursor is None or page.cursor != call.cursor else replace(page, cursor=None)

    async def directory(self, call: Call) -> SourceDirectory:
        """Active people, where the token may browse them, and projects by name and by key."""
        projects, few_projects = await self._projects(call)
        users, few_users = await self._people(call)
        people, unread = read_each(User, users, _listed, "people")
        containers, unread_projects = read_each(Project, projects, _containers, "projects")
        return SourceDirectory(
            people,
            tuple(container for names in containers for container in names),
            (*few_users, *few_projects, *unread, *unread_projects),
        )

    async def probe(self, call: Call) -> Health:
        """Who the token belongs to."""
        me = read(User, (await self.send(HttpRequest("GET", MYSELF), call)).data, "Jira")
        return Health(
            ok=True,
            detail=SITE.filled(address=quoting(self.settings.address)),
            account=me.emailAddress or me.displayName,
        )

    async def _people(self, call: Call) -> tuple[list[object], tuple[str, ...]]:
        """Everybody, page by page within reason; a page may hold fewer than were asked for and still not be the last."""

        async def page(at: int | None) -> tuple[list[object], int | None]:
            start = at or 0
            params = {"startAt": str(start), "maxResults": str(PEOPLE_LISTED)}
            listed = (await self.send(HttpRequest("GET", PEOPLE, params), call)).data
            if not isinstance(listed, list):
                raise BadReply(Said("Jira answered something other than a list of people"))
            return listed, start + PEOPLE_LISTED if listed else None

        return await read_list(page, self.settings.directory_pages, "people", refusals=(Forbidden, Rejected))

    async def _projects(self, call: Call) -> tuple[list[object], tuple[str, ...]]:
        async def page(at: int | None) -> tuple[tuple[object, ...], int | None]:
            start = at or 0
            params = {"startAt": str(start), "maxResults": str(PROJECTS_LISTED)}
            listed = read(ProjectPage, (await self.send(HttpRequest("GET", PROJECTS, params), call)).data, "Jira")
            return listed.values, None if listed.isLast or not listed.values else start + PROJECTS_LISTED

        return await read_list(page, self.settings.directory_pages, "projects", refusals=())

    def _hit(self, issue: Issue) -> Hit:
        fields = issue.fields
        remarks = fields.comment.comments if fields.comment else ()
        comments = read_comments(Remark, remarks, _dated, self.known)
        text, voices, _ = with_comments(from_adf(fields.description), comments, self.settings.max_text)
        place = fields.project
        return Hit(
            source="",
            id=issue.key,
            kind=Kind.ISSUE,
            title=fields.summary,
            url=absolute_url(f"{self.settings.address}/browse/{percent(issue.key, safe='')}"),
            snippet=text,
            author=_person(fields.reporter),
            assignee=_person(fields.assignee),
            container=Container(place.name or place.key, place.id) if place else None,
            state=_state(issue),
            created=fields.created,
            updated=fields.updated,
            facts=_facts(issue, voices),
        )


def _dated(remark: Remark) -> tuple[datetime, Comment]:
    return remark.created, Comment(_person(remark.author), from_adf(remark.body))


def _state(issue: Issue) -> State | None:
    status = issue.fields.status
    if status is None or status.statusCategory is None:
        return None
    return State.DONE if _is_done(status) else State.OPEN


def _is_done(status: Status | None) -> bool:
    return status is not None and status.statusCategory is not None and status.statusCategory.key == DONE


def _person(user: User | None) -> Person | None:
    return Person(user.displayName, user.accountId, user.emailAddress or None) if user else None


def _listed(user: User) -> Person | None:
    """Apps have accounts too, and so have the customers of a service desk, who write issues like anybody."""
    return _person(user) if user.active and user.displayName and user.accountType != "app" else None


def _containers(project: Project) -> tuple[Container, ...]:
    return tuple(Container(name, project.id) for name in dict.fromkeys((project.name, project.key)) if name)


def _facts(issue: Issue, voices: tuple[str, ...]) -> Mapping[str, Fact]:
    fields = issue.fields
    other = fields.creator if fields.creator and _person(fields.creator) != _person(fields.reporter) else None
    facts: dict[str, Fact] = {
        "key": issue.key,
        "state": fields.status.name if fields.status else "",
        "type": fields.issuetype.name if fields.issuetype else "",
        "labels": fields.labels or (),
        "priority": fields.priority.name if fields.priority else "",
        "due": fields.duedate,
        "completed": fields.resolutiondate,
        "resolution": fields.resolution.name if fields.resolution else "",
        "project": fields.project.key if fields.project else "",
        "parent": fields.parent.key if fields.parent else "",
        **_linked(issue),
        "subtasks": read_each(LinkedIssue, fields.subtasks or (), _open_still, "sub-tasks")[0],
        "created_by": other.displayName if other else "",
        "voices": voices,
    }
    return known_facts(facts)


def _linked(issue: Issue) -> Mapping[str, Fact]:
    """The open issues that hold it up, and those that it holds up."""
    linked: dict[str, tuple[str, ...]] = {"blocked_by": (), "blocks": ()}
    links, _ = read_each(Link, issue.fields.issuelinks or (), _open_link, "links")
    for said, called in links:
        name = "blocked_by" if HELD_UP.search(said) else "blocks" if HOLDS_UP.search(said) else ""
        if name:
            linked[name] += (called,)
    return linked


def _open_link(link: Link) -> tuple[str, str] | None:
    """How an issue stands to another one that is not done, and what that is called."""
    said, other = (link.type.inward, link.inwardIssue) if link.inwardIssue else (link.type.outward, link.outwardIssue)
    called = _open_still(other) if other else None
    return (said, called) if called else None


def _open_still(other: LinkedIssue) -> str | None:
    """What an issue is called that came along with another one, by its key and its name; nothing of one that is done."""
    return None if _is_done(other.fields.status) else f"{other.key} {other.fields.summary}".strip()


SOURCE = JiraSource
