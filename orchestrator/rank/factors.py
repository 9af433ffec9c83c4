"""Stage: the four factors of the mission, weighted by the type of question, beside the fused rank.

``score = relevance x (share x fused + (1 - share) x weights . (keywords, freshness, authority, completeness))``, all from
0 to 1. Relevance compares the keyword match with the best match of all candidates: where every result holds the words
of the question it is 1 and the mission's weighted sum stands alone; where a source returned what it had, being fresh,
official or first there does not lift what is about something else.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.rank.authority import authority_of
from orchestrator.rank.completeness import completeness_of
from orchestrator.rank.keywords import Match, match_keywords
from orchestrator.rank.recency import freshness_of

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext


def weigh(ranking: Ranking, context: RankContext) -> Ranking:
    """Blend the fused score with the factors."""
    config = context.config
    hits = [result.hit for result in ranking.results]
    matched = match_keywords(context.query, hits, config.keywords, config.limits.text)
    best = max((match.score for match in matched), default=0.0) or 1.0
    weighed = (_weighed(result, match, best, context) for result, match in zip(ranking.results, matched, strict=True))
    return replace(ranking, results=tuple(weighed))


def _weighed(result: Result, match: Match, best: float, context: RankContext) -> Result:
    factors = {
        "keywords": match.score,
        "freshness": freshness_of(result.hit, context),
        "authority": authority_of(result.hit, context)[0],
        "completeness": completeness_of(result.hit, context.config.completeness),
    }
    share = context.config.fusion.share
    relevance = _relevance(match.score / best, context)
    score = relevance * (share * result.score + (1.0 - share) * _blend(factors, context))
    factors["relevance"] = relevance
    return replace(result, score=score, factors=MappingProxyType({**result.factors, **factors}))


def _blend(factors: dict[str, float], context: RankContext) -> float:
    weights = context.config.weights[context.query.type]
    return math.fsum(getattr(weights, name) * value for name, value in factors.items())


def _relevance(share: float, context: RankContext) -> float:
    floor = context.config.relevance.floor
    return floor + (1.0 - floor) * math.pow(share, context.config.relevance.power)
