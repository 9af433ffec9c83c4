"""Notion's REST API, version 2025-09-03 and later, over the pages of a corpus."""

import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.notion import render
from orchestrator.sandbox.notion.render import blocks
from orchestrator.sandbox.notion.search import (
    MAX_PAGE_SIZE,
    MAX_RESULTS,
    NotionError,
    TitleSearch,
    invalid,
    page_size,
    read_body,
    read_wish,
    start_of,
)
from orchestrator.sandbox.notion.store import Page, Space, member
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

TOKEN = "ntn_sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
VERSIONS = ("2025-09-03", "2026-03-11")
MARKDOWN_VERSION = "2026-03-11"
Route = Callable[["_Call"], dict[str, Any]]
_CODES = {
    401: "unauthorized",
    403: "restricted_resource",
    404: "object_not_found",
    409: "conflict_error",
    429: "rate_limited",
    500: "internal_server_error",
    503: "service_unavailable",
    504: "gateway_timeout",
    529: "service_overload",
}
__all__ = ["EMULATOR", "NotionEmulator"]


class _Call:
    """One accepted request."""

    def __init__(self, request: WireRequest, version: str, name: str, body: Mapping[str, Any]) -> None:
        self.version = version
        self.name = name
        self.body = body
        self.query = dict(request.query())


class NotionEmulator:
    """Notion over the pages of a corpus."""

    source = "notion"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN,)
        self._space = Space(situation.corpus.of(self.source), situation.corpus.people)
        self._search = TitleSearch(self._space)
        self._routes: Sequence[tuple[str, re.Pattern[str], Route]] = (
            ("POST", re.compile(r"/v1/search()"), self._post_search),
            ("GET", re.compile(r"/v1/users()"), self._list_users),
            ("GET", re.compile(r"/v1/users/me()"), self._me),
            ("GET", re.compile(r"/v1/users/([^/]+)"), self._user),
            ("GET", re.compile(r"/v1/pages/([^/]+)"), self._page),
            ("GET", re.compile(r"/v1/pages/([^/]+)/markdown"), self._markdown),
            ("GET", re.compile(r"/v1/blocks/([^/]+)/children"), self._children),
            ("GET", re.compile(r"/v1/databases/([^/]+)"), self._database),
            ("GET", re.compile(r"/v1/data_sources/([^/]+)"), self._data_source),
        )

    def answer(self, request: WireRequest) -> WireReply:
        """The reply; everything wrong is an error object with its own HTTP status."""
        asked: Mapping[str, Any] = dict(request.query())
        try:
            route, name = self._route(request)
            version = self._admit(request)
            body = read_body(request.body) if request.method == "POST" else {}
            asked = {**asked, **body}
            value = route(_Call(request, version, name, body))
        except NotionError as error:
            return _error(error, {}, request, asked)
        hits = value.pop("__total__", 0)
        return json_reply(200, value | {"request_id": _request_id(request)}, asked=asked, hits=hits)

    def refuse(self, fault: Fault) -> WireReply:
        """`rate_limited` with `Retry-After`, or another of Notion's errors."""
        status = fault.refusal or 500
        code = _CODES.get(
            status, "internal_server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request"
        )
        message = (
            "You have been rate limited."
            if status == HTTPStatus.TOO_MANY_REQUESTS
            else f"A fault of the sandbox: HTTP {status}."
        )
        return _error(NotionError(status, code, message), retry_header(fault))

    def too_large(self) -> WireReply:
        return _error(NotionError(413, "validation_error", "Request body too large."), {})

    def origins(self) -> Mapping[str, str]:
        """By page id (with dashes) and URL."""
        pages = self._space.pages.values()
        return {str(page.id): page.row.id for page in pages} | {page.url: page.row.id for page in pages}

    def _route(self, request: WireRequest) -> tuple[Route, str]:
        path = request.path.rstrip("/")
        fitting = [
            (verb, route, found[1]) for verb, pattern, route in self._routes if (found := pattern.fullmatch(path))
        ]
        for verb, route, name in fitting:
            if verb == request.method:
                return route, name
        raise NotionError(405 if fitting else 400, "invalid_request_url", "Invalid request URL.")

    def _admit(self, request: WireRequest) -> str:
        if request.bearer not in self.tokens:
            raise NotionError(401, "unauthorized", "API token is invalid.")
        version = request.headers.get("notion-version", "")
        if not version:
            raise NotionError(400, "missing_version", "Notion-Version header failed validation: it should be defined.")
        if version not in VERSIONS:
            wanted = " or ".join(f'`"{known}"`' for known in VERSIONS)
            raise invalid(
                "Notion-Version header", f'Notion-Version header should be {wanted}, instead was `"{version}"`.'
            )
        return version

    def _post_search(self, call: _Call) -> dict[str, Any]:
        wish = read_wish(call.body)
        found = self._search.find(wish)
        kept = found[:MAX_RESULTS]
        start = start_of(kept, wish.start)
        end = start + wish.size
        cut = end >= len(kept) and len(found) > len(kept)
        incomplete = {"type": "incomplete", "incomplete_reason": "query_result_limit_reached"}
        items = [
            render.page(item, call.version) if isinstance(item, Page) else render.data_source(item, call.version)
            for item in kept[start:end]
        ]
        kind = "page_or_data_source"
        listed = _list(kind, items, str(kept[end].id) if end < len(kept) else None)
        return listed | {"request_status": incomplete if cut else {"type": "complete"}, "__total__": len(found)}

    def _list_users(self, call: _Call) -> dict[str, Any]:
        return _paged("user", [*map(member, self._space.users.values()), render.bot()], call)

    def _me(self, _: _Call) -> dict[str, Any]:
        return render.bot()

    def _user(self, call: _Call) -> dict[str, Any]:
        number = _uuid(call.name, "path.user_id")
        person = self._space.users.get(number)
        if person is None:
            raise _missing("user", number)
        return member(person)

    def _page(self, call: _Call) -> dict[str, Any]:
        return render.page(self._found(call, "page_id"), call.version)

    def _markdown(self, call: _Call) -> dict[str, Any]:
        if call.version < MARKDOWN_VERSION:
            raise invalid("Notion-Version header", f"this endpoint needs version {MARKDOWN_VERSION} or later.")
        page = self._found(call, "page_id")
        text = {"markdown": page.row.text, "truncated": False, "unknown_block_ids": []}
        return {"object": "page_markdown", "id": str(page.id), **text}

    def _children(self, call: _Call) -> dict[str, Any]:
        page = self._found(call, "block_id", "block")
        return _paged("block", blocks(page.row.text, page.id), call)

    def _database(self, call: _Call) -> dict[str, Any]:
        number = _uuid(call.name, "path.database_id")
        source = self._space.database(number)
        if source is None:
            raise _missing("database", number)
        return render.database(source, call.version)

    def _data_source(self, call: _Call) -> dict[str, Any]:
        number = _uuid(call.name, "path.data_source_id")
        source = self._space.source(number)
        if source is None:
            raise _missing("data source", number)
        return render.data_source(source, call.version)

    def _found(self, call: _Call, place: str, kind: str = "page") -> Page:
        number = _uuid(call.name, f"path.{place}")
        page = self._space.pages.get(number)
        if page is None:
            raise _missing(kind, number)
        return page


