"""Stage: the four factors (match, recency, authority, completeness), weighted by the type of question, beside the fused rank."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.model import AUTHORITY, COMPLETENESS, FRESHNESS, KEYWORDS, MATCH
from orchestrator.rank.roles import steps_of
from orchestrator.rank.stage import ScoredResults
from orchestrator.rank.wording import say
from translators.match import days_between, happened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.model import Ranking
    from orchestrator.rank.config import Completeness, FactorWeights
    from orchestrator.rank.lexical import Text
    from orchestrator.rank.stage import RankContext

RELEVANCE = "relevance"  # the factor: what the match makes of everything else
BLENDED = (KEYWORDS, FRESHNESS, AUTHORITY, COMPLETENESS, RELEVANCE)


def decay(age: float, half_life: float) -> float:
    """``e^(-λ·age)`` with ``λ = ln 2 / half_life``, both in days; an age below 0 (a clock ahead of ours) counts as 0."""
    return float(2.0 ** (-max(0.0, age) / half_life))


def boost(relevance: float, recency: float, weight: float) -> float:
    """``(1 − weight)·relevance + weight·recency``: what the local index does after its reranker."""
    return (1.0 - weight) * relevance + weight * recency


def age_in_days(hit: Hit, now: datetime) -> float | None:
    """``None`` without a date; below 0 for a date in the future."""
    when = happened(hit)
    return None if when is None else days_between(when, now)


def age_in_words(hit: Hit, context: RankContext) -> str:
    """In days of the asker's calendar up to two months, then in months, then in years: what was said at noon two days ago was two days ago at ten."""
    when = happened(hit)
    if when is None:
        return say(context, "undated")
    days = max(0, (context.now.date() - when.astimezone(context.now.tzinfo).date()).days)
    for count, key in ((days // 365, "years"), (days // 30, "months")):
        if count > 1:
            return say(context, key, count=count)
    if days > 1:
        return say(context, "days", count=days)
    return say(context, "day" if days == 1 else "today")


def authority_of(hit: Hit, context: RankContext) -> tuple[float, str]:
    """The highest step of the type's ladder that the hit stands on, and the role that lifted it ("" for none)."""
    return context.column(authority, (hit,))[0]


def authority(hits: Sequence[Hit], context: RankContext) -> list[tuple[float, str]]:
    """Column: the same of each."""
    return [_authority(hit, text, context) for hit, text in zip(hits, context.texts(hits), strict=True)]


def _authority(hit: Hit, text: Text, context: RankContext) -> tuple[float, str]:
    known = context.steps.get(hit.source)
    if known is None:
        category = context.categories.get(hit.source)
        known = context.steps[hit.source] = steps_of(context.config.authority, context.query.type, category)
    step, roles = known
    for role in roles:  # the highest first
        said = not role.worded or _holds(text.title, role.title) or _holds(text.body, role.text)
        if said and (role.days == math.inf or _is_within(hit, role.days, context)):
            return role.step, role.name
    return step, ""


def _is_within(hit: Hit, days: float, context: RankContext) -> bool:
    """What has no date is not known to be recent."""
    age = age_in_days(hit, context.now)
    return age is not None and age <= days


def _holds(text: str, needles: tuple[str, ...]) -> bool:
    """Plain loops in what is run most: ``any`` over a generator takes three times as long."""
    for needle in needles:  # noqa: SIM110
        if needle in text:
            return True
    return False


def completeness_of(hits: Sequence[Hit], worth: Completeness) -> list[float]:
    """Between 0 and 1: the length of the text, and whether title, date, author (or assignee) and address are known."""
    length, enough = worth.length, worth.enough
    titled, dated, authored, linked = worth.titled, worth.dated, worth.authored, worth.linked
    return [
        min(
            1.0,
            length * min(1.0, len(hit.snippet) / enough)
            + (titled if hit.title or hit.container else 0.0)  # a message's place says what a title says
            + (dated if hit.created or hit.updated else 0.0)
            + (authored if hit.author or hit.assignee else 0.0)
            + (linked if hit.url else 0.0),
        )
        for hit in hits
    ]


def freshness(hits: Sequence[Hit], context: RankContext) -> list[float]:
    """Column: how recent each is, from 0 to 1, by the half-life of its source, stretched by the type of the question."""
    recency, now = context.config.recency, context.now
    stretch = recency.stretch[context.query.type]
    half_lives = {
        source: recency.decay(source, context.categories.get(source)).half_life * stretch
        for source in {hit.source for hit in hits}
    }
    return [
        recency.missing if when is None else decay(days_between(when, now), half_lives[hit.source])
        for hit, when in zip(hits, map(happened, hits), strict=True)
    ]


def completeness(hits: Sequence[Hit], context: RankContext) -> list[float]:
    """Column: how much there is of each."""
    return completeness_of(hits, context.config.completeness)


def weigh(ranking: Ranking, context: RankContext) -> Ranking:
    """Blend the fused score with the factors. Without a match stage before it every result counts as matching."""
    weights, share = context.config.weights[context.query.type], context.config.fusion.share
    floor, power = context.config.relevance.floor, context.config.relevance.power
    results = ScoredResults.of(ranking.results)
    hits, matches = results.hits, results.factor(MATCH, 1.0)
    columns = {
        KEYWORDS: results.factor(KEYWORDS, 1.0),
        FRESHNESS: context.column(freshness, hits),
        AUTHORITY: [step for step, _ in context.column(authority, hits)],
        COMPLETENESS: context.column(completeness, hits),
        RELEVANCE: [floor + (1.0 - floor) * math.pow(match, power) for match in matches],
    }
    scores = formula_of(columns, results.scores, weights, share)
    return replace(ranking, results=results.scored(scores, columns))


def formula_of(
    factors: Mapping[str, Sequence[float]], fused: Sequence[float], weights: FactorWeights, share: float
) -> list[float]:
    """The score of each result by its factors and its fused rank, of which that is the ``share``."""
    words, fresh, known, whole = weights.keywords, weights.freshness, weights.authority, weights.completeness
    return [
        relevance * (share * rank + (1.0 - share) * (words * own + fresh * new + known * step + whole * complete))
        for rank, own, new, step, complete, relevance in zip(fused, *map(factors.__getitem__, BLENDED), strict=True)
    ]
