"""How fresh a thing is: exponential decay by half-life, per source and type of question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.rank.wording import say
from translators.match import happened

if TYPE_CHECKING:
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.rank.stage import RankContext

DAY = 86_400.0


def decay(age: float, half_life: float) -> float:
    """``e^(-λ·age)`` with ``λ = ln 2 / half_life``, both in days; an age below 0 (a clock ahead of ours) counts as 0."""
    return float(2.0 ** (-max(0.0, age) / half_life))


def boost(relevance: float, recency: float, weight: float) -> float:
    """``(1 − weight)·relevance + weight·recency``: what the local index does after its reranker."""
    return (1.0 - weight) * relevance + weight * recency


def age_in_days(hit: Hit, now: datetime) -> float | None:
    """``None`` without a date; below 0 for a date in the future."""
    when = happened(hit)
    return None if when is None else (now - when).total_seconds() / DAY


class HalfLives:
    """Freshness in the circumstances of one question: half-lives by source, stretched by its type."""

    def __init__(self, context: RankContext) -> None:
        self._context = context
        self._now = context.now
        self._days: dict[str, float] = {}

    def freshness_of(self, hit: Hit) -> float:
        """Between 0 and 1."""
        age = age_in_days(hit, self._now)
        if age is None:
            return self._context.config.recency.missing
        return decay(age, self._days.get(hit.source) or self._of(hit.source))

    def _of(self, source: str) -> float:
        recency = self._context.config.recency
        half_life = recency.decay(source, self._context.categories.get(source)).half_life
        self._days[source] = half_life * recency.stretch[self._context.query.type]
        return self._days[source]


def freshness_of(hit: Hit, context: RankContext) -> float:
    """Between 0 and 1, of a single hit."""
    return HalfLives(context).freshness_of(hit)


def age_in_words(hit: Hit, context: RankContext) -> str:
    """In days up to two months, then in months, then in years."""
    age = age_in_days(hit, context.now)
    if age is None:
        return say(context, "undated")
    days = int(age)
    for count, key in ((days // 365, "years"), (days // 30, "months")):
        if count > 1:
            return say(context, key, count=count)
    if days > 1:
        return say(context, "days", count=days)
    return say(context, "day" if days == 1 else "today")
