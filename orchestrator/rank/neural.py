"""Stages: what models say of the results: nearness in meaning across languages, and a reranker's judgments of the best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.model import KEYWORDS, MATCH, MEANING, RERANKED
from orchestrator.rank.stage import ScoredResults, rescored
from translators.match import is_korean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

TOP = 30  # results that are judged


def semantic(ranking: Ranking, context: RankContext) -> Ranking:
    """Give hits in another language, which their words do not tell, at least the match that their nearness is worth.

    Without similarities, or where all are in one language, the ranking stays.
    """
    cosines = _foreign(ranking, context)
    if not any(cosine > 0.0 for cosine in cosines.values()):
        return ranking
    worth = context.config.semantic
    full = max(worth.sure, *cosines.values())
    lifted = [
        _lifted(result, min(1.0, max(0.0, cosines[place] / full)), worth.across)
        if place in cosines and result.factors.get(MATCH, 1.0) < worth.below
        else result
        for place, result in enumerate(ranking.results)
    ]
    return replace(ranking, results=tuple(lifted))


def _foreign(ranking: Ranking, context: RankContext) -> dict[int, float]:
    """The cosines of hits in the other language that were read, by place; a group's nearest member speaks for it."""
    near = context.semantic
    if not near:
        return {}
    korean = is_korean(context.query.text)
    found: dict[int, float] = {}
    for place, result in enumerate(ScoredResults.of(ranking.results).found):
        cosine = _nearest(result, near)
        if cosine is not None and is_korean(f"{result.hit.title}\n{result.hit.snippet[:240]}") is not korean:
            found[place] = cosine
    return found


def _nearest(result: Result, near: Mapping[tuple[str, str], float]) -> float | None:
    members = (near.get((hit.source, hit.id)) for hit in (result.hit, *result.also))
    return max((cosine for cosine in members if cosine is not None), default=None)


def _lifted(result: Result, near: float, across: float) -> Result:
    alone = across * near
    match, keywords = result.factors.get(MATCH, 1.0), result.factors.get(KEYWORDS, 1.0)
    return rescored(result, result.score, {MATCH: max(match, alone), KEYWORDS: max(keywords, alone), MEANING: near})


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
