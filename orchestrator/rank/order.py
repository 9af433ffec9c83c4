"""Stages: what satisfies the question before what does not, in a total order (law 4), and no more than is wanted."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.model import ASKED, SCORE_DIGITS
from orchestrator.rank.collect import ACCEPTED, ConditionCheck, check_each
from orchestrator.rank.held import held, sought
from orchestrator.rank.stage import ScoredResults
from orchestrator.rank.wording import condition, say
from translators.match import happened
from translators.query import CERTAIN, CREDIBLE, DATED, Clause, Compare, Not, Sort, conjuncts, leaves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

INSIDE, UNTOLD, OUTSIDE = 1.0, 0.5, 0.0
LONG_AGO = datetime.min.replace(tzinfo=UTC)
FAR_AHEAD = datetime.max.replace(tzinfo=UTC)
ON_THE_MATTER = 0.5  # of the words that any result holds: from so many on one may be the newest or the oldest
READ = 10  # results that the summary, its confidence and conflicts are taken from, however few are shown


def order_rungs(ranking: Ranking, context: RankContext) -> Ranking:
    """Lower what may lie outside the question's conditions below all inside them, and what does below that."""
    query = context.query
    conditions = tuple(
        part for part in conjuncts(query.where) if _is_condition(part) and query.strength(part) == CERTAIN
    )
    found = ScoredResults.of(ranking.results).found
    if not conditions and not any(result.unmet or result.untold for result in found):
        return ranking  # all are inside, as mostly
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
    """Typed conditions are judged of broadened results only: a source that was asked for a condition is believed.

    But for one of time, of what has no date: nobody who reads it can tell, and it goes behind what can be seen to meet it.
    """
    failed = tuple(each.clause for each in result.unmet if each.strength >= CREDIBLE)
    unknown = tuple(each.clause for each in result.untold if each.strength >= CREDIBLE)
    if happened(result.hit) is None:
        unknown += tuple(part for part in conditions if _is_of_time(part) and part not in unknown)
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


def _is_of_time(part: Clause) -> bool:
    return any(isinstance(leaf, Compare) and isinstance(leaf.value, datetime) for leaf in leaves(part))


def order(ranking: Ranking, context: RankContext) -> Ranking:
    """What the question names first; then by the order asked for, score, source priority, source and id.

    Prose asks for the newest or oldest on a matter: what holds few of its words stands behind what holds many, however new.
    """
    results, weights, sort = ScoredResults.of(ranking.results), context.weights, context.query.sort
    undated = sort not in DATED
    aside = frozenset() if undated else _aside(results.found, context)

    def place(at: int) -> tuple[object, ...]:
        result = results.found[at]
        hit, when = result.hit, (0.0, 0.0) if undated else (id(result) in aside, _time(result, sort))
        tie = (-weights.get(hit.source, 0.0), hit.source, hit.id)
        return (result.tier, when, -round(results.scores[at], SCORE_DIGITS), *tie)

    return replace(ranking, results=results.taken(sorted(range(len(results)), key=place)))


def _aside(results: Sequence[Result], context: RankContext) -> frozenset[int]:
    """The identities of those that hold less than half as many words of the question as the one that holds most."""
    weights = [min(1.0, word.weight) for word in context.once(sought).words]
    rows = context.column(held, [result.hit for result in results])
    shares = [math.fsum(weight for weight, mark in zip(weights, row.marks, strict=True) if mark) for row in rows]
    enough = ON_THE_MATTER * max(shares, default=0.0)
    return frozenset(id(result) for result, share in zip(results, shares, strict=True) if share < enough)


def _time(result: Result, sort: Sort) -> float:
    """Seconds to sort by where a person wants the newest or oldest first; undated things come last."""
    when = happened(result.hit)
    if sort is Sort.NEWEST:
        return -((when or LONG_AGO) - LONG_AGO).total_seconds()
    return ((when or FAR_AHEAD) - LONG_AGO).total_seconds()


def cut(ranking: Ranking, context: RankContext) -> Ranking:
    """The first ``query.limit`` results, at least ``READ``, never more than the configuration allows; of a period as many as that, and of work that is held up or due all, for no word tells which of them matter."""
    results, query, kept = ScoredResults.of(ranking.results), context.query, context.config.limits.results
    shown = kept if query.of_a_period else min(max(query.limit, READ), kept)
    most = len(results) if query.flag else shown
    return replace(ranking, results=results.taken(range(min(most, len(results)))))
