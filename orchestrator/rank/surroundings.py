"""Stage: a message in a place named for the question is read with what stands around it.

In #proj-phoenix nobody says Phoenix, and a message that answers says little besides its answer. Where several messages of
such a place match, the place is about the question, and so is each of them a little; and more so is what was said in the
hour around the one that matches. In a thread each message is read with the best of the others, wherever it stands.
"""

from __future__ import annotations

import math
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from orchestrator.model import AROUND, MATCH
from orchestrator.rank.lexical import folded_words
from orchestrator.rank.stage import ScoredResults, rescored
from translators.query import Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

Surrounding = tuple[str, str]
HOUR = 3600.0


def surround(ranking: Ranking, context: RankContext) -> Ranking:
    """Add to each message of such a place a share of what its best messages match, and of what one near in time does.

    Without a match the ranking stays, and where no chat is asked.
    """
    if not context.talks:
        return ranking
    scored = ScoredResults.of(ranking.results)
    matches = [match for match in scored.factor(MATCH, None) if match is not None]
    if len(matches) < len(scored):
        return ranking
    worth, results = context.config.surroundings, scored.found
    found: dict[Surrounding, list[int]] = {}
    for at, place in enumerate(_places(results, context)):
        if place:
            found.setdefault(place, []).append(at)
    added: dict[int, float] = {}
    around: dict[int, float] = {}
    for members in found.values():
        if len(members) >= worth.least:
            whole = worth.share * math.fsum(nlargest(worth.hits, (matches[at] for at in members))) / worth.hits
            near = _near([(results[at].hit.created, at) for at in members], matches, worth.hours)
            for at in members:
                best, others = near.get(at, (0.0, 0.0))
                added[at], around[at] = whole + worth.near * best, 1.0 - math.pow(2.0, -others)
    for at, best in _in_threads(results, matches, context):
        added[at] = max(added.get(at, 0.0), worth.thread * best)
    if not added:
        return ranking
    lifted = [match + added.get(at, 0.0) for at, match in enumerate(matches)]
    best = max(lifted) or 1.0  # as a share of the best again
    marked = [
        rescored(result, result.score, {AROUND: around[at]}) if at in around else result
        for at, result in enumerate(results)
    ]
    return replace(ranking, results=scored.scored(scored.scores, {MATCH: [match / best for match in lifted]}, marked))


def _in_threads(
    results: Sequence[Result], matches: Sequence[float], context: RankContext
) -> Iterator[tuple[int, float]]:
    """Of each chat message whose thread has others here: the most that one of these matches."""
    threads: dict[tuple[str, str], list[int]] = {}
    for at, result in enumerate(results):
        if context.categories.get(result.hit.source) is Category.CHAT:
            threads.setdefault((result.hit.source, result.hit.thread), []).append(at)
    for members in threads.values():
        if len(members) > 1:
            first, second = nlargest(2, (matches[at] for at in members))
            yield from ((at, second if matches[at] == first else first) for at in members)


def _near(
    members: Iterable[tuple[datetime | None, int]], matches: Sequence[float], hours: float
) -> dict[int, tuple[float, float]]:
    """Of each message with a date: the most that another one matches, and how many others there are.

    Both count less by half for each ``hours`` between. What stands before a message is its neighbour and, aged on, what
    stood before that; and so on the other side.
    """
    timed = sorted((when.timestamp() / HOUR, at) for when, at in members if when is not None)
    near: dict[int, tuple[float, float]] = {}
    for order in (timed, timed[::-1]):
        best, others, last = 0.0, 0.0, 0.0
        for moment, at in order:
            left = math.pow(2.0, -abs(moment - last) / hours)
            best, others, last = best * left, others * left, moment
            most, count = near.get(at, (0.0, 0.0))
            near[at] = (max(most, best), count + others)
            best, others = max(best, matches[at]), others + 1.0
    return near


def _places(results: Sequence[Result], context: RankContext) -> list[Surrounding | None]:
    """Of each chat message whose place is named for the question: the source, and the place's id or name."""
    query = context.query
    names = {word for entity in query.entities for word in folded_words(entity.name)}
    names.update(word for keyword in query.essential[:1] for word in folded_words(keyword))
    named: dict[str, bool] = {}
    places: list[Surrounding | None] = []
    for result in results:
        hit, container = result.hit, result.hit.container
        if container is None or context.categories.get(hit.source) is not Category.CHAT:
            places.append(None)
            continue
        if container.name not in named:
            named[container.name] = not names.isdisjoint(folded_words(container.name.replace("_", " ")))
        places.append((hit.source, container.native_id or container.name) if named[container.name] else None)
    return places
