"""Stage: reciprocal rank fusion over sources, each list weighted by what it holds (k = 60).

A result's score is the sum, over the sources that found it, of weight x evidence x broadening^rung / (k + rank)
(Cormack, Clarke, Buettcher, SIGIR 2009). Weights add and never multiply across sources, so that one more source that
agrees never lowers a result. Evidence compares the best hits of a source with the best of all sources, on the one
scale of :mod:`orchestrator.rank.match`; it is what ReDDE (Si, Callan, SIGIR 2003) estimates from samples of collections
that cannot be asked at once.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from orchestrator.rank.match import MATCH
from orchestrator.rank.merge import best_evidence
from orchestrator.rank.stage import rescored

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.model import Evidence, Ranking, Result
    from orchestrator.rank.config import Fusion
    from orchestrator.rank.stage import RankContext


def fuse(ranking: Ranking, context: RankContext) -> Ranking:
    """Score by fused rank, as a share of the best result's, so that 1 is the best whatever the sources."""
    fusion = context.config.fusion
    shown = evidence_of(ranking.results, fusion)
    weights = {source: context.weights.get(source, 1.0) * share for source, share in shown.items()}
    scores = [_fused(result, weights, fusion) for result in ranking.results]
    best = max(scores, default=0.0) or 1.0
    fused = (
        rescored(result, score / best, {"fused": score / best})
        for result, score in zip(ranking.results, scores, strict=True)
    )
    return replace(ranking, results=tuple(fused))


def evidence_of(results: Sequence[Result], fusion: Fusion) -> Mapping[str, float]:
    """For each source how well its best hits match, 1 for the best source. Without a match stage all count 1.

    A list is judged by its best ``fusion.judged`` hits, or all it has: a short list with one good hit is a good list.
    """
    matches: defaultdict[str, list[float]] = defaultdict(list)
    for result in results:
        found = result.factors.get(MATCH, 1.0)
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
