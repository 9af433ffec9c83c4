"""Talk without threads: what people say in one place without a longer pause is one conversation, and one entry. Pure."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from orchestrator.digests.matters import matter_of
from translators.match import happened
from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from orchestrator.digests.matters import Matter

PAUSE = timedelta(minutes=30)
TALK = frozenset({Kind.MESSAGE, Kind.THREAD})


def conversations(matters: Iterable[Matter]) -> Iterator[Matter]:
    """The same matters, those that are talk joined with their neighbours in time in the same place."""
    spoken: dict[tuple[str, str], list[Matter]] = {}
    for matter in matters:
        if place := _place(matter):
            spoken.setdefault(place, []).append(matter)
        else:
            yield matter
    for talk in spoken.values():
        yield from _by_pauses(sorted(talk, key=_begins))


def _by_pauses(talk: list[Matter]) -> Iterator[Matter]:
    together = [talk[0]]
    last = talk[0].latest
    for matter in talk[1:]:
        if _begins(matter) > last + PAUSE:
            yield _one(together)
            together = []
        together.append(matter)
        last = max(last, matter.latest)
    yield _one(together)


def _one(together: list[Matter]) -> Matter:
    return together[0] if len(together) == 1 else matter_of(result for each in together for result in each.results)


def _begins(matter: Matter) -> datetime:
    return min(filter(None, map(happened, matter.hits)))


def _place(matter: Matter) -> tuple[str, str] | None:
    """Where all of it was said; ``None`` for what is more than talk in one place."""
    places = {(hit.source, hit.container.name) for hit in matter.hits if hit.container and hit.kind in TALK}
    only = len(places) == 1 and all(hit.container and hit.kind in TALK for hit in matter.hits)
    return places.pop() if only else None
