"""The searches that one question takes, and the place that each has come to.

Mail and Teams messages are searched apart from one another and from the rest: they have other properties and other
rights, and only what lies in SharePoint may stand in one request
(https://learn.microsoft.com/en-us/graph/api/resources/search-api-overview#known-limitations).

Their hits come as one page, in turn.
"""

from __future__ import annotations

import json
import re
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from connectors.contract import HitPage, LeftOut
from connectors.http import HttpRequest
from connectors.microsoft365.hits import hit_of
from connectors.microsoft365.wire import Answers, Found
from connectors.wire import read, read_each
from translators.emit import quoted
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.contract import Hit
    from connectors.http import Page, Reply
    from connectors.microsoft365.wire import Account
    from translators.said import Said
    from translators.translator import Json, NativeQuery

ENTITIES: Mapping[str, str] = MappingProxyType(
    {"mail": "message", "teams": "chatMessage", "files": "driveItem", "lists": "listItem", "sites": "site"}
)
TITLES: Mapping[str, str] = MappingProxyType(
    {"message": "mail", "chatMessage": "Teams messages", "driveItem": "files", "listItem": "lists", "site": "sites"}
)
STORED = frozenset({"driveItem", "listItem", "site"})
MOST_MESSAGES = 25  # a request
NEWEST: Json = ({"name": "lastModifiedDateTime", "isDescending": True},)
ME = re.compile(r'"[^"]*"|(\w{1,40}):\{me\}')  # what is in quotes is somebody's text and stays


@record
class GraphSearch:
    """One search: for things of which types, by which query, from which place on."""

    types: tuple[str, ...]
    query: str
    start: int

    @property
    def key(self) -> str:
        """What the cursor calls it."""
        return ",".join(self.types)

    @property
    def title(self) -> str:
        """What people call it."""
        return " and ".join(TITLES[each] for each in self.types)

    @property
    def stored(self) -> bool:
        """Whether it is for what lies in SharePoint and OneDrive."""
        return self.types[0] in STORED

    @property
    def bucket(self) -> str:
        """Which of Microsoft's services answers it, each of which counts its own requests."""
        return "sharepoint" if self.stored else "exchange"

    def request(self, limit: int, *, newest: bool, region: str) -> HttpRequest:
        """``POST /search/query`` with the one request that the service takes at a time.

        Mail and messages come newest first whatever is wished; relevance is asked for the first three of them.
        """
        asked: dict[str, Json] = {
            "entityTypes": self.types,
            "query": {"queryString": self.query},
            "from": self.start,
            "size": limit if self.stored else min(limit, MOST_MESSAGES),
        }
        if self.stored and newest:
            asked["sortProperties"] = NEWEST
        if self.stored and region:
            asked["region"] = region
        if not self.stored and not newest:
            asked["enableTopResults"] = True
        return HttpRequest("POST", "search/query", json={"requests": [asked]}, bucket=self.bucket)


def searches(
    native: NativeQuery, page: Page, searched: Sequence[str], me: Account | None = None
) -> tuple[GraphSearch, ...]:
    """What ``native`` asks of the types in ``searched``, without what an earlier page came to the end of."""
    starts = places(page.cursor)
    made = (
        GraphSearch(asked, _joined(native.text, _with_me(where, me)), (starts or {}).get(",".join(asked), 0))
        for types, where in _groups(native)
        for asked in _requests([each for each in types if each in searched])
    )
    return tuple(each for each in made if starts is None or each.key in starts)


def names_me(native: NativeQuery) -> bool:
    """Whether the query can be sent only by who knows who is signed in."""
    return any(found[1] for _, where in _groups(native) for found in ME.finditer(where))


def cursor_of(starts: Mapping[str, int]) -> str | None:
    """Where each search goes on, ``None`` if none does."""
    return json.dumps(starts, separators=(",", ":")) if starts else None


def places(cursor: str | None) -> Mapping[str, int] | None:
    """What :func:`cursor_of` wrote; ``None``, which is the first page, for anything else."""
    try:
        read: Any = json.loads(cursor or "null")
    except (ValueError, RecursionError):
        return None
    written = isinstance(read, dict) and all(type(each) is int and each >= 0 for each in read.values())
    return read if written and read else None


def _groups(native: NativeQuery) -> list[tuple[list[str], str]]:
    listed: Any = native.args.get("entities")
    if listed is None:
        return [(list(TITLES), "")]
    return [(list(group["types"]), str(group["where"])) for group in listed]


def _requests(types: Sequence[str]) -> list[tuple[str, ...]]:
    """``types`` as they may stand in requests."""
    stored = tuple(each for each in types if each in STORED)
    apart: list[tuple[str, ...]] = [(each,) for each in types if each not in STORED]
    return [*apart, stored] if stored else apart


def _joined(text: str, where: str) -> str:
    return f"{text} AND {where}" if text and where else text or where


def _with_me(where: str, me: Account | None) -> str:
    """``where`` with the account's addresses and name in place of ``{me}``, whichever a thing bears."""
    known = [me.mail, me.userPrincipalName, me.displayName] if me else ["me"]
    values = [quoted(each.replace("*", " ")) for each in dict.fromkeys(known) if each]

    def named(found: re.Match[str]) -> str:
        return f"({' OR '.join(f'{found[1]}:{value}' for value in values)})" if found[1] else found[0]

    return ME.sub(named, where)


@record
class SearchHits:
    """The hits of one search; ``came`` counts those as well that could not be read."""

    search: GraphSearch
    hits: tuple[Hit, ...]
    came: int
    more: bool
    total: int | None
    notes: tuple[Said, ...]

    def place_after(self, taken: int) -> int | None:
        """Where to go on when the first ``taken`` hits were taken, ``None`` at the end."""
        if taken < len(self.hits):
            return self.search.start + taken
        return self.search.start + self.came if self.more and self.came else None


def listed(search: GraphSearch, reply: Reply, me: Account | None) -> SearchHits:
    """What a reply to ``search`` holds; raises :class:`BadReply`."""
    found = read(Answers, reply.data, "Microsoft 365").value[0].hitsContainers
    page = found[0] if found else None
    items = (page.hits if page else None) or ()
    hits, notes = read_each(Found, items, lambda each: hit_of(each, me), "hits")
    # Of mail and messages, the total counts those on the page only.
    total = page.total if page and search.stored else None
    return SearchHits(search, hits, len(items), bool(page and page.moreResultsAvailable), total, notes)


def merged(parts: Sequence[SearchHits], limit: int, missing: Sequence[LeftOut]) -> HitPage:
    """At most ``limit`` hits, from each search in turn: orders of different searches cannot be compared."""
    turns = chain.from_iterable(zip_longest(*([(place, hit) for hit in each.hits] for place, each in enumerate(parts))))
    counts = [0] * len(parts)
    hits: dict[str, Hit] = {}
    for turn in turns:
        if turn is not None and len(hits) < limit:
            place, hit = turn
            counts[place] += 1
            hits.setdefault(hit.id, hit)
    places = {each.search.key: each.place_after(count) for each, count in zip(parts, counts, strict=True)}
    return HitPage(
        tuple(hits.values()),
        cursor_of({key: place for key, place in places.items() if place is not None}),
        parts[0].total if len(parts) == 1 else None,
        tuple(note for each in parts for note in each.notes),
        tuple(missing),
    )
