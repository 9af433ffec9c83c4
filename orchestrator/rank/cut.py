"""Stage: keep as many results as were asked for, and never fewer than the answer is read from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.model import Ranking
    from orchestrator.rank.stage import RankContext

READ = 10  # results that the summary, its confidence and conflicts are taken from, however few are shown


def cut(ranking: Ranking, context: RankContext) -> Ranking:
    """The first ``query.limit`` results, at least ``READ``, never more than the configuration allows."""
    most = min(max(context.query.limit, READ), context.config.limits.results)
    return replace(ranking, results=ranking.results[:most])
