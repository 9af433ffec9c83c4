"""Stages of the profile ``recency_boost``: plain rank fusion before its reranker, and the recency boost after it.

``RRF = Σ 1 / (60 + rank)``; ``final = (1 - w) · relevance + w · e^(-ln 2 · age / half-life)``, both by source.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.merge import best_evidence
from orchestrator.rank.recency import age_in_days, boost, decay
from orchestrator.rank.stage import rescored

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.config import Decay
    from orchestrator.rank.stage import RankContext

RECENCY = "recency"  # the factor: the decay by age, 0 to 1


def fuse_plainly(ranking: Ranking, context: RankContext) -> Ranking:
    """Score by reciprocal rank fusion, all lists equal."""
    k = context.config.fusion.k
    results = (
        result.scored(math.fsum(1 / (k + each.rank) for each in best_evidence(result.evidence)))
        for result in ranking.results
    )
    return replace(ranking, results=tuple(results))


def boost_recent(ranking: Ranking, context: RankContext) -> Ranking:
    """Blend the score, a relevance from 0 to 1, with recency, by the weight of the source."""
    return replace(ranking, results=tuple(_boosted(result, context) for result in ranking.results))


def _boosted(result: Result, context: RankContext) -> Result:
    weight = _decay(result.hit, context).weight
    recency = recency_of(result.hit, context)
    return rescored(result, boost(result.score, recency, weight), {RECENCY: recency, "relevance": result.score})


def recency_of(hit: Hit, context: RankContext) -> float:
    """Between 0 and 1, by the source's half-life as it stands."""
    age = age_in_days(hit, context.now)
    return context.config.recency.missing if age is None else decay(age, _decay(hit, context).half_life)


def _decay(hit: Hit, context: RankContext) -> Decay:
    return context.config.recency.decay(hit.source, context.categories.get(hit.source))
