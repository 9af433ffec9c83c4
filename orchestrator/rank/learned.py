"""Stage: the order that was learnt, as far as much was found: a weighted sum of features (docs/adr/0024-learned-order.md).

The formula's score is one of the summands. Of a few results it knows the order as well as anything that could be learnt; the more there
are, the more the features count beside it. Only the order is learnt: the scores are the formula's, given out anew from the first to
the last, so that whoever reads them (quotes, confidence, bars on a page) reads the same scale.
"""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from statistics import fmean
from typing import TYPE_CHECKING

from orchestrator.model import LEARNED
from orchestrator.rank.features import FEATURES, formula
from orchestrator.rank.pool import CandidatePool
from orchestrator.rank.stage import ScoredResults, rescored
from orchestrator.rank.wording import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.model import Ranking
    from orchestrator.rank.stage import Column, RankContext

TOLD = 2  # features that a result's reasons name, at most
# Others are told already: the place in its list, what stands around it.
TELLING = ("names_held", "place_named", "talk", "coverage", "precise", "best_in_source")


def learned(ranking: Ranking, context: RankContext) -> Ranking:
    """Order by the sum. Where a reranker has judged, its judgments stand."""
    worth = context.config.learned
    results = ScoredResults.of(ranking.results)
    share = worth.counts(len(results))
    if share == 0.0 or context.reranked:
        return ranking
    looked_at = best_by_score(results.scores, worth.most)
    pool = CandidatePool(results.taken(looked_at), context)
    columns = {name: FEATURES[name](pool) for name in worth.weights.known()}
    sums = [worth.formula * value for value in formula(pool)]
    for name, weight in worth.weights.known().items():
        by = share * weight
        sums = [value + by * own for value, own in zip(sums, columns[name], strict=True)]
    shares = ([share * value for value in column] for column in columns.values())
    weighed = [dict(zip(columns, row, strict=True)) for row in zip(*shares, strict=True)]
    given = given_out(sums, pool.scores)
    places = [at for at, _ in given]
    least, most = sums[places[-1]], sums[places[0]]
    whole = (most - least) or 1.0
    reasons = _reasons(places[: context.query.limit], columns, pool)
    found, scores = list(results.found), list(results.scores)
    for at, score in given:
        known = rescored(pool.results[at], score, {LEARNED: (sums[at] - least) / whole}, weighed[at])
        found[looked_at[at]] = known.scored(score, *reasons[at]) if at in reasons else known
        scores[looked_at[at]] = score
    return replace(ranking, results=results.scored(scores, found=found))


def given_out(sums: Sequence[float], scores: Sequence[float]) -> list[tuple[int, float]]:
    """The places in the order of their ``sums``, each with the score that falls to it: these are given out anew from the first to the last."""
    places = sorted(range(len(sums)), key=list(zip(sums, scores, strict=True)).__getitem__, reverse=True)
    return list(zip(places, sorted(scores, reverse=True), strict=True))


def best_by_score(scores: Sequence[float], most: int) -> list[int]:
    """The places of the best, in the order in which they stand."""
    places = range(len(scores))
    return sorted(sorted(places, key=scores.__getitem__, reverse=True)[:most]) if len(scores) > most else list(places)


def _reasons(places: Sequence[int], columns: Mapping[str, Column], pool: CandidatePool) -> dict[int, list[str]]:
    """Of some results the features that lift each most above the mean."""
    weights = pool.context.config.learned.weights.known()
    means = {name: fmean(columns[name]) for name in TELLING if name in columns}
    spoken = {at for members in pool.conversations for at in members}
    told = {}
    for at in places:
        gains = [(weights[name] * (columns[name][at] - mean), name) for name, mean in means.items()]
        most = sorted((each for each in gains if each[0] > 0.0), key=itemgetter(0), reverse=True)[:TOLD]
        # What nobody answers or is answered by holds the words by itself.
        names = dict.fromkeys("coverage" if name == "talk" and at not in spoken else name for _, name in most)
        told[at] = [say(pool.context, f"learned_{name}") for name in names]
    return told
