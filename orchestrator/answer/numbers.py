"""The numbers that results go by: once a reader has seen ``[2]``, it stays the same thing in every later revision."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from connectors.contract import HitKey
    from orchestrator.model import Answer, Result

NOTHING_SEEN: Mapping[HitKey, int] = MappingProxyType({})


def numbered(results: Sequence[Result], seen: Mapping[HitKey, int] = NOTHING_SEEN) -> tuple[Result, ...]:
    """``results`` with numbers: those that any of their hits had before, else the next that nothing had.

    With nothing seen before, a number is the place in the list.
    """
    used: set[int] = set()
    following = max(seen.values(), default=0)
    given: list[Result] = []
    for result in results:
        known = sorted({seen[key] for key in _keys(result) if key in seen} - used)
        if known:
            number = known[0]
        else:
            following += 1
            number = following
        used.add(number)
        given.append(replace(result, number=number))
    return tuple(given)


def numbers_seen(answer: Answer, before: Mapping[HitKey, int] = NOTHING_SEEN) -> Mapping[HitKey, int]:
    """What a reader of ``answer`` has seen numbered, with all that was seen ``before``."""
    return {**before, **{key: result.number for result in answer.results for key in _keys(result)}}


def _keys(result: Result) -> Iterator[HitKey]:
    return ((hit.source, hit.id) for hit in (result.hit, *result.also))
