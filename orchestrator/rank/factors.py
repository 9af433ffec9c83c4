"""Stage: the four factors of the mission, weighted by the type of question, beside the fused rank.

``score = relevance x (share x fused + (1 - share) x weights . (keywords, freshness, authority, completeness))``, all from
0 to 1. Relevance compares the keyword match with the best match of all candidates: where every result holds the words
of the question it is 1 and the mission's weighted sum stands alone; where a source returned what it had, being fresh,
official or first there does not lift what is about something else.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.authority import authority_of
from orchestrator.rank.completeness import completeness_of
from orchestrator.rank.match import KEYWORDS, MATCH
from orchestrator.rank.recency import freshness_of
from orchestrator.rank.stage import rescored

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext


def weigh(ranking: Ranking, context: RankContext) -> Ranking:
    """Blend the fused score with the factors. Without a match stage before it every result counts as matching."""
    return replace(ranking, results=tuple(_weighed(result, context) for result in ranking.results))


def _weighed(result: Result, context: RankContext) -> Result:
    factors = {
        "keywords": result.factors.get(KEYWORDS, 1.0),
        "freshness": freshness_of(result.hit, context),
        "authority": authority_of(result.hit, context)[0],
        "completeness": completeness_of(result.hit, context.config.completeness),
    }
    share = context.config.fusion.share
    relevance = _relevance(result.factors.get(MATCH, 1.0), context)
    score = relevance * (share * result.score + (1.0 - share) * _blend(factors, context))
    factors["relevance"] = relevance
    return rescored(result, score, factors)


def _blend(factors: dict[str, float], context: RankContext) -> float:
    weights = context.config.weights[context.query.type]
    return (
        weights.keywords * factors["keywords"]
        + weights.freshness * factors["freshness"]
        + weights.authority * factors["authority"]
        + weights.completeness * factors["completeness"]
    )


def _relevance(share: float, context: RankContext) -> float:
    floor = context.config.relevance.floor
    return floor + (1.0 - floor) * math.pow(share, context.config.relevance.power)
