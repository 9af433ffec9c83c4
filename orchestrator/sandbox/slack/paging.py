"""Pages of search results: by number, or by cursor once `cursor="*"` was said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from orchestrator.sandbox.slack.arguments import SlackError, cursor, offset, whole

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
    start = 0 if text == "*" else offset(text, *scope)
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