def _list(kind: str, items: Sequence[object], following: str | None) -> dict[str, Any]:
    more = {"next_cursor": following, "has_more": following is not None}
    return {"object": "list", "results": items, **more, "type": kind, kind: {}}


def _paged(kind: str, items: Sequence[Mapping[str, Any]], call: _Call) -> dict[str, Any]:
    text = call.query.get("page_size", str(MAX_PAGE_SIZE))
    number = whole_number(text, 0, 10**9)
    size = page_size(text if number is None else number, "query")
    ids = [item["id"] for item in items]
    cursor = call.query.get("start_cursor")
    if cursor is not None and cursor not in ids:
        raise NotionError(400, "validation_error", f"The start_cursor provided is invalid: {cursor[:200]}")
    start = ids.index(cursor) if cursor is not None else 0
    end = start + size
    return _list(kind, items[start:end], ids[end] if end < len(ids) else None)


def _uuid(text: str, place: str) -> UUID:
    if not re.fullmatch(r"[0-9a-fA-F]{8}(-?)([0-9a-fA-F]{4}\1){3}[0-9a-fA-F]{12}", text):
        raise invalid("path", f'{place} should be a valid uuid, instead was `"{text[:200]}"`.')
    return UUID(text)


def _missing(kind: str, number: UUID) -> NotionError:
    message = f"Could not find {kind} with ID: {number}. Make sure the relevant pages and databases are shared with"
    return NotionError(404, "object_not_found", f'{message} your integration "fedsearch sandbox".')


def _request_id(request: WireRequest | None) -> str:
    if request is None:
        return str(uuid5(NAMESPACE_URL, "sandbox"))
    return str(uuid5(NAMESPACE_URL, f"{request.method} {request.path}?{request.query_string} {len(request.body)}"))


def _error(
    error: NotionError,
    headers: Mapping[str, str],
    request: WireRequest | None = None,
    asked: Mapping[str, Any] | None = None,
) -> WireReply:
    value = {"object": "error", "status": error.status, "code": error.code, "message": error.message}
    named = value | {"request_id": _request_id(request)}
    return json_reply(error.status, named, headers=headers, asked=asked or {})


EMULATOR = NotionEmulator
