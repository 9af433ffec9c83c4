"""Stage: what was found only by broadening, and does not satisfy what was asked, comes after everything that does.

A broadened query gave something up. A hit that holds it all the same (it lies inside the dates) loses nothing but the
fused weight of its list. One that does not (a stale answer to a status question) stands behind and says so.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.rank.check import check_each
from orchestrator.rank.wording import condition, say
from translators.query import Clause, Compare, Not, conjuncts, leaves

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

ASKED = "asked"  # the factor: 1 inside what was asked, 0 outside


def order_rungs(ranking: Ranking, context: RankContext) -> Ranking:
    """Lower every result outside the question's conditions below the lowest inside them."""
    conditions = tuple(part for part in conjuncts(context.query.where) if _is_condition(part))
    failures = [_failed(result, conditions) for result in ranking.results]
    inside = [result.score for result, failed in zip(ranking.results, failures, strict=True) if not failed]
    floor = min(inside, default=1.0)
    results = (
        _behind(result, failed, floor, context) if failed else result
        for result, failed in zip(ranking.results, failures, strict=True)
    )
    return replace(ranking, results=tuple(results))


def _is_condition(part: Clause) -> bool:
    """Filters and negations; dropped words show in the keyword match."""
    return isinstance(part, Not) or any(isinstance(leaf, Compare) for leaf in leaves(part))


def _failed(result: Result, conditions: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Only broadened results are judged: a source that was asked for a condition is believed."""
    if not conditions or not all(each.rung for each in result.evidence):
        return ()
    return check_each(result.hit, conditions).failed


def _behind(result: Result, failed: tuple[Clause, ...], floor: float, context: RankContext) -> Result:
    """Scaled into what is left below ``floor``, so that scores still fall from the first result to the last."""
    names = ", ".join(condition(part, context) for part in failed)
    factors = MappingProxyType({**result.factors, ASKED: 0.0})
    why = (say(context, "outside", conditions=names), *result.why)
    return replace(result, score=result.score * floor, factors=factors, why=why)
