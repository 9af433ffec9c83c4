"""Stage: nearness in meaning, where words cannot tell: a question in one language, its answer in the other.

Similarities are computed beforehand (:mod:`orchestrator.signals`) and arrive in the context. Among hits in the language of
the question words tell more; measured, nearness adds nothing to them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.match import KEYWORDS, MATCH
from orchestrator.rank.stage import rescored
from translators.match import is_korean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

MEANING = "meaning"  # the factor of a hit in the other language: 0 as far as anything, 1 as near as any


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
    for place, result in enumerate(ranking.results):
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
