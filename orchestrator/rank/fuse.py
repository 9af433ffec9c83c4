"""Stage: weighted reciprocal rank fusion over sources (Cormack, Clarke, Buettcher, SIGIR 2009; k = 60).

A result's score is the sum, over the sources that found it, of weight x broadening^rung / (k + rank). Weights add and
never multiply across sources, so that one more source that agrees never lowers a result.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.merge import best_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.model import Evidence, Ranking, Result
    from orchestrator.rank.config import Fusion
    from orchestrator.rank.stage import RankContext


def fuse(ranking: Ranking, context: RankContext) -> Ranking:
    """Score by fused rank, as a share of the best result's, so that 1 is the best whatever the sources."""
    weights = context.weights
    fusion = context.config.fusion
    scores = [_fused(result, weights, fusion) for result in ranking.results]
    best = max(scores, default=0.0) or 1.0
    fused = (_scored(result, score / best) for result, score in zip(ranking.results, scores, strict=True))
    return replace(ranking, results=tuple(fused))


def _fused(result: Result, weights: Mapping[str, float], fusion: Fusion) -> float:
    return math.fsum(_part(each, weights.get(each.source, 1.0), fusion) for each in best_evidence(result.evidence))


def _part(evidence: Evidence, weight: float, fusion: Fusion) -> float:
    return weight * fusion.broadening**evidence.rung / (fusion.k + evidence.rank)


def _scored(result: Result, score: float) -> Result:
    return replace(result, score=score, factors={**result.factors, "fused": score})
