"""GitHub's REST and GraphQL APIs, as far as searching and reading issues, discussions and code needs them."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from graphql import GraphQLError, GraphQLSyntaxError, execute_sync, parse, validate

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.github.grammar import QueryError
from orchestrator.sandbox.github.graph import POINTS_PER_HOUR, Graph, schema
from orchestrator.sandbox.github.render import Renderer, RestError, invalid
from orchestrator.sandbox.github.search import ForgeSearch, Found
from orchestrator.sandbox.github.store import File, Forge, Thing
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

API = "https://api.github.com"
TOKEN = "github_pat_sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
APP_TOKEN = "ghu_sandbox"  # noqa: S105
VERSIONS = ("2022-11-28", "2026-03-10")
MAX_PAGE, DEFAULT_PAGE, MAX_RESULTS = 100, 30, 1000
MAX_TOKENS = 10_000
"""Words and marks in one document; more is refused before it is parsed."""
LIMITS = {"search": 30, "code_search": 10, "core": 5000, "graphql": POINTS_PER_HOUR}
SORTS = ("comments", "reactions", "interactions", "created", "updated", "")
Reply = tuple[Any, Mapping[str, str], int]
Route = Callable[[WireRequest, Mapping[str, str], re.Match[str]], Reply]
__all__ = ["EMULATOR", "GitHubEmulator"]


class GitHubEmulator:
    """GitHub over the issues, pull requests, discussions and files of a corpus."""

    source = "github"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, APP_TOKEN)
        self._clock = situation.clock
        self._forge = Forge(situation)
        self._index = ForgeSearch(self._forge)
        self._render = Renderer(API)
        schema()  # built now, not in the first request
        name = r"/repos/(?P<repo>[^/]+/[^/]+)"
        self._routes: Sequence[tuple[str, re.Pattern[str], str, Route]] = (
            ("GET", re.compile("/search/issues"), "search", self._search_issues),
            ("GET", re.compile("/search/code"), "code_search", self._search_code),
            ("GET", re.compile(rf"{name}/issues/(?P<number>\d+)"), "core", self._issue),
            ("GET", re.compile(rf"{name}/issues/(?P<number>\d+)/comments"), "core", self._comments),
            ("GET", re.compile(rf"{name}/contents/(?P<path>.+)"), "core", self._contents),
            ("GET", re.compile("/user"), "core", self._user),
            ("GET", re.compile("/rate_limit"), "core", self._rate_limit),
            ("POST", re.compile("/graphql"), "graphql", self._graphql),
        )

    def answer(self, request: WireRequest) -> WireReply:
        """422 for what cannot be searched, 200 with `errors` for what fails in GraphQL."""
        asked: Mapping[str, Any] = dict(request.query())
        try:
            self._admit(request)
            resource, found, route = self._route(request)
            value, headers, hits = route(request, dict(request.query()), found)
        except RestError as error:
            return json_reply(error.status, error.body, headers=self._limit("core"), asked=asked)
        if resource == "graphql":
            asked = json.loads(request.body)
        return json_reply(200, value, headers={**self._limit(resource), **headers}, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """Throttling is a secondary limit: 429 with Retry-After."""
        status = fault.refusal or 500
        said = {
            401: "Bad credentials",
            403: "Resource not accessible by personal access token",
            404: "Not Found",
            429: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        }.get(status, "Server Error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "A fault of the sandbox")
        return json_reply(status, RestError(status, said).body, headers=retry_header(fault))

    def too_large(self) -> WireReply:
        return json_reply(413, RestError(413, "Payload too large").body)

    def origins(self) -> Mapping[str, str]:
        """By short name and URL; a file by its repository and path."""
        things = {name: thing.row for thing in self._forge.things for name in (thing.name, thing.url)}
        files = {name: file.row for file in self._forge.files for name in (f"{file.repository}/{file.path}", file.url)}
        return things | files

    def _admit(self, request: WireRequest) -> None:
        given = request.headers.get("authorization", "")
        scheme, _, token = given.partition(" ")
        if not given:
            raise RestError(401, "Requires authentication")
        if scheme.casefold() not in ("bearer", "token") or token.strip() not in self.tokens:
            raise RestError(401, "Bad credentials")
        version = request.headers.get("x-github-api-version", VERSIONS[0])
        if version not in VERSIONS:
            raise RestError(400, f"The version '{version[:40]}' is not supported. Supported: {', '.join(VERSIONS)}")

    def _route(self, request: WireRequest) -> tuple[str, re.Match[str], Route]:
        for method, pattern, resource, route in self._routes:
            if method == request.method and (found := pattern.fullmatch(request.path)):
                return resource, found, route
        raise RestError(404, "Not Found")

    def _limit(self, resource: str) -> Mapping[str, str]:
        """No limit is ever used up here but by a fault."""
        most = LIMITS[resource]
        reset = int((self._clock() + timedelta(minutes=1)).timestamp())
        return {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(most - 1),
            "X-RateLimit-Used": "1",
            "X-RateLimit-Reset": str(reset),
            "X-RateLimit-Resource": resource,
        }

    # -- REST

    def _search_issues(self, request: WireRequest, query: Mapping[str, str], _: re.Match[str]) -> Reply:
        sort, order = query.get("sort", ""), query.get("order", "desc")
        if sort not in SORTS and not sort.startswith("reactions-"):
            raise invalid(field="sort")
        if order not in ("asc", "desc"):
            raise invalid(field="order")
        token = request.headers.get("authorization", "").partition(" ")[2].strip()
        found = _searched(query, lambda q: self._index.issues(q, sort, order, must_say_kind=token == APP_TOKEN))
        page, total, links = _page(request.path, query, found)
        items = [
            self._render.issue(each, found.words, matches=_wants_matches(request))
            for each in page
            if isinstance(each, Thing)
        ]
        for item in items:
            item["score"] = 1.0
        return {**_listed(total, items), "search_type": "lexical"}, links, total

    def _search_code(self, request: WireRequest, query: Mapping[str, str], _: re.Match[str]) -> Reply:
        found = _searched(query, self._index.code)
        page, total, links = _page(request.path, query, found)
        files = [
            self._render.file(each, found.words, matches=_wants_matches(request))
            for each in page
            if isinstance(each, File)
        ]
        return _listed(total, files), links, total

    def _issue(self, request: WireRequest, query: Mapping[str, str], found: re.Match[str]) -> Reply:
        del request, query
        return self._render.issue(self._numbered(found)), {}, 1

    def _comments(self, request: WireRequest, query: Mapping[str, str], found: re.Match[str]) -> Reply:
        del request, query
        thing = self._numbered(found)
        return [self._render.comment(thing, place) for place in range(len(thing.comments))], {}, len(thing.comments)

    def _numbered(self, found: re.Match[str]) -> Thing:
        thing = self._forge.by_name.get(f"{found['repo']}#{int(found['number'])}".casefold())
        if thing is None or thing.kind == "discussion":
            raise RestError(404, "Not Found")
        return thing

    def _contents(self, request: WireRequest, query: Mapping[str, str], found: re.Match[str]) -> Reply:
        del request
        file = self._forge.by_path.get(f"{found['repo'].casefold()}/{found['path']}")
        if file is None or query.get("ref", file.ref) not in (file.ref, "HEAD"):
            raise RestError(404, "Not Found")
        return self._render.contents(file), {}, 1

    def _user(self, request: WireRequest, query: Mapping[str, str], found: re.Match[str]) -> Reply:
        del request, query, found
        return self._render.owner(self._forge.viewer), {}, 0

    def _rate_limit(self, request: WireRequest, query: Mapping[str, str], found: re.Match[str]) -> Reply:
        del request, query, found
        reset = int((self._clock() + timedelta(minutes=1)).timestamp())
        limits = {name: {"limit": most, "remaining": most, "reset": reset, "used": 0} for name, most in LIMITS.items()}
        return {"resources": limits, "rate": limits["core"]}, {}, 0

    # -- GraphQL

    def _graphql(self, request: WireRequest, query: Mapping[str, str], _: re.Match[str]) -> Reply:
        del query
        body = _read_body(request)
        try:
            document = parse(body["query"], max_tokens=MAX_TOKENS)
            if problems := validate(schema(), document):
                return {"errors": [_formatted(problem) for problem in problems]}, {}, 0
        except (GraphQLSyntaxError, RecursionError) as error:
            return {"errors": [{"message": f"Parse error: {error}"[:300]}]}, {}, 0
        graph = Graph(self._forge, self._index, self._clock() + timedelta(hours=1))
        result = execute_sync(schema(), document, root_value=graph.root(), variable_values=body.get("variables"))
        for each in result.errors or ():
            if each.original_error is not None and not isinstance(each.original_error, GraphQLError):
                raise each.original_error  # our own mistake: a caller must not take it for GitHub's answer
        errors = {"errors": [_formatted(each) for each in result.errors]} if result.errors else {}
        return {"data": result.data, **errors}, {}, graph.hits


def _searched(query: Mapping[str, str], search: Callable[[str], Found]) -> Found:
    if not query.get("q", "").strip():
        raise invalid(code="missing")
    try:
        return search(query["q"])
    except QueryError as error:
        raise invalid(str(error)) from error


def _page(path: str, query: Mapping[str, str], found: Found) -> tuple[Sequence[Thing | File], int, Mapping[str, str]]:
    """A page, how many there are, and the Link header: GitHub shows the first thousand only."""
    size = min(whole_number(query.get("per_page", ""), 1, 10**9) or DEFAULT_PAGE, MAX_PAGE)
    number = whole_number(query.get("page", ""), 1, 10**9) or 1
    if (number - 1) * size >= MAX_RESULTS:
        raise RestError(422, "Only the first 1000 search results are available")
    shown = found.items[:MAX_RESULTS]
    page = shown[(number - 1) * size : number * size]
    last = max(1, -(-len(shown) // size))

    def link(to: int, name: str) -> str:
        return f'<{API}{path}?{urlencode({**query, "page": to})}>; rel="{name}"'

    links = [link(number - 1, "prev")] if number > 1 else []
    links += [link(number + 1, "next"), link(last, "last")] if number < last else []
    links += [link(1, "first")] if number > 1 else []
    return page, len(found.items), {"Link": ", ".join(links)} if links else {}


def _listed(total: int, items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"total_count": total, "incomplete_results": False, "items": items}


def _wants_matches(request: WireRequest) -> bool:
    return "text-match" in request.headers.get("accept", "")


def _read_body(request: WireRequest) -> Mapping[str, Any]:
    try:
        value = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise RestError(400, "Problems parsing JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("query"), str):
        raise RestError(400, "A query attribute must be specified and must be a string.")
    if not isinstance(value.get("variables") or {}, dict):
        raise RestError(400, "Variables must be an object.")
    return value


def _formatted(error: GraphQLError) -> dict[str, Any]:
    """GitHub says the type of an error beside its message."""
    kind = (error.extensions or {}).get("type")
    shown: dict[str, Any] = {"type": kind} if kind else {}
    if error.path:
        shown["path"] = error.path
    if error.locations:
        shown["locations"] = [{"line": place.line, "column": place.column} for place in error.locations]
    return {**shown, "message": error.message}


EMULATOR = GitHubEmulator
