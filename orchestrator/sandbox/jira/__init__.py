"""Jira Cloud's REST API, as far as searching and reading issues needs it, over the issues of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.jira import render
from orchestrator.sandbox.jira.bodies import (
    Asked,
    JiraError,
    error_reply,
    read_bulk,
    read_count,
    read_search,
    read_search_parameters,
    refused,
)
from orchestrator.sandbox.jira.search import IssueSearch
from orchestrator.sandbox.jira.store import SITE, Issue, Site
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

TOKEN = "jira_oauth_sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
API_TOKEN = "ATATT-sandbox"  # noqa: S105
"""The API token, valid with the owner's address in basic authentication."""
MOST_WITH_FIELDS, MOST_NUMBERS = 100, 5000
MOST_USERS, MOST_PROJECTS, MOST_BULK = 1000, 100, 100
_FAILED = {
    "X-Seraph-LoginReason": "AUTHENTICATED_FAILED",
    "WWW-Authenticate": 'OAuth realm="https%3A%2F%2Facme.atlassian.net"',
}
__all__ = ["EMULATOR", "JiraEmulator"]


@dataclass(frozen=True, slots=True)
class _Call:
    """One accepted request; an anonymous one sees no issue."""

    request: WireRequest
    rest: str
    anonymous: bool

    def one(self, name: str, default: str = "") -> str:
        """The last value of a query parameter."""
        return ([value for key, value in self.request.query() if key == name] or [default])[-1]


Answer = tuple[Any, Mapping[str, Any], int]


"""The value of a reply, what was understood of the request, and how many issues were found."""


