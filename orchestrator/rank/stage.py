"""What a ranking stage is: a pure function from a Ranking to a Ranking, in the circumstances of one question.

What has been worked out for one question is worked out no second time, whichever stage or ranking asks again (:class:`RankMemo`). A column
is a value for each hit. It is filled as hits arrive, while slower sources are awaited, and kept for as long as the question is
asked: whoever ranks again when more has come, or texts were read, reads only what is new. Hits are told apart by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from orchestrator.model import Ranking, Result
from orchestrator.rank.lexical import Text, texts_of
from translators.query import Category
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.model import Plan
    from orchestrator.rank.config import RankingConfig
    from orchestrator.rank.roles import Steps
    from translators.query import Implied, Query


class RankQuestion(Protocol):
    """What is asked, and the numbers that rank it."""

    @property
    def query(self) -> Query: ...

    @property
    def config(self) -> RankingConfig: ...


RankQuestionT = TypeVar("RankQuestionT", bound=RankQuestion)
T = TypeVar("T")


class RankMemo:
    """Of one question by one set of numbers; one whose words have changed, as by another spelling, is another."""

    def __init__(self) -> None:
        self._of: tuple[Query, RankingConfig] | None = None
        self._forget()

    def column(
        self,
        read: Callable[[Sequence[Hit], RankQuestionT], Iterable[T]],
        hits: Sequence[Hit],
        context: RankQuestionT,
    ) -> list[T]:
        """What ``read`` makes of each hit. It must say of a hit the same whatever it is read with: a pass over many costs a fraction of many passes."""
        self._begin(context)
        known: dict[int, T] = self._columns.setdefault(read, {})
        keys = list(map(id, hits))
        try:
            return list(map(known.__getitem__, keys))
        except KeyError:
            new = {key: hit for key, hit in zip(keys, hits, strict=True) if key not in known}
        self._hits |= new
        known.update(zip(new, read(tuple(new.values()), context), strict=True))
        return list(map(known.__getitem__, keys))

    def once(self, make: Callable[[RankQuestionT], T], context: RankQuestionT) -> T:
        """What ``make`` makes of the question."""
        self._begin(context)
        if make not in self._made:
            self._made[make] = make(context)
        made: T = self._made[make]
        return made

    def _begin(self, context: RankQuestion) -> None:
        if self._of is None or self._of[0] is not context.query or self._of[1] is not context.config:
            self._of = context.query, context.config
            self._forget()

    def _forget(self) -> None:
        self._hits: dict[int, Hit] = {}  # kept, so that their identities stay theirs
        self._columns: dict[object, dict[int, Any]] = {}
        self._made: dict[object, Any] = {}


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

    @property
    def talks(self) -> bool:
        """Whether a chat is among the sources that are asked."""
        return Category.CHAT in self.categories.values()

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
Column = Sequence[float]
"""A value for each result."""
NO_COLUMNS: Mapping[str, Column] = MappingProxyType({})
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


class ScoredResults(Sequence[Result]):
    """Results whose scores and common factors stand in columns. They are made when somebody looks at them: of hundreds that are ranked ten are shown.

    ``found``: the results without these columns. A factor that only some have stands there.
    """

    def __init__(self, found: Sequence[Result], scores: Column, factors: Mapping[str, Column]) -> None:
        self.found, self.scores, self._factors = found, scores, factors

    @classmethod
    def of(cls, results: Sequence[Result]) -> ScoredResults:
        """The same with their columns."""
        return results if isinstance(results, cls) else cls(results, [result.score for result in results], {})

    @property
    def hits(self) -> list[Hit]:
        """The hit that speaks for each."""
        return [result.hit for result in self.found]

    def factor(self, name: str, usual: T) -> Sequence[float | T]:
        """A factor of each, ``usual`` where it has none."""
        return self._factors.get(name) or [result.factors.get(name, usual) for result in self.found]

    def scored(
        self, scores: Column, factors: Mapping[str, Column] = NO_COLUMNS, found: Sequence[Result] = ()
    ) -> ScoredResults:
        """The same results with other scores and more factors; as ``found``, if something was written on them."""
        return ScoredResults(found or self.found, scores, {**self._factors, **factors})

    def taken(self, places: Sequence[int]) -> ScoredResults:
        """Those at these places, in this order."""
        factors = {name: [column[at] for at in places] for name, column in self._factors.items()}
        return ScoredResults([self.found[at] for at in places], [self.scores[at] for at in places], factors)

    @cached_property
    def _made(self) -> tuple[Result, ...]:
        return tuple(
            rescored(result, score, {name: column[at] for name, column in self._factors.items()})
            for at, (result, score) in enumerate(zip(self.found, self.scores, strict=True))
        )

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, at: Any) -> Any:
        return self._made[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._made == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as of each result: its factors have none
