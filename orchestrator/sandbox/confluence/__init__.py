"""Confluence Cloud's REST API, as far as searching it needs it, over the pages of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from orchestrator.sandbox.confluence import render
from orchestrator.sandbox.confluence.grammar import (
    Clause,
    ConfluenceError,
    CqlError,
    Needle,
    Query,
    parse,
    unparsed,
)
from orchestrator.sandbox.confluence.search import ContentSearch, plain_value, wanted_text
from orchestrator.sandbox.confluence.store import SITE, Item, Site, account_id
from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.index import composed, words
from orchestrator.sandbox.logic import Tree
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

TOKEN = "confluence_oauth_sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
API_TOKEN = "ATATT_sandbox"  # noqa: S105
MOST, USERS_MOST, SPACES_MOST = 50, 200, 250
"""Results a page; the limits on search are the sandbox's own."""
EXCERPTS = ("highlight", "indexed", "none", "highlight_unescaped", "indexed_unescaped")
NEWER = "/wiki/api/v2/"
_TEXT = re.compile(r"/wiki/api/v2/(page|blogpost)s/(\d{1,18})", re.ASCII)
_GATEWAY = re.compile(r"/ex/confluence/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=/)")
Asked = Mapping[str, str]
Route = Callable[[Asked], tuple[dict[str, Any], int]]
__all__ = ["EMULATOR", "ConfluenceEmulator"]


class ConfluenceEmulator:
    """Confluence over the pages of a corpus, by the site's own address or behind Atlassian's gateway."""

    source = "confluence"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, API_TOKEN)
        self._site = Site(situation)
        self._search = ContentSearch(self._site, situation.clock, situation.zone)
        self._routes: Mapping[str, Route] = {
            "/wiki/rest/api/search": self._content,
            "/wiki/rest/api/search/user": self._people,
            "/wiki/rest/api/user/current": self._me,
            f"{NEWER}spaces": self._spaces,
        }
        self._readable: Mapping[str, Item] = {f"{item.type}/{item.id}": item for item in self._site.items}

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is an error object with its own HTTP status."""
        path = _GATEWAY.sub("", request.path)
        asked = dict(request.query())
        try:
            route = self._route(request.method, path)
            self._admit(request)
            value, hits = route(asked)
        except ConfluenceError as error:
            return _refused(error, newer=path.startswith(NEWER), asked=asked)
        return json_reply(200, value, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """Throttled, with the limit that was hit, or another error."""
        status = fault.refusal or 500
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            reason = {**retry_header(fault), "RateLimit-Reason": "confluence-burst-based"}
            return _refused(ConfluenceError(status, "Rate limit exceeded"), headers=reason)
        return _refused(ConfluenceError(status, f"A fault of the sandbox: HTTP {status}"))

    def too_large(self) -> WireReply:
        return _refused(ConfluenceError(413, "Request Entity Too Large"))

    def origins(self) -> Mapping[str, str]:
        """By content id and by address."""
        return self._site.origins()

    def _route(self, method: str, path: str) -> Route:
        route = self._routes.get(path.rstrip("/"))
        if text := _TEXT.fullmatch(path):
            route = partial(self._text, f"{text[1]}/{text[2]}")
        if route is None:
            raise ConfluenceError(404, f"null for uri: {path[:200]}")
        if method != "GET":
            raise ConfluenceError(405, "Method Not Allowed")
        return route

    def _admit(self, request: WireRequest) -> None:
        """A bearer, or the owner's address with an API token."""
        known = [f"{self._site.owner.email}:{token}" for token in self.tokens]
        if request.bearer != self.tokens[0] and request.basic not in known:
            raise ConfluenceError(401, "Unauthorized")

    def _content(self, asked: Asked) -> tuple[dict[str, Any], int]:
        cql, excerpt = _cql(asked), asked.get("excerpt", "highlight")
        if excerpt not in EXCERPTS:
            raise ConfluenceError(400, f"No excerpt strategy {excerpt[:40]!r}")
        try:
            query = parse(cql)
            found, wanted = self._search.find(query), wanted_text(query.condition)
        except CqlError as error:
            raise unparsed(cql, error) from error
        limit, start = min(_whole(asked, "limit", 25), MOST), _start(asked, cql)
        shown = [_shown(item, wanted, excerpt) for item in found[start : start + limit]]
        return _page(asked, shown, start, limit, len(found)), len(found)

    def _people(self, asked: Asked) -> tuple[dict[str, Any], int]:
        cql = _cql(asked)
        try:
            found = find_people(parse(cql), self._site.people)
        except CqlError as error:
            raise unparsed(cql, error) from error
        limit, start = min(_whole(asked, "limit", 25), USERS_MOST), _whole(asked, "start", 0)
        page = _page(asked, [render.found_user(one) for one in found[start : start + limit]], start, limit, len(found))
        page["_links"].pop("next", None)  # goes by start
        return page, len(found)

    def _me(self, _: Asked) -> tuple[dict[str, Any], int]:
        return render.user(self._site.owner), 0

    def _text(self, name: str, asked: Asked) -> tuple[dict[str, Any], int]:
        """One page or blog post of the newer API, with its text if that is asked for as a browser shows it."""
        item = self._readable.get(name)
        if item is None:
            raise ConfluenceError(404, "Not Found")
        form = asked.get("body-format", "")
        if form not in ("", "view"):
            raise ConfluenceError(400, f"Provided value {form[:40]!r} for 'body-format' is none that the sandbox knows")
        return render.page(item, with_text=bool(form)), 0

    def _spaces(self, asked: Asked) -> tuple[dict[str, Any], int]:
        limit = whole_number(asked.get("limit", "25"), 1, SPACES_MOST)
        if limit is None:
            raise ConfluenceError(400, f"Provided value {asked['limit'][:40]!r} for 'limit' is not between 1 and 250")
        keys, status = asked.get("keys", "").split(","), asked.get("status", "current")
        found = [one for one in self._site.spaces if status == "current" and (keys == [""] or one.key in keys)]
        start = _offset(asked["cursor"], "spaces") if "cursor" in asked else 0
        end = start + limit
        links = {"base": SITE}
        if end < len(found):
            links["next"] = f"{NEWER}spaces?{urlencode({**asked, 'cursor': cursor(end, 'spaces')})}"
        return {"results": [render.listed_space(one) for one in found[start:end]], "_links": links}, len(found)


