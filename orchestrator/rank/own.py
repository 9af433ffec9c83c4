"""Stages: the local index's own order. Asked alone it stands; among other sources, what ranking made of it is told.

The index has fused, reranked and boosted by recency already, on scores from 0 to 1 that say so.
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from orchestrator.model import ASKED, AUTHORITY, COMPLETENESS, FRESHNESS, KEYWORDS, NAMED, OWN
from orchestrator.overtaking import changed_places
from orchestrator.rank.stage import rescored
from orchestrator.rank.wording import say
from translators.query import Category, Sort

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

WORDS = (KEYWORDS, "relevance")  # both say how far the words of the question are there
FACTORS = (FRESHNESS, AUTHORITY, COMPLETENESS)


def stand(ranking: Ranking, context: RankContext) -> Ranking:
    """Score by the index's own scores where nobody else is asked; a list that was broadened counts less."""
    steps = context.plan.steps
    if len(steps) != 1 or steps[0].category is not Category.INDEX or not all(map(_has_own, ranking.results)):
        return ranking
    broadening = context.config.fusion.broadening
    results = (
        rescored(result, own * broadening ** result.evidence[0].rung, {OWN: own})
        for result in ranking.results
        if (own := result.hit.score) is not None
    )
    return replace(ranking, results=tuple(results))


def tell_moved(ranking: Ranking, context: RankContext) -> Ranking:
    """Say of results of an index why they stand elsewhere than it had them; a word for whatever weighs most."""
    if context.query.sort is not Sort.RELEVANCE:
        return ranking
    moved: dict[int, str] = {}
    for source, category in context.categories.items():
        if category is Category.INDEX:
            its = [each for each in ranking.results if each.hit.source == source and OWN not in each.factors]
            moved |= {id(result): why for result, why in _moves(its, context)}
    results = (
        replace(each, why=(*each.why, moved[id(each)])) if id(each) in moved else each for each in ranking.results
    )
    return replace(ranking, results=tuple(results)) if moved else ranking


def _has_own(result: Result) -> bool:
    own = result.hit.score
    return own is not None and math.isfinite(own) and 0.0 <= own <= 1.0


def _moves(its: Sequence[Result], context: RankContext) -> Iterator[tuple[Result, str]]:
    """``its``: the results of one index, as they stand."""
    for moved in changed_places([(result.evidence[0].rung, result.evidence[0].rank) for result in its]):
        result, others = its[moved.at], [its[other] for other in moved.others]
        way = "ahead" if moved.ahead else "behind"
        cause = say(context, f"{way}_{_cause(result, others, context, 1 if moved.ahead else -1)}")
        yield result, say(context, way, source=context.title(result.hit.source), cause=cause)


def _cause(result: Result, others: Sequence[Result], context: RankContext, way: int) -> str:
    """What most sets a result apart from those it changed places with, in the direction that it went."""
    for key, usual in ((NAMED, 0.0), (ASKED, 1.0)):
        if way * _more(result, others, key, usual) > 0:
            return key
    worth = context.config.weights[context.query.type]
    weights: Mapping[str, float] = {name: getattr(worth, name) for name in (KEYWORDS, *FACTORS)}
    gains = {name: way * weights[name] * _more(result, others, name, 0.0) for name in FACTORS}
    gains["words"] = math.fsum(way * weights.get(name, 1.0) * _more(result, others, name, 0.0) for name in WORDS)
    best = max(gains, key=lambda name: (gains[name], name))
    return best if gains[best] > 0 else "others"


def _more(result: Result, others: Sequence[Result], factor: str, usual: float) -> float:
    return result.factors.get(factor, usual) - fmean(each.factors.get(factor, usual) for each in others)
