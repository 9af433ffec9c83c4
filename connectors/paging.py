"""Lists of people and places, page by page within reason, and what is said where there was more, or no right to it.

Vendors that alone say how many hits a page of theirs holds: their pages are cut here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Self,
    TypeVar,
)

from connectors.errors import Forbidden
from connectors.http import HttpSource
from connectors.notes import COUNTED
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from connectors.contract import Call, HitPage
    from connectors.errors import SourceError
    from translators.translator import NativeQuery

CURSOR = re.compile(r"([1-9][0-9]?)(?::([0-9]{1,3}))?", re.ASCII)


@record
class VendorPage:
    """``number`` counts from 1 as vendors do; ``skip`` hits of that page were returned before."""

    number: int = 1
    skip: int = 0

    @classmethod
    def read(cls, cursor: str | None) -> Self:
        """The place that a cursor of ours names; the start for anything else."""
        found = CURSOR.fullmatch(cursor or "")
        return cls(int(found[1]), int(found[2] or 0)) if found else cls()


class CutPages(HttpSource):
    """``request`` asks for :meth:`VendorPage.read` of its cursor; the cursor of ``parse`` only tells that there is more."""

    last_page: ClassVar[int]

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of at most ``call.limit`` hits, cut from the vendor's, which bear no number."""
        place, limits = VendorPage.read(call.cursor), self.manifest.limits
        whole = await super().search(native, replace(call, limit=limits.page))
        end = place.skip + limits.hits(call.limit)
        hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(whole.hits[place.skip : end], 1))
        more = f"{place.number + 1}" if whole.cursor and place.number < self.last_page else None
        return replace(whole, hits=hits, cursor=f"{place.number}:{end}" if end < len(whole.hits) else more)


ItemT = TypeVar("ItemT")
PlaceT = TypeVar("PlaceT")

NOT_LISTED = Said("{what} are not listed, so none is found by name: {why}")
MORE = Said("only the first {count} {what} were read")


async def read_list(
    page: Callable[[PlaceT | None], Awaitable[tuple[Iterable[ItemT], PlaceT | None]]],
    most: int,
    what: str,
    *,
    refusals: tuple[type[SourceError], ...] = (Forbidden,),
    more: Said = MORE,
) -> tuple[list[ItemT], tuple[str, ...]]:
    """The items of ``most`` pages, and a note if there is ``more``, or if some may not be read.

    ``page``: what is on the one that begins there (``None``: the first), and where the next does. ``what``: in English and the plural.
    """
    found: list[ItemT] = []
    named = COUNTED.get(what, what)
    place: PlaceT | None = None
    for _ in range(most):
        try:
            items, place = await page(place)
        except refusals as refusal:
            return found, (NOT_LISTED.filled(what=named, why=refusal.message),)
        found += items
        if place is None:
            return found, ()
    return found, (more.filled(count=len(found), what=named),)
