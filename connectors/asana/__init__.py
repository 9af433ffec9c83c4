"""Asana: tasks of one workspace by its REST API, searched by text and parameters or read by number, with what was said below the best of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote as percent

from connectors.asana.paging import TaskCursor, ordered
from connectors.asana.settings import AsanaSettings
from connectors.asana.wire import Beside, Body, Listed, MeBody, Named, NotThere, Story, Task, User, error_from
from connectors.comments import Comment, read_comments, with_comments
from connectors.contract import WORKSPACE, Call, Fact, Health, Hit, HitPage, SourceDirectory, known_facts
from connectors.errors import Misconfigured, SourceError
from connectors.http import HttpRequest, HttpSource, Page, Reply
from connectors.manifest import load_manifest
from connectors.paging import read_list
from connectors.text import clip
from connectors.wire import read, read_each, read_replies
from translators.query import Container, Kind, Person, State
from translators.said import Said, quoting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from translators.translator import NativeQuery

# Without these Asana answers with names alone: https://developers.asana.com/docs/inputoutput-options
FIELDS = (
    "name,notes,resource_subtype,completed,completed_at,created_at,modified_at,due_at,due_on,created_by.name,assignee.name,"
    "projects.name,memberships.section.name,tags.name,parent.name,permalink_url,"
    "dependencies.name,dependencies.completed,dependents.name,dependents.completed"
)
STORY = "resource_subtype,text,created_at,created_by.name"
COMMENT = "comment_added"  # other stories tell of changes
SEARCHES = "search"  # counted apart by Asana
LISTED = 100  # people, projects or workspaces a page, the most there can be
HERE = "{workspace}"  # stands in a path until it is known which workspace is meant
MILESTONE, PLAIN = "milestone", "default_task"
UNREAD = Said("the comments below {missing} of {read} tasks could not be read: {why}")


class AsanaSource(HttpSource):
    """One Asana workspace, seen with the eyes of the token's owner. A hit is one task or milestone."""

    manifest = load_manifest("connectors.asana")
    settings_type = AsanaSettings
    settings: AsanaSettings
    completes = True

    def __init__(self, name: str, settings: AsanaSettings) -> None:
        super().__init__(name, settings)
        self._workspaces: dict[str, str] = {}

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search of the workspace, or the reading of one task."""
        if task := native.args.get("task"):
            return HttpRequest("GET", f"tasks/{percent(str(task), safe='')}", {"opt_fields": FIELDS})
        params = {name: value for name, value in native.args.items() if isinstance(value, str)}
        params |= TaskCursor.read(page.cursor).within(native.args)
        if native.text.strip():
            params["text"] = native.text
        path = f"workspaces/{self.settings.workspace or HERE}/tasks/search"
        return HttpRequest("GET", path, {**params, "limit": str(page.limit), "opt_fields": FIELDS}, bucket=SEARCHES)

    def parse(self, reply: Reply) -> HitPage:
        """The tasks of a page, or the one that was read."""
        data = read(Body, reply.data, "Asana").data
        hits, notes = read_each(Task, data if isinstance(data, list) else [data], self._hit, "tasks", self.known)
        return HitPage(hits, None, None, notes)

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        """What was said below the best tasks, a request each: no search and no task holds it."""
        return tuple(
            HttpRequest("GET", f"tasks/{percent(hit.id, safe='')}/stories", {"opt_fields": STORY})
            for hit in self._discussed(page)
        )

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        """Each task with its comments behind its description; one whose comments could not be read keeps that alone."""
        said, failures = read_replies((hit.id for hit in self._discussed(page)), replies, self._comments)
        hits = tuple(self._with_comments(hit, said[hit.id]) if hit.id in said else hit for hit in page.hits)
        unread = [UNREAD.filled(missing=len(failures), read=len(replies), why=failures[0].message)] if failures else []
        return replace(page, hits=hits, notes=(*page.notes, *unread))

    def error(self, reply: Reply) -> SourceError | None:
        """Asana's own words with what to do."""
        return error_from(reply)

    async def send(self, request: HttpRequest, call: Call, *, sent: str = "") -> Reply:
        """One exchange, in the right workspace."""
        if HERE in request.path:
            request = replace(request, path=request.path.replace(HERE, percent(await self._workspace(call), safe="")))
        return await super().send(request, call, sent=sent)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page; tasks that stood at the end of the last one are asked for again and left out."""
        if "task" in native.args:
            return await self._one(native, call)
        limits = self.manifest.limits
        place, limit = TaskCursor.read(call.cursor), limits.hits(call.limit)
        asked = limits.hits(limit + len(place.seen))
        page = await super().search(native, replace(call, limit=asked))
        fresh = [hit for hit in page.hits if hit.id not in place.seen][:limit]
        hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(fresh, 1))
        full = len(page.hits) >= asked or bool(page.notes)  # what could not be read was there as well
        cursor = place.after(fresh, native.args) if full else None
        notes = (*page.notes, *self._unreachable(native, fresh, place)) if full and asked == limits.page else page.notes
        return HitPage(hits, str(cursor) if cursor else None, None, notes)

    async def directory(self, call: Call) -> SourceDirectory:
        """People of the workspace, and the projects that the token's owner used last."""
        workspace = await self._workspace(call)
        projects, few_projects = await self._projects(workspace, call)
        users, few_users = await self._people(workspace, call)
        people, unread = read_each(User, users, lambda user: _person(user) if user.name else None, "people")
        places, unread_projects = read_each(
            Named, projects, lambda each: _place(each) if each.name else None, "projects"
        )
        return SourceDirectory(people, places, (*few_users, *few_projects, *unread, *unread_projects))

    async def probe(self, call: Call) -> Health:
        """Who the token belongs to, and whether the workspace is theirs."""
        params = {"opt_fields": "name,email,workspaces.name"}
        reply = await self.send(HttpRequest("GET", "users/me", params), call)
        me = read(MeBody, reply.data, "Asana").data
        chosen = self._chosen(me.workspaces)
        return Health(
            ok=True, detail=WORKSPACE.filled(name=quoting(chosen.name or chosen.gid)), account=me.email or me.name
        )

    # ---- one task, one workspace

    def _discussed(self, page: HitPage) -> list[Hit]:
        """The best tasks that were changed since they were created, as a comment changes them."""
        changed = (hit for hit in page.hits if hit.updated is not None and hit.updated != hit.created)
        return list(islice(changed, self.settings.comments_read))

    def _comments(self, reply: Reply | SourceError) -> tuple[Comment, ...]:
        if isinstance(reply, SourceError):
            raise reply
        return read_comments(Story, read(Listed, reply.data, "Asana").data, _dated, self.known)

    def _with_comments(self, hit: Hit, said: tuple[Comment, ...]) -> Hit:
        text, voices, whole = with_comments(hit.snippet, said, self.settings.max_text)
        facts = MappingProxyType({**hit.facts, "voices": voices} if voices else dict(hit.facts))
        return replace(hit, snippet=text, complete=hit.complete and whole, facts=facts)

    async def _one(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except NotThere as failure:
            return HitPage(
                remarks=(
                    Said("no such task, or none that this token may see ({what})").filled(
                        what=failure.message.split(";")[0]
                    ),
                )
            )

    async def _workspace(self, call: Call) -> str:
        """The number of the workspace; asked for once for everybody who asks, where the settings do not say."""
        if self.settings.workspace:
            return self.settings.workspace
        if call.principal not in self._workspaces:
            params = {"limit": str(LISTED), "opt_fields": "name"}
            reply = await self.send(HttpRequest("GET", "workspaces", params), call)
            listed = read(Listed, reply.data, "Asana")
            found, _ = read_each(Named, listed.data, lambda workspace: workspace, "workspaces")
            self._workspaces[call.principal] = self._chosen(found).gid
        return self._workspaces[call.principal]

    def _chosen(self, workspaces: Sequence[Named]) -> Named:
        """The one that is set, else the only one there is."""
        wanted = [each for each in workspaces if self.settings.workspace in ("", each.gid)]
        if len(wanted) == 1:
            return wanted[0]
        known = ", ".join(f"{each.gid} ({each.name})" for each in workspaces)
        if not known:
            raise Misconfigured(
                Said("the owner of {name}'s token belongs to no workspace; use the token of somebody who does").filled(
                    name=self.name
                )
            )
        if not wanted:
            raise Misconfigured(
                Said("the owner of {name}'s token does not belong to workspace {workspace}, but to {known}").filled(
                    name=self.name, workspace=self.settings.workspace, known=known
                )
            )
        raise Misconfigured(
            Said("set workspace of {name} to one of those that its token sees: {known}").filled(
                name=self.name, known=known
            )
        )

    def _unreachable(self, native: NativeQuery, fresh: Sequence[Hit], place: TaskCursor) -> tuple[Said, ...]:
        most = self.manifest.limits.page
        if not ordered(native.args):
            return (
                Said("there may be more: Asana hands out the {most} most relevant tasks and no second page").filled(
                    most=most
                ),
            )
        if not fresh and place.seen:
            return (
                Said(
                    "there may be more: over {most} tasks were changed within seconds, and Asana hands out no more at once"
                ).filled(most=most),
            )
        return ()

    # ---- names

    async def _people(self, workspace: str, call: Call) -> tuple[list[object], tuple[str, ...]]:
        """Everybody, page by page within reason."""
        params = {"workspace": workspace, "limit": str(LISTED), "opt_fields": "name,email"}

        async def page(more: Mapping[str, str] | None) -> tuple[Sequence[object], Mapping[str, str] | None]:
            listed = read(
                Listed, (await self.send(HttpRequest("GET", "users", {**params, **(more or {})}), call)).data, "Asana"
            )
            return listed.data, {"offset": listed.offset} if listed.offset else None

        return await read_list(page, self.settings.directory_pages, "people")

    async def _projects(self, workspace: str, call: Call) -> tuple[Sequence[object], tuple[str, ...]]:
        """One page is all there is, the projects used last first."""
        params = {"resource_type": "project", "count": str(LISTED), "opt_fields": "name"}
        path = f"workspaces/{percent(workspace, safe='')}/typeahead"

        async def page(_: None) -> tuple[Sequence[object], None]:
            return read(Listed, (await self.send(HttpRequest("GET", path, params), call)).data, "Asana").data, None

        found, notes = await read_list(page, 1, "projects")
        more = Said("of the projects only the {listed} used last are known by name").filled(listed=LISTED)
        return found, (more,) if len(found) >= LISTED else notes

    def _hit(self, task: Task) -> Hit:
        text, whole = clip(task.notes, self.settings.max_text)
        projects = task.projects or ()
        return Hit(
            source="",
            id=task.gid,
            kind=Kind.MILESTONE if task.resource_subtype == MILESTONE else Kind.ISSUE,
            title=task.name,
            url=task.permalink_url,
            snippet=text,
            complete=whole and "notes" in task.model_fields_set,  # Asana searches names and descriptions, nothing else
            author=_person(task.created_by) if task.created_by else None,
            assignee=_person(task.assignee) if task.assignee else None,
            # A task may stand in several projects: none of them alone is where it is.
            container=_place(projects[0]) if len(projects) == 1 else None,
            state=None if task.completed is None else State.DONE if task.completed else State.OPEN,
            created=task.created_at,
            updated=task.modified_at,
            facts=_facts(task),
        )


def _dated(story: Story) -> tuple[datetime, Comment] | None:
    who = _person(story.created_by) if story.created_by else None
    return (story.created_at, Comment(who, story.text)) if story.resource_subtype == COMMENT else None


def _person(user: User) -> Person:
    return Person(user.name, user.gid, user.email or None)


def _place(project: Named) -> Container:
    return Container(project.name, project.gid)


def _facts(task: Task) -> Mapping[str, Fact]:
    sections = tuple(each.section.name for each in task.memberships or () if each.section and each.section.name)
    several = task.projects is not None and len(task.projects) > 1
    facts: dict[str, Fact] = {
        "type": "" if task.resource_subtype == PLAIN else task.resource_subtype,
        "section": ", ".join(dict.fromkeys(sections)),
        "labels": tuple(tag.name for tag in task.tags or ()),
        "projects": tuple(project.name for project in task.projects or ()) if several else (),
        "due": task.due_at or task.due_on,
        "completed": task.completed_at,
        "parent": task.parent.name if task.parent else "",
        "blocked_by": _open_ones(task.dependencies),
        "blocks": _open_ones(task.dependents),
    }
    return known_facts(facts)


def _open_ones(tasks: tuple[object, ...] | None) -> tuple[str, ...]:
    """Those that are not done, by their names: people know no number of a task."""
    return read_each(Beside, tasks or (), lambda each: None if each.completed else each.name or None, "tasks")[0]


SOURCE = AsanaSource
