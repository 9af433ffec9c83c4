"""Notion's search: the body it accepts, its errors, and titles matched by any word of the query."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from orchestrator.sandbox.index import TextIndex, words
from orchestrator.sandbox.notion.store import DataSource, Page, Space


class NotionError(Exception):
    """An error as Notion reports it: HTTP status, code, message."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def invalid(what: str, problem: str) -> NotionError:
    """A `validation_error` about `body`, `path` or `query`."""
    return NotionError(400, "validation_error", f"{what} failed validation: {problem}")


MAX_PAGE_SIZE = 100
MAX_RESULTS = 10_000

Kind = Literal["page", "data_source"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a search body asks for."""

    query: str = ""
    kind: Kind | None = None
    in_trash: bool = False
    by_time: Literal["ascending", "descending"] | None = None
    start: str | None = None
    size: int = MAX_PAGE_SIZE


def read_body(body: bytes) -> Mapping[str, Any]:
    """The JSON object of a request body; no body is an empty one."""
    try:
        value = json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise NotionError(400, "invalid_json", "Error parsing JSON body.") from error
    if not isinstance(value, dict):
        raise invalid("body", "body should be an object.")
    return value


def read_wish(body: Mapping[str, Any]) -> Wish:
    """Check a search body the way Notion does: every unknown key and wrong value is a `validation_error`."""
    _only(body, {"query", "filter", "sort", "start_cursor", "page_size"}, "body")
    query, start = body.get("query", ""), body.get("start_cursor")
    if not isinstance(query, str):
        raise _wrong("body.query", "a string", query)
    if not (start is None or isinstance(start, str)):
        raise _wrong("body.start_cursor", "a string or `null`", start)
    kind, in_trash = _read_filter(body["filter"]) if "filter" in body else (None, False)
    by_time = _read_sort(body["sort"]) if "sort" in body else None
    return Wish(query, kind, in_trash, by_time, start, page_size(body.get("page_size", MAX_PAGE_SIZE), "body"))


def page_size(value: object, place: str) -> int:
    """A page size between 1 and 100."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(f"{place}.page_size", "a number", value)
    if value < 1:
        raise invalid(place, f"{place}.page_size should be ≥ `1`, instead was `{value}`.")
    if value > MAX_PAGE_SIZE:
        raise invalid(place, f"{place}.page_size should be ≤ `{MAX_PAGE_SIZE}`, instead was `{value}`.")
    return value


def _read_filter(value: object) -> tuple[Kind | None, bool]:
    if not isinstance(value, dict):
        raise _wrong("body.filter", "an object", value)
    _only(value, {"property", "value", "in_trash"}, "body.filter")
    in_trash = value.get("in_trash", False)
    if not isinstance(in_trash, bool):
        raise _wrong("body.filter.in_trash", "a boolean", in_trash)
    if value.keys() == {"in_trash"}:
        return None, in_trash
    if value.get("property") != "object":
        raise _wrong("body.filter.property", '`"object"`', value.get("property"))
    match value.get("value"):
        case "page":
            return "page", in_trash
        case "data_source":
            return "data_source", in_trash
        case other:
            raise _wrong("body.filter.value", '`"page"` or `"data_source"`', other)


def _read_sort(value: object) -> Literal["ascending", "descending"] | None:
    if not isinstance(value, dict):
        raise _wrong("body.sort", "an object", value)
    if value == {"property": "relevance"}:
        return None
    _only(value, {"timestamp", "direction"}, "body.sort")
    if value.get("timestamp") != "last_edited_time":
        raise _wrong("body.sort.timestamp", '`"last_edited_time"`', value.get("timestamp"))
    match value.get("direction"):
        case "ascending":
            return "ascending"
        case "descending":
            return "descending"
        case other:
            raise _wrong("body.sort.direction", '`"ascending"` or `"descending"`', other)


def _only(value: Iterable[str], known: Collection[str], place: str) -> None:
    for key in value:
        if key not in known:
            raise invalid("body", f"{place}.{key} should be not present, instead was present.")


def _wrong(place: str, wanted: str, found: object) -> NotionError:
    shown = "`undefined`" if found is None else f"`{json.dumps(found, ensure_ascii=False)[:200]}`"
    return invalid(place.split(".", maxsplit=1)[0], f"{place} should be {wanted}, instead was {shown}.")


class TitleSearch:
    """Search over the titles of one space; the index is built once."""

    def __init__(self, space: Space) -> None:
        self._items: Sequence[Page | DataSource] = [*space.pages.values(), *space.sources.values()]
        self._index = TextIndex((item.title,) for item in self._items)

    def find(self, wish: Wish) -> Sequence[Page | DataSource]:
        """Everything whose title holds any word: most words first, then latest edited."""
        counts = self._counts(wish.query)
        found = [(count, self._items[n]) for n, count in counts.items() if _fits(self._items[n], wish)]
        found.sort(key=lambda pair: pair[1].id)
        found.sort(key=lambda pair: pair[1].edited, reverse=wish.by_time != "ascending")
        if wish.by_time is None:
            found.sort(key=lambda pair: pair[0], reverse=True)
        return [item for _, item in found]

    def _counts(self, query: str) -> Mapping[int, int]:
        if not query.strip():
            return dict.fromkeys(range(len(self._items)), 0)
        counts: dict[int, int] = {}
        for word in dict.fromkeys(words(query)):
            for number in self._index.find(word, "beginning"):
                counts[number] = counts.get(number, 0) + 1
        return counts


def _fits(item: Page | DataSource, wish: Wish) -> bool:
    kind = "page" if isinstance(item, Page) else "data_source"
    return not wish.in_trash and wish.kind in (None, kind)


def start_of(found: Sequence[Page | DataSource], cursor: str | None) -> int:
    """Where the page begins whose first item's id is the cursor."""
    if cursor is None:
        return 0
    try:
        number = UUID(cursor)
    except ValueError as error:
        raise invalid(
            "body", f"body.start_cursor should be a valid uuid, instead was `{json.dumps(cursor[:200])}`."
        ) from error
    place = next((place for place, item in enumerate(found) if item.id == number), None)
    if place is None:
        raise NotionError(400, "validation_error", f"The start_cursor provided is invalid: {number}")
    return place
