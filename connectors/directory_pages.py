"""Lists of people and places, page by page within reason, and what is said where there was more, or no right to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from connectors.errors import Forbidden
from connectors.notes import COUNTED
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from connectors.errors import SourceError

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
