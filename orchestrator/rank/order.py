"""Stage: a total order, so that the same outcomes always rank the same (law 4)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from orchestrator.rank.named import NAMED
from orchestrator.rank.rungs import ASKED
from translators.match import happened
from translators.query import Sort

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

DIGITS = 12  # scores that differ by less differ by rounding
LONG_AGO = datetime.min.replace(tzinfo=UTC)
FAR_AHEAD = datetime.max.replace(tzinfo=UTC)


def order(ranking: Ranking, context: RankContext) -> Ranking:
    """What the question names first; then by the order asked for, score, source priority, source and id."""
    weights = context.weights

    def place(result: Result) -> tuple[object, ...]:
        hit = result.hit
        tie = (-weights.get(hit.source, 0.0), hit.source, hit.id)
        first = (-result.factors.get(NAMED, 0.0), -result.factors.get(ASKED, 1.0), _time(result, context.query.sort))
        return (*first, -round(result.score, DIGITS), *tie)

    return replace(ranking, results=tuple(sorted(ranking.results, key=place)))


def _time(result: Result, sort: Sort) -> float:
    """Seconds to sort by where a person wants the newest or oldest first; undated things come last."""
    if sort is Sort.RELEVANCE:
        return 0.0
    when = happened(result.hit)
    if sort is Sort.NEWEST:
        return -((when or LONG_AGO) - LONG_AGO).total_seconds()
    return ((when or FAR_AHEAD) - LONG_AGO).total_seconds()