def _cql(asked: Asked) -> str:
    cql = asked.get("cql", "")
    if not cql.strip():
        raise ConfluenceError(400, "The query parameter 'cql' is required")
    return cql


def _shown(item: Item, wanted: Sequence[Needle], excerpt: str) -> dict[str, Any]:
    escaped = not excerpt.endswith("_unescaped")
    if excerpt == "none":
        return render.result(item, "", item.title)
    if excerpt.startswith("indexed"):
        return render.result(item, render.highlighted(render.around(item.text, ()), (), escaped=escaped), item.title)
    shown = render.highlighted(render.around(item.text, wanted), wanted, escaped=escaped)
    return render.result(item, shown, render.highlighted(item.title, wanted, escaped=escaped))


def _page(asked: Asked, shown: Sequence[object], start: int, limit: int, total: int) -> dict[str, Any]:
    """A page of results; `next` is relative and carries the cursor."""
    cql = asked["cql"]
    links = {"base": SITE, "context": "/wiki", "self": f"{SITE}/rest/api/search?{urlencode({'cql': cql})}"}
    end = start + limit
    if limit and end < total:
        following = {"next": "true", **asked, "cursor": cursor(end, cql), "limit": str(limit), "start": str(end)}
        links["next"] = f"/rest/api/search?{urlencode(following)}"
    return {
        "results": shown,
        "start": start,
        "limit": limit,
        "size": len(shown),
        "totalSize": total,
        "cqlQuery": cql,
        "searchDuration": 1,
        "_links": links,
    }


def _whole(asked: Asked, name: str, default: int) -> int:
    number = whole_number(asked.get(name, str(default)), 0, 2**31 - 1)
    if number is None:
        raise ConfluenceError(400, f"{name} must be a whole number, not {asked[name][:40]!r}")
    return number


def _start(asked: Asked, cql: str) -> int:
    return _offset(asked["cursor"], cql) if "cursor" in asked else _whole(asked, "start", 0)


def _offset(text: str, scope: str) -> int:
    offset = place_of(text, scope)
    if offset is None:
        raise ConfluenceError(400, f"Provided value {text[:40]!r} for 'cursor' is not valid")
    return offset


def _refused(
    error: ConfluenceError, *, newer: bool = False, headers: Mapping[str, str] | None = None, asked: Asked | None = None
) -> WireReply:
    told = {"WWW-Authenticate": 'Basic realm="Confluence"'} if error.status == HTTPStatus.UNAUTHORIZED else {}
    return json_reply(error.status, error.body(newer=newer), headers={**told, **(headers or {})}, asked=asked or {})


# ---- evaluate the CQL of the people search: who is a user, which, and whose name begins so

_EQUAL = frozenset({"=", "!=", "in", "not in"})

Test = Callable[[Person], bool]


def find_people(query: Query, people: Sequence[Person]) -> Sequence[Person]:
    """The people a query matches, in the order of the directory and in no other."""
    if query.order:
        raise CqlError("people come in no order")

    def meeting(clause: Clause) -> frozenset[int]:
        test = _test(clause.field, clause.operator, [plain_value(value) for value in clause.values])
        return frozenset(number for number, person in enumerate(people) if test(person))

    found = Tree[Clause](query.condition).satisfying(frozenset(range(len(people))), meeting)
    return [people[number] for number in sorted(found)]


def _test(field: str, operator: str, values: Sequence[str]) -> Test:
    if field == "type" and operator == "=" and values[0].casefold() == "user":
        return lambda _: True
    if field == "user.fullname" and operator == "~":
        beginnings = words(composed(values[0]))
        return lambda person: _begins(words(composed(person.name)), beginnings)
    if field in ("user", "user.accountid") and operator in _EQUAL:
        return lambda person: (account_id(person) in values) is (operator in ("=", "in"))
    raise CqlError(f"people cannot be asked for by {field!r} {operator!r}")


def _begins(name: Sequence[str], beginnings: Sequence[str]) -> bool:
    return bool(beginnings) and all(any(word.startswith(each) for word in name) for each in beginnings)


EMULATOR = ConfluenceEmulator
