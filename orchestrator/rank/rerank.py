"""Stages: what a reranker says of the best results takes the place of fused rank and word match.

The judgments are asked for beforehand (:mod:`orchestrator.signals`) and arrive in the context.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.match import MATCH
from orchestrator.rank.stage import rescored

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

RERANKED = "reranked"  # the factor: the reranker's relevance, 0 to 1
TOP = 30  # results that are judged


def rerank(ranking: Ranking, context: RankContext) -> Ranking:
    """Judged results score their relevance, the others less than any of them. Without judgments the ranking stays."""
    judged = context.reranked
    if not judged:
        return ranking
    best, least = max(judged.values()) or 1.0, min(judged.values())
    results = (
        rescored(result, (value := judged[key]), {RERANKED: value, MATCH: value / best})
        if (key := _key(result)) in judged
        else rescored(result, result.score * least, {MATCH: result.factors.get(MATCH, 1.0) * least / best})
        for result in ranking.results
    )
    return replace(ranking, results=tuple(results))


def rerank_top(ranking: Ranking, context: RankContext) -> Ranking:
    """The first ``TOP`` with their relevance and nothing else; in their order with 1 - i/n where nobody judged them."""
    top = ranking.results[:TOP]
    judged = context.reranked
    if judged is None:
        judged = {_key(result): 1 - index / len(top) for index, result in enumerate(top)}
    kept = (rescored(result, judged[key], {RERANKED: judged[key]}) for result in top if (key := _key(result)) in judged)
    return replace(ranking, results=tuple(kept))


def _key(result: Result) -> tuple[str, str]:
    return (result.hit.source, result.hit.id)