class JiraEmulator:
    """Jira over the issues of a corpus."""

    source = "jira"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, API_TOKEN)
        self._clock = situation.clock
        self._site = Site(situation)
        self._search = IssueSearch(self._site)
        self._routes: Mapping[tuple[str, str], Callable[[_Call], Answer]] = {
            ("POST", "search/jql"): lambda call: self._page(call, read_search(call.request)),
            ("GET", "search/jql"): lambda call: self._page(call, read_search_parameters(call.request)),
            ("POST", "search/approximate-count"): self._count,
            ("POST", "issue/bulkfetch"): self._bulk,
            ("GET", "issue/"): self._issue,
            ("GET", "myself"): self._myself,
            ("GET", "users/search"): self._users,
            ("GET", "user/search"): self._users,
            ("GET", "project/search"): self._projects,
            ("GET", "serverInfo"): lambda _: ({"baseUrl": SITE, "deploymentType": "Cloud"}, {}, 0),
        }

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is a list of messages with its own HTTP status."""
        try:
            anonymous = self._admit(request)
            route, rest = self._route(request)
            value, asked, hits = route(_Call(request, rest, anonymous))
        except JiraError as error:
            return error_reply(error, {"body": request.body[:10_000].decode("utf-8", "replace")})
        return json_reply(200, value, headers={"X-Seraph-LoginReason": "OK"}, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """429 with `Retry-After` and the reason of the limit, or another status in Jira's shape."""
        status = fault.refusal or 500
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            headers = {**retry_header(fault), "RateLimit-Reason": "jira-burst-based"}
            return error_reply(JiraError(status, "Rate limit exceeded.", headers=headers))
        return error_reply(JiraError(status, f"A fault of the sandbox: HTTP {status}."))

    def too_large(self) -> WireReply:
        return error_reply(JiraError(413, "The request is too large."))

    def origins(self) -> Mapping[str, str]:
        """By key, number and the address where people open it."""
        return {
            name: issue.row
            for issue in self._site.issues
            for name in (issue.key, str(issue.number), f"{SITE}/browse/{issue.key}")
        }

    # ---- who asks, and what

    def _admit(self, request: WireRequest) -> bool:
        """Whether the request is anonymous, which is allowed; a wrong credential is not."""
        given = request.headers.get("authorization", "").strip()
        if not given:
            return True
        if request.bearer == self.tokens[0] or request.basic == f"{self._site.viewer.email}:{self.tokens[1]}":
            return False
        raise JiraError(401, "Client must be authenticated to access this resource.", headers=_FAILED)

    def _route(self, request: WireRequest) -> tuple[Callable[[_Call], Answer], str]:
        found = re.fullmatch(r"/rest/api/([23]|latest)/(.*)", request.path, re.DOTALL)
        if found is None:
            raise JiraError(404, "Oops, you've found a dead link.")
        path = found[2]
        if path == "search":
            said = "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API."
            raise JiraError(410, said)
        methods = [method for method, known in self._routes if _fits(path, known)]
        for (method, known), route in self._routes.items():
            if method == request.method and _fits(path, known):
                return route, path.removeprefix(known)
        raise JiraError(405 if methods else 404, "Method Not Allowed" if methods else "Not Found")

    # ---- searching

    def _page(self, call: _Call, asked: Asked) -> Answer:
        found = self._found(asked.jql, anonymous=call.anonymous)
        most = MOST_NUMBERS if set(asked.fields) <= {"id", "key"} else MOST_WITH_FIELDS
        start, size = asked.start, min(asked.size, most)
        shown = [render.issue(issue, asked.fields, self._site.zone) for issue in found[start : start + size]]
        value: dict[str, Any] = {"issues": shown, "isLast": start + size >= len(found)}
        if not value["isLast"]:
            value["nextPageToken"] = asked.token(start + size)
        return value, asked.recorded, len(found)

    def _found(self, jql: str, *, anonymous: bool) -> Sequence[Issue]:
        found = self._search.find(jql, self._clock())
        return () if anonymous else found

    def _count(self, call: _Call) -> Answer:
        jql = read_count(call.request)
        found = self._found(jql, anonymous=call.anonymous)
        return {"count": len(found)}, {"jql": jql}, len(found)

    # ---- reading

    def _bulk(self, call: _Call) -> Answer:
        """Issues in the order of their numbers, and what became of the names that are none."""
        names, fields = read_bulk(call.request)
        if not 0 < len(names) <= MOST_BULK:
            raise refused(f"Between 1 and {MOST_BULK} issues can be fetched at once.")
        known = {} if call.anonymous else self._site.by_name
        found = {name: known.get(name.casefold()) for name in names}
        issues = sorted({issue for issue in found.values() if issue is not None}, key=lambda issue: issue.number)
        missing = "Issue does not exist or you do not have permission to see it."
        errors = [{"id": name, "errorMessage": missing} for name, issue in found.items() if issue is None]
        shown = [render.issue(issue, fields or ("*navigable",), self._site.zone) for issue in issues]
        asked = {"issueIdsOrKeys": names}
        return {"issueErrors": errors, "issues": shown}, asked, len(shown)

    def _issue(self, call: _Call) -> Answer:
        issue = None if call.anonymous else self._site.by_name.get(call.rest.casefold())
        if issue is None:
            raise JiraError(404, "Issue does not exist or you do not have permission to see it.")
        fields = [name for part in call.one("fields", "*all").split(",") if (name := part.strip())]
        return render.issue(issue, fields, self._site.zone), {"issue": issue.key}, 1

    def _myself(self, call: _Call) -> Answer:
        if call.anonymous:
            raise JiraError(401, "Client must be authenticated to access this resource.")
        return render.user(self._site.viewer, self._site.zone), {}, 0

    def _users(self, call: _Call) -> Answer:
        """Everybody, or whose name or address begins like the query; nobody for anonymous callers."""
        start, size = _part(call, 50, MOST_USERS)
        text = call.one("query").casefold()
        fitting = [
            user
            for user in ([] if call.anonymous else self._site.users)
            if not text or any(part.startswith(text) for part in (*user.name.casefold().split(), user.email.casefold()))
        ]
        return [render.user(user, self._site.zone) for user in fitting[start : start + size]], {"query": text}, 0

    def _projects(self, call: _Call) -> Answer:
        start, size = _part(call, 50, MOST_PROJECTS)
        text = call.one("query").casefold()
        visible = () if call.anonymous else self._site.projects
        fitting = [each for each in visible if text in each.key.casefold() or text in each.name.casefold()]
        shown = [render.project(each) for each in fitting[start : start + size]]
        last = start + size >= len(fitting)
        value = {"startAt": start, "maxResults": size, "total": len(fitting), "isLast": last, "values": shown}
        return value, {"query": text}, 0


def _fits(path: str, known: str) -> bool:
    """A route that ends in a slash takes one more step, which may be any text."""
    return path == known or (known.endswith("/") and len(path) > len(known) and path.startswith(known))


def _part(call: _Call, usual: int, most: int) -> tuple[int, int]:
    start = whole_number(call.one("startAt", "0"), 0, 10**9)
    size = whole_number(call.one("maxResults", str(usual)), 0, 10**9)
    if start is None or size is None:
        raise refused("startAt and maxResults must be whole numbers.")
    return start, min(size, most)


EMULATOR = JiraEmulator
