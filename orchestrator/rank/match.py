"""Stage: how well each result matches the question, on one scale for all sources.

``keywords`` is the factor of the mission, ``match`` the same as a share of the best candidate's; fusion weighs the lists
by it and the final score is cut by it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.keywords import Match, match_keywords
from orchestrator.rank.stage import rescored

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

KEYWORDS, MATCH = "keywords", "match"


def match(ranking: Ranking, context: RankContext) -> Ranking:
    """A group is matched by the hit that speaks for it."""
    texts = [context.text(result.hit) for result in ranking.results]
    matched = match_keywords(context.query, texts, context.config.keywords)
    best = max((each.strength for each in matched), default=0.0) or 1.0
    results = (_with(result, each, best) for result, each in zip(ranking.results, matched, strict=True))
    return replace(ranking, results=tuple(results))


def _with(result: Result, found: Match, best: float) -> Result:
    return rescored(result, result.score, {KEYWORDS: found.strength / max(1.0, best), MATCH: found.strength / best})
