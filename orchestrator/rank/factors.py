"""Stage: the four factors, weighted by the type of question, beside the fused rank.

``score = relevance x (share x fused + (1 - share) x weights . (keywords, freshness, authority, completeness))``, all from
0 to 1. Relevance compares the keyword match with the best match of all candidates: where every result holds the words
of the question it is 1 and the weighted sum of the four stands alone; where a source returned what it had, being fresh,
official or first there does not lift what is about something else.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.authority import authority_of
from orchestrator.rank.completeness import completeness_of
from orchestrator.rank.match import KEYWORDS, MATCH
from orchestrator.rank.recency import HalfLives
from orchestrator.rank.stage import rescored

if TYPE_CHECKING:
    from orchestrator.model import Ranking
    from orchestrator.rank.stage import RankContext


def weigh(ranking: Ranking, context: RankContext) -> Ranking:
    """Blend the fused score with the factors. Without a match stage before it every result counts as matching."""
    weights, share = context.config.weights[context.query.type], context.config.fusion.share
    worth, half_lives = context.config.completeness, HalfLives(context)
    weighed = []
    for result in ranking.results:
        hit, factors = result.hit, result.factors
        keywords = factors.get(KEYWORDS, 1.0)
        freshness = half_lives.freshness_of(hit)
        authority = authority_of(hit, context)[0]
        completeness = completeness_of(hit, worth)
        relevance = _relevance(factors.get(MATCH, 1.0), context)
        blend = (
            weights.keywords * keywords
            + weights.freshness * freshness
            + weights.authority * authority
            + weights.completeness * completeness
        )
        found = {
            "keywords": keywords,
            "freshness": freshness,
            "authority": authority,
            "completeness": completeness,
            "relevance": relevance,
        }
        weighed.append(rescored(result, relevance * (share * result.score + (1.0 - share) * blend), found))
    return replace(ranking, results=tuple(weighed))


def _relevance(share: float, context: RankContext) -> float:
    floor = context.config.relevance.floor
    return floor + (1.0 - floor) * math.pow(share, context.config.relevance.power)
