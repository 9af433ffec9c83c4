"""Asana's REST API, as far as searching and reading tasks needs it, over the tasks of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.asana import render
from orchestrator.sandbox.asana.render import AsanaError, error_reply, refused, unknown
from orchestrator.sandbox.asana.search import MOST, TaskSearch, read_search
from orchestrator.sandbox.asana.store import NAME, WORKSPACE, Named, Task, User, Workspace
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.wire import (
    Situation,
    WireReply,
    WireRequest,
    cursor,
    json_reply,
    place_of,
    retry_header,
    whole_number,
)

TOKEN = "2/1200000000100000/asana_sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
FREE_TOKEN = "2/1200000000100000/asana_free_sandbox"  # noqa: S105
"""The token of somebody without a paid plan, whom Asana does not let search."""
USUAL_COUNT = 20
_TYPES = (
    "actor",
    "agent",
    "custom_field",
    "goal",
    "project",
    "project_template",
    "portfolio",
    "tag",
    "task",
    "team",
    "user",
)
_STATUSES = {401: "Not Authorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 500: "Server Error"}
Answer = tuple[Any, Mapping[str, Any], int]
"""The body of a reply, what was understood of the request, and how many tasks were found."""
__all__ = ["EMULATOR", "AsanaEmulator"]


@dataclass(frozen=True, slots=True)
class _Call:
    """One accepted request; `step` is the part of its path that may be any text."""

    request: WireRequest
    step: str
    paid: bool

    def one(self, name: str, default: str = "") -> str:
        """The last value of a query parameter."""
        return dict(self.request.query()).get(name, default)


class AsanaEmulator:
    """Asana over the tasks of a corpus."""

    source = "asana"
    base_path = "/api/1.0"

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, FREE_TOKEN)
        self._clock = situation.clock
        self._workspace = Workspace(situation)
        self._search = TaskSearch(self._workspace.tasks)
        self._routes: Mapping[re.Pattern[str], Callable[[_Call], Answer]] = {
            re.compile(r"/workspaces/([^/]+)/tasks/search"): self._tasks,
            re.compile(r"/workspaces/([^/]+)/typeahead"): self._typeahead,
            re.compile(r"/workspaces()"): lambda call: (self._page(call, [render.workspace()]), {}, 0),
            re.compile(r"/tasks/([^/]+)"): self._task,
            re.compile(r"/tasks/([^/]+)/stories"): self._stories,
            re.compile(r"/projects/([^/]+)"): self._project,
            re.compile(r"/users()"): self._users,
            re.compile(r"/users/([^/]+)"): self._user,
        }

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is a list of errors with its own HTTP status."""
        asked = dict(request.query())
        try:
            token = self._admit(request)
            route, step = self._route(request)
            value, understood, hits = route(_Call(request, step, paid=token != FREE_TOKEN))
        except AsanaError as error:
            return error_reply(error, asked)
        return json_reply(200, value, asked={**asked, **understood}, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 with `Retry-After`, or another status in Asana's shape."""
        status = fault.refusal or 500
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            said = "You have made too many requests recently."
            return error_reply(AsanaError(status, said, retry_header(fault)))
        return error_reply(AsanaError(status, _STATUSES.get(status, f"A fault of the sandbox: HTTP {status}.")))

    def too_large(self) -> WireReply:
        return error_reply(AsanaError(413, "The request is too large."))

    def origins(self) -> Mapping[str, str]:
        """By number and the address where people open it."""
        return {name: task.row for task in self._workspace.tasks for name in (task.gid, task.url)}

    # ---- who asks, and what

    def _admit(self, request: WireRequest) -> str:
        if request.bearer not in self.tokens:
            raise AsanaError(401, "Not Authorized", {"WWW-Authenticate": 'Bearer realm="Asana"'})
        return request.bearer or ""

    def _route(self, request: WireRequest) -> tuple[Callable[[_Call], Answer], str]:
        path = request.path.removeprefix(self.base_path)
        for pattern, route in self._routes.items():
            found = pattern.fullmatch(path)
            if found and request.method == "GET" and path != request.path:
                return route, found[1]
        raise AsanaError(404, "No matching route for request")

    def _check_workspace(self, gid: str) -> None:
        if not gid.isascii() or not gid.isdigit():
            raise refused("workspace", f"Not a recognized ID: {gid[:100]}")
        if gid != WORKSPACE:
            raise unknown("workspace", gid)

    # ---- searching

    def _tasks(self, call: _Call) -> Answer:
        self._check_workspace(call.step)
        if not call.paid:
            raise AsanaError(402, "Search is only available to premium users.")
        asked = read_search(call.request.query(), self._workspace)
        found = self._search.find(asked, self._clock())
        shown = [render.chosen(render.task(task), asked.fields) for task in found[: asked.size]]
        return {"data": shown}, {}, len(found)

    def _typeahead(self, call: _Call) -> Answer:
        """Names that hold the query, one page of them."""
        self._check_workspace(call.step)
        kind, text = call.one("resource_type"), call.one("query").casefold()
        if kind not in _TYPES:
            raise refused("resource_type", "Missing input" if not kind else f"Not one of {', '.join(_TYPES)}")
        count = whole_number(call.one("count", str(USUAL_COUNT)), 1, MOST)
        if count is None:
            raise refused("count", f"Must be between 1 and {MOST}")
        found = [each for each in self._named(kind) if text in each.name.casefold()][:count]
        return {"data": [render.chosen(render.named(each), call.one("opt_fields")) for each in found]}, {}, 0

    def _named(self, kind: str) -> Sequence[Named]:
        if kind in ("user", "actor"):
            return self._workspace.users
        if kind == "task":
            return [Named(task.gid, "task", task.name) for task in self._workspace.tasks]
        return self._workspace.named(kind)

    # ---- reading

    def _task(self, call: _Call) -> Answer:
        """A task as it is now, whatever the search knows of it."""
        task = self._known(call)
        return self._one(call, render.task(task)), {"task": task.gid}, 1

    def _stories(self, call: _Call) -> Answer:
        """What happened to a task and what was said of it, oldest first."""
        task = self._known(call)
        return self._page(call, [render.story(each) for each in task.stories]), {}, 0

    def _known(self, call: _Call) -> Task:
        task = self._workspace.by_gid.get(call.step)
        if task is None:
            raise unknown("task", call.step)
        return task

    def _project(self, call: _Call) -> Answer:
        found = next((each for each in self._workspace.named("project") if each.gid == call.step), None)
        if found is None:
            raise unknown("project", call.step)
        return self._one(call, {**render.named(found), "workspace": render.workspace()}), {}, 0

    def _user(self, call: _Call) -> Answer:
        everybody = {name: user for user in self._workspace.users for name in (user.gid, user.email)}
        user: User | None = {**everybody, "me": self._workspace.viewer}.get(call.step)
        if user is None:
            raise unknown("user", call.step)
        return self._one(call, render.user(user)), {}, 0

    def _users(self, call: _Call) -> Answer:
        if workspace := call.one("workspace"):
            self._check_workspace(workspace)
        return self._page(call, [render.user(user) for user in self._workspace.users]), {"workspace": NAME}, 0

    def _one(self, call: _Call, value: Mapping[str, Any]) -> Mapping[str, Any]:
        fields = call.one("opt_fields")
        return {"data": render.chosen(value, fields) if fields else render.whole(value)}

    def _page(self, call: _Call, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """A page of a list; the way to the next only where a limit was given."""
        limit = call.one("limit")
        size = whole_number(limit, 1, MOST) if limit else len(values)
        if size is None:
            raise refused("limit", f"Must be between 1 and {MOST}")
        offset = call.one("offset")
        start = place_of(offset, call.request.path) if offset else 0
        if start is None:
            raise refused("offset", "Your pagination token is invalid.")
        shown = [render.chosen(each, call.one("opt_fields")) for each in values[start : start + size]]
        if not limit:
            return {"data": shown}
        return {"data": shown, "next_page": _next(call, start + size) if start + size < len(values) else None}


def _next(call: _Call, start: int) -> Mapping[str, str]:
    offset = cursor(start, call.request.path)
    path = f"{call.request.path.removeprefix(AsanaEmulator.base_path)}?limit={call.one('limit')}&offset={offset}"
    return {"offset": offset, "path": path, "uri": f"https://app.asana.com{AsanaEmulator.base_path}{path}"}


EMULATOR = AsanaEmulator
