"""Stage: how well each result matches the question, on one scale for all sources.

``keywords`` is one of the four factors, ``match`` the same as a share of the best candidate's; fusion weighs the lists
by it and the final score is cut by it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.keywords import match_keywords
from orchestrator.rank.notices import is_notice
from orchestrator.rank.stage import rescored

if TYPE_CHECKING:
    from orchestrator.model import Ranking
    from orchestrator.rank.stage import RankContext

KEYWORDS, MATCH = "keywords", "match"


def match(ranking: Ranking, context: RankContext) -> Ranking:
    """A group is matched by the hit that speaks for it."""
    hits = [result.hit for result in ranking.results]
    texts = context.texts(hits)
    worth = context.config.keywords.asked_for(context.query.type)
    found = [
        each.strength * worth.notice if is_notice(hit, text, context) else each.strength
        for each, hit, text in zip(match_keywords(context.query, texts, worth), hits, texts, strict=True)
    ]
    best = max(found, default=0.0) or 1.0
    whole = max(1.0, best)
    results = (
        rescored(result, result.score, {KEYWORDS: strength / whole, MATCH: strength / best})
        for result, strength in zip(ranking.results, found, strict=True)
    )
    return replace(ranking, results=tuple(results))
