"""Whoever stands elsewhere than before: which way it went, and whom it changed places with."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PlaceT = TypeVar("PlaceT", int, tuple[int, int])


@record
class ChangedPlace:
    """``at``: where one stands now; ``others``: where those stand that it has passed (``ahead``), or that have passed it."""

    at: int
    ahead: bool
    others: tuple[int, ...]


def changed_places(before: Sequence[PlaceT]) -> Iterator[ChangedPlace]:
    """Those that changed places, in the order of now. ``before``: the place that each of them had.

    Who has passed some and was passed by others has gone the way of the more, ahead where they are as many.
    """
    for at, place in enumerate(before):
        passed = tuple(other for other in range(at + 1, len(before)) if before[other] < place)
        passed_by = tuple(other for other in range(at) if before[other] > place)
        ahead = len(passed) >= len(passed_by)
        if passed or passed_by:
            yield ChangedPlace(at, ahead, passed if ahead else passed_by)
