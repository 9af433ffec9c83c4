"""Stages: reciprocal rank fusion over sources, each list weighted by what it holds (k = 60), and the profile of the recency boost."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from orchestrator.model import MATCH
from orchestrator.rank.duplicates import best_evidence
from orchestrator.rank.factors import age_in_days, boost, decay
from orchestrator.rank.stage import ScoredResults, rescored

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Hit
    from orchestrator.model import Evidence, Ranking, Result
    from orchestrator.rank.config import Decay, Fusion
    from orchestrator.rank.stage import RankContext

RECENCY = "recency"  # the factor: the decay by age, 0 to 1


def fuse(ranking: Ranking, context: RankContext) -> Ranking:
    """Score by fused rank, as a share of the best result's, so that 1 is the best whatever the sources."""
    fusion, results = context.config.fusion, ScoredResults.of(ranking.results)
    shown = evidence_of(results, fusion)
    weights = {source: context.weights.get(source, 1.0) * share for source, share in shown.items()}
    scores = [_fused(result, weights, fusion) for result in results.found]
    best = max(scores, default=0.0) or 1.0
    shares = [score / best for score in scores]
    return replace(ranking, results=results.scored(shares, {"fused": shares}))


def evidence_of(results: ScoredResults, fusion: Fusion) -> Mapping[str, float]:
    """For each source how well its best hits match, 1 for the best source. Without a match stage all count 1.

    A list is judged by its best ``fusion.judged`` hits, or all it has: a short list with one good hit is a good list.
    """
    matches: defaultdict[str, list[float]] = defaultdict(list)
    for result, found in zip(results.found, results.factor(MATCH, 1.0), strict=True):
        for each in result.evidence if len(result.evidence) == 1 else best_evidence(result.evidence):
            matches[each.source].append(found)
    shown = {source: _best(values, fusion.judged) for source, values in matches.items()}
    most = max(shown.values(), default=0.0)
    if not most:
        return dict.fromkeys(shown, 1.0)
    floor = fusion.unproven
    return {source: floor + (1.0 - floor) * math.pow(value / most, fusion.power) for source, value in shown.items()}


def _best(values: list[float], judged: int) -> float:
    best = nlargest(judged, values)
    return math.fsum(best) / len(best)


def _fused(result: Result, weights: Mapping[str, float], fusion: Fusion) -> float:
    if len(result.evidence) == 1:
        return _part(result.evidence[0], weights[result.evidence[0].source], fusion)
    return math.fsum(_part(each, weights[each.source], fusion) for each in best_evidence(result.evidence))


def _part(evidence: Evidence, weight: float, fusion: Fusion) -> float:
    return weight * fusion.broadening**evidence.rung / (fusion.k + evidence.rank)


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
