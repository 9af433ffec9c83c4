"""Stage: what does not satisfy what was asked comes after everything that does, and is listed all the same.

A broadened query gave something up. A hit that holds it all the same (it lies inside the dates) loses nothing but the
fused weight of its list. One that does not (a stale answer to a status question) stands behind and says so; so does one
of which nobody can tell (a mail has no channel), before those and with what is not checked. A condition that prose implies
and no source was asked for weighs by how sure it is: one that is credible orders like one that was typed, a weaker one takes
its strength from the score of what breaks it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.rank.check import ACCEPTED, ConditionCheck, check_each
from orchestrator.rank.wording import condition, say
from translators.query import CERTAIN, CREDIBLE, Clause, Compare, Not, conjuncts, leaves

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

ASKED = "asked"  # the factor, and what it says of a result
INSIDE, UNTOLD, OUTSIDE = 1.0, 0.5, 0.0


def order_rungs(ranking: Ranking, context: RankContext) -> Ranking:
    """Lower what may lie outside the question's conditions below all inside them, and what does below that."""
    query = context.query
    conditions = tuple(
        part for part in conjuncts(query.where) if _is_condition(part) and query.strength(part) == CERTAIN
    )
    judged = [(_weighed(result, context), _judged(result, conditions)) for result in ranking.results]
    placed: dict[int, Result] = {}
    floor = 1.0
    for asked in (INSIDE, UNTOLD, OUTSIDE):
        group = [(result, verdict) for result, verdict in judged if _asked(verdict) == asked]
        made = [_behind(result, verdict, floor, context) for result, verdict in group]
        placed |= {id(result): each for (result, _), each in zip(group, made, strict=True)}
        floor = min((each.score for each in made), default=floor)
    return replace(ranking, results=tuple(placed[id(result)] for result, _ in judged))


def _weighed(result: Result, context: RankContext) -> Result:
    """With what it breaks of weak readings taken from its score, and named."""
    weak = [each for each in result.unmet if each.strength < CREDIBLE]
    if not weak:
        return result
    names = ", ".join(condition(each.clause, context) for each in weak)
    share = math.prod(1.0 - each.strength for each in weak)
    return replace(result, score=result.score * share, why=(say(context, "unlike", conditions=names), *result.why))


def _is_condition(part: Clause) -> bool:
    """Filters and negations; dropped words show in the keyword match."""
    return isinstance(part, Not) or any(isinstance(leaf, Compare) for leaf in leaves(part))


def _judged(result: Result, conditions: tuple[Clause, ...]) -> ConditionCheck:
    """Typed conditions are judged of broadened results only: a source that was asked for a condition is believed."""
    failed = tuple(each.clause for each in result.unmet if each.strength >= CREDIBLE)
    unknown = tuple(each.clause for each in result.untold if each.strength >= CREDIBLE)
    if not conditions or not all(each.rung for each in result.evidence):
        return ConditionCheck(failed, unknown) if failed or unknown else ACCEPTED
    verdict = check_each(result.hit, conditions)
    # A word that is not to be in a text may stand in the part that was not read: nobody was asked to prove that.
    untold = (part for part in verdict.unknown if not isinstance(part, Not))
    return ConditionCheck((*verdict.failed, *failed), (*untold, *unknown))


def _asked(verdict: ConditionCheck) -> float:
    if verdict.failed:
        return OUTSIDE
    return UNTOLD if verdict.unknown else INSIDE


def _behind(result: Result, verdict: ConditionCheck, floor: float, context: RankContext) -> Result:
    """Scaled into what is left below ``floor``, so that scores still fall from the first result to the last."""
    asked = _asked(verdict)
    if asked == INSIDE:
        return result
    factors = MappingProxyType({**result.factors, ASKED: asked})
    moved = replace(result, score=result.score * floor, factors=factors)
    if asked == OUTSIDE:
        names = ", ".join(condition(part, context) for part in verdict.failed)
        return replace(moved, why=(say(context, "outside", conditions=names), *result.why))
    unknown = (condition(part, context) for part in verdict.unknown)
    return replace(moved, unverified=tuple(dict.fromkeys((*result.unverified, *unknown))))
