"""What a ranking stage is: a pure function from a Ranking to a Ranking, in the circumstances of one question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.model import Ranking, Result
from orchestrator.rank.lexical import Text

if TYPE_CHECKING:
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.model import Plan
    from orchestrator.rank.config import RankingConfig
    from translators.query import Category, Query


@dataclass(frozen=True, slots=True)
class RankContext:
    """The question, the moment it was asked (aware), what was planned for it, and the numbers to rank with.

    ``categories`` and ``weights`` are looked up by source. A weight is what the plan says of the source times what its
    category is worth for this type of question.
    """

    query: Query
    now: datetime
    plan: Plan
    config: RankingConfig
    categories: Mapping[str, Category] = field(init=False, repr=False, compare=False)
    weights: Mapping[str, float] = field(init=False, repr=False, compare=False)
    _texts: dict[int, tuple[Hit, Text]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        worth = self.config.sources[self.query.type]
        steps = self.plan.steps
        object.__setattr__(self, "categories", {step.source: step.category for step in steps})
        object.__setattr__(
            self, "weights", {step.source: step.weight * worth.get(step.category, 1.0) for step in steps}
        )

    def text(self, hit: Hit) -> Text:
        """The words of a hit, read once for all stages."""
        known = self._texts.get(id(hit))
        if known is None:  # the hit is kept beside its words, so that its identity stays its own
            known = self._texts[id(hit)] = (hit, Text.of(hit, self.config.limits.text))
        return known[1]

    def title(self, source: str) -> str:
        """A source as people know it."""
        return next((step.title for step in self.plan.steps if step.source == source), source)


Stage = Callable[[Ranking, RankContext], Ranking]


def rescored(result: Result, score: float, factors: Mapping[str, float]) -> Result:
    """The same result with another score and more factors. ``dataclasses.replace`` costs ten times as much a hit."""
    return Result(
        result.hit,
        result.evidence,
        score,
        {**result.factors, **factors},
        result.why,
        result.unverified,
        result.also,
        result.number,
    )
