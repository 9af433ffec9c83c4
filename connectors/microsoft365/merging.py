"""One page out of several searches: their hits in turn, and where each of them is to go on."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from connectors.contract import HitPage, LeftOut
from connectors.microsoft365.asking import cursor_of
from connectors.microsoft365.hits import hit_of
from connectors.microsoft365.wire import Answers, Found
from connectors.wire import read, read_each
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit
    from connectors.http import Reply
    from connectors.microsoft365.asking import GraphSearch
    from connectors.microsoft365.wire import Account
    from translators.said import Said


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
