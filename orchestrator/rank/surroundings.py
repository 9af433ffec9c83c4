"""Stage: a message in a place named for the question is read with what stands around it.

In #proj-phoenix nobody says Phoenix, and a message that answers says little besides its answer. Where several messages of
such a place match, the place is about the question, and so is each of them a little.
"""

from __future__ import annotations

import math
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from orchestrator.rank.lexical import folded_words
from orchestrator.rank.match import MATCH
from orchestrator.rank.stage import rescored
from translators.query import Category

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

Place = tuple[str, str]


def surround(ranking: Ranking, context: RankContext) -> Ranking:
    """Add a share of what the best messages of such a place match to each of them. Without a match the ranking stays."""
    worth = context.config.surroundings
    found: dict[Place, list[float]] = {}
    places = _places(ranking.results, context)
    for result, place in zip(ranking.results, places, strict=True):
        if place and MATCH in result.factors:
            found.setdefault(place, []).append(result.factors[MATCH])
    added = {
        place: worth.share * math.fsum(nlargest(worth.hits, matches)) / worth.hits
        for place, matches in found.items()
        if len(matches) >= worth.least
    }
    return _lifted(ranking, places, added) if added else ranking


def _lifted(ranking: Ranking, places: Sequence[Place | None], added: Mapping[Place, float]) -> Ranking:
    """As a share of the best again."""
    pairs = zip(ranking.results, places, strict=True)
    matches = [result.factors.get(MATCH, 0.0) + (added.get(place, 0.0) if place else 0.0) for result, place in pairs]
    best = max(matches) or 1.0
    results = (
        rescored(result, result.score, {MATCH: match / best})
        for result, match in zip(ranking.results, matches, strict=True)
    )
    return replace(ranking, results=tuple(results))


def _places(results: Sequence[Result], context: RankContext) -> list[Place | None]:
    """Of each chat message whose place is named for the question: the source, and the place's id or name."""
    query = context.query
    names = {word for entity in query.entities for word in folded_words(entity.name)}
    names.update(word for keyword in query.essential[:1] for word in folded_words(keyword))
    named: dict[str, bool] = {}
    places: list[Place | None] = []
    for result in results:
        hit, container = result.hit, result.hit.container
        if container is None or context.categories.get(hit.source) is not Category.CHAT:
            places.append(None)
            continue
        if container.name not in named:
            named[container.name] = not names.isdisjoint(folded_words(container.name.replace("_", " ")))
        places.append((hit.source, container.native_id or container.name) if named[container.name] else None)
    return places
