"""Several lists as one: in turn, or by date where an order was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.match import happened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from connectors.contract import Hit


def merged(
    lists: Sequence[Sequence[Hit]], choose: Callable[[Sequence[int]], int], limit: int
) -> tuple[list[Hit], list[int]]:
    """At most ``limit`` hits, each once, and how many of each list were used up for them.

    ``choose`` says, of the lists and how many of each are used, which gives the next one.
    """
    used = [0] * len(lists)
    hits: dict[str, Hit] = {}
    while len(hits) < limit and any(place < len(each) for place, each in zip(used, lists, strict=True)):
        at = choose(used)
        hit = lists[at][used[at]]
        hits.setdefault(hit.id, hit)
        used[at] += 1
    return list(hits.values()), used


def in_turn(lists: Sequence[Sequence[Hit]], groups: Sequence[str]) -> Callable[[Sequence[int]], int]:
    """The best of each group, then the second of each, and so on; within a group its lists take turns in the same way.

    Scores of different searches do not compare, so each search counts for the same.
    """

    def choose(used: Sequence[int]) -> int:
        of_group = {group: sum(n for n, each in zip(used, groups, strict=True) if each == group) for group in groups}
        there = [at for at, each in enumerate(lists) if used[at] < len(each)]
        return min(there, key=lambda at: (of_group[groups[at]], list(of_group).index(groups[at]), used[at], at))

    return choose


def by_date(lists: Sequence[Sequence[Hit]], *, newest: bool) -> Callable[[Sequence[int]], int]:
    """The newest (or oldest) of those that come next; what has no date comes last."""

    def choose(used: Sequence[int]) -> int:
        there = [at for at, each in enumerate(lists) if used[at] < len(each)]
        return min(there, key=lambda at: (*_age(lists[at][used[at]], newest=newest), at))

    return choose


def _age(hit: Hit, *, newest: bool) -> tuple[bool, float]:
    moment = happened(hit)
    seconds = moment.timestamp() if moment else 0.0
    return moment is None, -seconds if newest else seconds
