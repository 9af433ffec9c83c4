"""Arguments of Slack's methods: where they come from, what they may be, how lists and results are cut into pages, and `ok: false`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import Message as Headers
from email.parser import BytesParser
from math import ceil
from typing import Any
from urllib.parse import parse_qsl

from orchestrator.sandbox.wire import WireRequest, cursor, place_of, whole_number

Arguments = Mapping[str, str]
_MAX_LIMIT = 999


class SlackError(Exception):
    """An error code of Slack's, with the fields that go with it."""

    def __init__(self, code: str, **details: str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


def read_arguments(request: WireRequest) -> dict[str, str]:
    """Arguments from the query string and a form; reading methods take no JSON, so a JSON body gives none."""
    arguments = dict(request.query())
    header = Headers()
    header["Content-Type"] = request.headers.get("content-type", "")
    match header.get_content_type():
        case "application/x-www-form-urlencoded":
            arguments |= parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True)
        case "multipart/form-data":
            arguments |= _multipart(request)
    return arguments


def _multipart(request: WireRequest) -> dict[str, str]:
    content_type = request.headers.get("content-type", "").encode("utf-8", "replace")
    form = BytesParser().parsebytes(b"Content-Type: " + content_type + b"\r\n\r\n" + request.body)
    parts = form.get_payload() if form.is_multipart() else []
    named = (
        (part.get_param("name", header="content-disposition"), part) for part in parts if not isinstance(part, str)
    )
    return {str(name): _decoded(part.get_payload(decode=True)) for name, part in named if name}


def _decoded(payload: object) -> str:
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def whole(arguments: Arguments, name: str, default: int, *, least: int = 0) -> int:
    """A whole number, or `invalid_arguments`."""
    text = arguments.get(name, "") or str(default)
    number = whole_number(text, least, 10**9)
    if number is None:
        raise SlackError("invalid_arguments")
    return number


def choice(arguments: Arguments, name: str, *choices: str) -> str:
    """One of the choices, the first if there is no such argument, or `invalid_arguments`."""
    value = arguments.get(name, "") or choices[0]
    if value not in choices:
        raise SlackError("invalid_arguments")
    return value


def cut(items: Sequence[Any], arguments: Arguments, *scope: str, default: int) -> tuple[Sequence[Any], str]:
    """The part of a list that `limit` and `cursor` ask for, and the cursor for the rest (empty at the end)."""
    limit = whole(arguments, "limit", default)
    if limit > max(default, _MAX_LIMIT):
        raise SlackError("invalid_limit")
    limit = limit or max(1, default)
    text = arguments.get("cursor", "")
    start = place_of(text, *scope) if text else 0
    if start is None:
        raise SlackError("invalid_cursor")
    rest = cursor(start + limit, *scope) if start + limit < len(items) else ""
    return items[start : start + limit], rest


MAX_PAGE = 100


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a result list, and whether the caller goes by cursor."""

    start: int
    count: int
    cursored: bool


def read_page(arguments: Mapping[str, str], count: int, scope: Sequence[str]) -> Page:
    """The page asked for; a foreign cursor is `invalid_cursor`."""
    text = arguments.get("cursor", "")
    if not text:
        number = whole(arguments, "page", 1, least=1)
        if number > MAX_PAGE:
            raise SlackError("invalid_arguments")
        return Page((number - 1) * count, count, cursored=False)
    start = 0 if text == "*" else place_of(text, *scope)
    if start is None:
        raise SlackError("invalid_cursor")
    return Page(start, count, cursored=True)


def paging(page: Page, total: int, shown: int, scope: Sequence[str]) -> dict[str, Any]:
    """`total`, `pagination` and `paging` beside the matches; at the last page the next cursor is empty."""
    pages, number = ceil(total / page.count), page.start // page.count + 1
    end = page.start + page.count
    rest = {"next_cursor": cursor(end, *scope) if end < total else ""} if page.cursored else {}
    first = page.start + 1 if shown else 0
    ends = {"first": first, "last": page.start + shown if shown else 0}
    return {
        "total": total,
        "pagination": {
            "total_count": total,
            "page": number,
            "per_page": page.count,
            "page_count": pages,
            **ends,
            **rest,
        },
        "paging": {"count": page.count, "total": total, "page": number, "pages": pages, **rest},
    }
