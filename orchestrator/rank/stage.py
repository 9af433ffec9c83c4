"""What a ranking stage is: a pure function from a Ranking to a Ranking, in the circumstances of one question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar

from orchestrator.model import Ranking, Result
from orchestrator.rank.lexical import Text, texts_of
from orchestrator.rank.memo import RankMemo
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.model import Plan
    from orchestrator.rank.config import RankingConfig
    from orchestrator.rank.roles import Steps
    from translators.query import Category, Implied, Query

T = TypeVar("T")


@record
class RankContext:
    """The question, the moment it was asked (aware), what was planned for it, and the numbers to rank with.

    ``categories``, ``weights`` and (as far as known yet) ``steps`` of the ladder of authority are looked up by source. A weight is what the plan says of the source times what its
    category is worth for this type of question. ``beside``: what the question says of sources that it wants no answer from. ``semantic`` and ``reranked`` are found out beforehand, since stages do
    no I/O: how near a hit (source, id) is to the question in meaning (a cosine), and how relevant a reranker finds it (0
    to 1); ``None`` where nobody was asked, and hits that were not reached are absent. ``memo``: what earlier rankings of the question
    have worked out already, by the same numbers.
    """

    query: Query
    now: datetime
    plan: Plan
    config: RankingConfig
    semantic: Mapping[tuple[str, str], float] | None = field(default=None, repr=False)
    reranked: Mapping[tuple[str, str], float] | None = field(default=None, repr=False)
    memo: RankMemo = field(repr=False, compare=False, default_factory=RankMemo)
    categories: Mapping[str, Category] = field(init=False, repr=False, compare=False)
    weights: Mapping[str, float] = field(init=False, repr=False, compare=False)
    beside: Mapping[str, Implied] = field(init=False, repr=False, compare=False)
    steps: dict[str, Steps] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        worth = self.config.sources[self.query.type]
        steps = self.plan.steps
        object.__setattr__(self, "categories", {step.source: step.category for step in steps})
        object.__setattr__(self, "beside", {step.source: step.beside for step in steps if step.beside})
        object.__setattr__(
            self, "weights", {step.source: step.weight * worth.get(step.category, 1.0) for step in steps}
        )

    def text(self, hit: Hit) -> Text:
        """The words of a hit, read once for all stages."""
        return self.texts((hit,))[0]

    def texts(self, hits: Sequence[Hit]) -> list[Text]:
        """The words of many hits, read in one go."""
        return self.column(texts, hits)

    def column(self, read: Callable[[Sequence[Hit], RankContext], Iterable[T]], hits: Sequence[Hit]) -> list[T]:
        """What ``read`` makes of each hit, worked out once for all stages and rankings of the question."""
        return self.memo.column(read, hits, self)

    def once(self, make: Callable[[RankContext], T]) -> T:
        """What ``make`` makes of the question, worked out once."""
        return self.memo.once(make, self)

    def title(self, source: str) -> str:
        """A source as people know it."""
        return next((step.title for step in self.plan.steps if step.source == source), source)


Stage = Callable[[Ranking, RankContext], Ranking]
ReadColumn = Callable[[Sequence["Hit"], RankContext], "Iterable[Any]"]


def texts(hits: Sequence[Hit], context: RankContext) -> list[Text]:
    """Column: the words of each hit."""
    return texts_of(hits, context.config.limits.text)


def rescored(
    result: Result, score: float, factors: Mapping[str, float], features: Mapping[str, float] | None = None
) -> Result:
    """The same result with another score, more factors, and other ``features`` if any are given. ``dataclasses.replace`` costs ten times as much a hit."""
    return Result(
        result.hit,
        result.evidence,
        score,
        {**result.factors, **factors} if result.factors else factors,
        result.why,
        result.unverified,
        result.also,
        result.number,
        result.related,
        result.unmet,
        result.untold,
        result.features if features is None else features,
    )
