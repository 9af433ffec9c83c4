"""What a question gives to the placeholders of a request, and where its next page begins."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, Protocol

from connectors.json_api import template
from translators.capabilities import Fidelity
from translators.query import Sort
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from connectors.contract import HitPage
    from connectors.http import Page
    from connectors.manifest import Powers
    from translators.translator import NativeQuery

FURTHEST = 10_000  # where paging ends: search engines refuse to look further
DAY = timedelta(days=1)
Times = Literal["iso", "date", "seconds", "milliseconds"]


class DeclaredRequest(Protocol):
    """A declared request."""

    @property
    def sorts(self) -> Mapping[Sort, str]:
        """What the source calls an order."""
        ...

    @property
    def times(self) -> Times:
        """How instants are written."""
        ...

    @property
    def first_page(self) -> int:
        """What the first page is called where pages are counted."""
        ...

    @property
    def placeholders(self) -> frozenset[str]:
        """What the request has a place for."""
        ...


def paging(asked: DeclaredRequest) -> str:
    """The placeholder that leads to further pages, empty without one."""
    return next((name for name in template.PAGING if name in asked.placeholders), "")


def given(asked: DeclaredRequest, native: NativeQuery, page: Page) -> dict[str, str | int]:
    """A value for every placeholder that the question and the page have one for."""
    found: dict[str, str | int] = {"limit": page.limit, **_position(asked, page)}
    if native.text:
        found["text"] = native.text
    found |= {name: _said(asked.times, name, str(value)) for name, value in native.args.items() if name != "sort"}
    order = Sort(str(native.args.get("sort", Sort.RELEVANCE)))
    if order is not Sort.RELEVANCE or order in asked.sorts:
        found["sort"] = asked.sorts.get(order, order.value)
    return found


def following(asked: DeclaredRequest, found: HitPage, cursor: str | None, limit: int) -> str | None:
    """Where the page after ``found`` begins, ``None`` at the end; its own ``cursor`` says how many results it had."""
    way, count = paging(asked), int(found.cursor or 0)
    full = count >= (limit if "limit" in asked.placeholders else 1)
    if way == "offset":
        after = _count(cursor, 0) + count
        more = count > 0 and after < FURTHEST and (full if found.total is None else after < found.total)
        return str(after) if more else None
    if way == "page":
        number = _count(cursor, asked.first_page) + 1
        return str(number) if full and number * limit < FURTHEST else None
    return None


def powers_in(can: Powers, times: Times) -> Powers:
    """A day is as fine as a date can say it: what a source that takes dates finds is checked again."""
    if times != "date":
        return can
    said = {name: getattr(can, name) for name in set(template.BOUNDS.values())}
    weaker = {name: each.weakened(Fidelity.WIDER) for name, each in said.items() if each is not Fidelity.NONE}
    return can.model_copy(update=weaker)


def contradictions(asked: DeclaredRequest, can: Powers, following_by: str, place: str) -> Iterator[str]:
    """What does not fit together in a declaration. ``following_by``: the path of the next page's cursor."""
    if "text" not in asked.placeholders:
        yield Said("{place}: nothing in it holds {{text}}, so that no word could be asked for").filled(place=place)
    if can.term is Fidelity.NONE:
        yield Said("can.term: a search that understands no words cannot be asked; say exact or approximate")
    if can.meaning != ("question" in asked.placeholders):
        yield Said(
            "can.meaning: say it where {place} holds {{question}}, the question as a sentence, and only there"
        ).filled(place=place)
    for name in ("kind", "state", "id"):
        if getattr(can, name) is not Fidelity.NONE:
            yield Said("can.{name}: this source cannot be asked for a {name}; it is checked in the results").filled(
                name=name
            )
    yield from _contradictions_of_filters(asked, can, place)
    yield from contradictions_of_paging(asked, following_by, place)


def _contradictions_of_filters(asked: DeclaredRequest, can: Powers, place: str) -> Iterator[str]:
    used = asked.placeholders
    able = {of: getattr(can, of) is not Fidelity.NONE for of in template.FILTERS.values()}
    # What one end of a time is asked by is checked for the other end as well, where it is checked again anyway.
    by_one_end = {of for name, of in template.BOUNDS.items() if name in used and getattr(can, of) is Fidelity.WIDER}
    for name, of in template.FILTERS.items():
        if able[of] and name not in used and of not in by_one_end:
            yield Said("can.{of}: the request has no place for it; put {{{name}}} into {place}").filled(
                of=of, place=place, name=name
            )
    for name, of in template.FILTERS.items():
        if not able[of] and name in used:
            yield Said(
                "{place}: {{{name}}} would never be filled in; say can.{of}, exact, wider or approximate"
            ).filled(place=place, of=of, name=name)
    orders = set(can.sorts) - {Sort.RELEVANCE}
    if orders and "sort" not in used:
        yield Said("can.sorts: the request has no place for an order; put {{sort}} into {place}").filled(place=place)
    if "sort" in used and not orders and Sort.RELEVANCE not in asked.sorts:
        yield Said("{place}: {{sort}} would never be filled in; say can.sorts, newest or oldest").filled(place=place)


def contradictions_of_paging(asked: DeclaredRequest, following_by: str, place: str) -> Iterator[str]:
    """What does not fit together in how its pages are asked for."""
    ways = [name for name in template.PAGING if name in asked.placeholders]
    if len(ways) > 1:
        yield Said("{place}: {{{one}}} and {{{other}}} are two ways to page; use one").filled(
            place=place, one=ways[0], other=ways[1]
        )
    if "cursor" in ways and not following_by:
        yield Said("reply.next: say where a reply holds the cursor that {cursor} stands for")
    if following_by and "cursor" not in ways:
        yield Said(
            "{place}: nothing holds {{cursor}}, so that the page which reply.next finds could not be asked for"
        ).filled(place=place)


def _position(asked: DeclaredRequest, page: Page) -> Mapping[str, str | int]:
    """What leads to the page that is wanted."""
    way = paging(asked)
    if way == "cursor":
        return {} if page.cursor is None else {way: page.cursor}
    return {way: _count(page.cursor, asked.first_page if way == "page" else 0)} if way else {}


def _count(cursor: str | None, start: int) -> int:
    """The number that a cursor of ours is; anything else begins at the start."""
    ours = cursor is not None and cursor.isascii() and cursor.isdigit() and len(cursor) <= len(str(FURTHEST))
    return int(cursor) if cursor is not None and ours else start


def _said(times: Times, name: str, value: str) -> str | int:
    """A filter as the search wants it; an instant rounded so that nothing falls out."""
    if name not in template.BOUNDS:
        return value
    instant, since = datetime.fromisoformat(value), name.endswith("since")
    match times:
        case "seconds":
            return _rounded(instant.timestamp(), down=since)
        case "milliseconds":
            return _rounded(instant.timestamp() * 1000, down=since)
        case "date":  # in whose zone is not known, and whether the last day counts neither
            return (instant - DAY if since else instant + 2 * DAY).date().isoformat()
        case "iso":
            return value


def _rounded(number: float, *, down: bool) -> int:
    return math.floor(number) if down else math.ceil(number)
