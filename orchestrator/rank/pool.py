"""What the features of ranking read: the results of one question beside each other, with the question's words found in them.

Read once, column by column: a column is a value for each result, in the order of the ranking.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from orchestrator.model import KEYWORDS, MATCH
from orchestrator.rank.held import ANYWHERE, TITLE, held, named_places, sought
from orchestrator.rank.stage import Column, ScoredResults
from translators.query import Kind
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Result
    from orchestrator.rank.lexical import Text
    from orchestrator.rank.stage import RankContext

SPOKEN = frozenset({Kind.MESSAGE, Kind.THREAD})
SILENCE = 3600.0  # seconds that end a conversation


@record
class FoundWord:
    """Where a word of the question stands: the results, by place, that hold it anywhere, in their title, in their place's name.

    ``weight``: what it counts, for its part in the question and for being rare. ``named``: it is somebody's or something's name.
    """

    named: bool
    weight: float
    anywhere: frozenset[int]
    titles: frozenset[int]
    places: frozenset[int]


class CandidatePool:
    """The results that are compared; what several features ask for is worked out once. ``results`` tell where they were found, and have no scores yet."""

    def __init__(self, results: Sequence[Result], context: RankContext) -> None:
        self.context = context
        self._scored = ScoredResults.of(results)
        self.results, self.scores = self._scored.found, self._scored.scores

    def __len__(self) -> int:
        return len(self.results)

    def column(self, factor: str) -> Column:
        """A factor that an earlier stage has found."""
        return self._scored.factor(factor, 0.0)

    @cached_property
    def hits(self) -> Sequence[Hit]:
        """Those that speak for them."""
        return [result.hit for result in self.results]

    @cached_property
    def texts(self) -> Sequence[Text]:
        """Their words."""
        return self.context.texts(self.hits)

    @cached_property
    def matches(self) -> Column:
        """How well each matches, surroundings and meaning included."""
        return self.column(MATCH)

    @cached_property
    def own_matches(self) -> Column:
        """How well each matches by its own words."""
        return self.column(KEYWORDS)

    @cached_property
    def words(self) -> tuple[FoundWord, ...]:
        """The words of the question that any of them holds."""
        sought_words = self.context.once(sought).words
        rows = self.context.column(held, self.hits)
        named = [(at, there) for at, there in enumerate(self.context.column(named_places, self.hits)) if there]
        found = []
        marks = zip(*(row.marks for row in rows), strict=True)
        for number, (wanted, own) in enumerate(zip(sought_words, marks, strict=False)):
            if anywhere := [at for at, mark in enumerate(own) if mark]:
                rarity = math.log1p((len(rows) - len(anywhere) + 0.5) / (len(anywhere) + 0.5))
                weight = min(1.0, wanted.weight) * rarity
                titles = frozenset([at for at in anywhere if own[at] & ANYWHERE[TITLE]])
                places = frozenset([at for at, held_there in named if number in held_there])
                found.append(FoundWord(wanted.named, weight, frozenset(anywhere), titles, places))
        return tuple(found)

    def held(self, places: Iterable[frozenset[int]]) -> Column:
        """How much of what the words weigh each result holds, where ``places`` says which hold each word."""
        whole = math.fsum(word.weight for word in self.words) or 1.0
        held = [0.0] * len(self)
        for word, where in zip(self.words, places, strict=True):
            for at in where:
                held[at] += word.weight
        return [each / whole for each in held]

    @cached_property
    def places(self) -> tuple[tuple[str, str] | None, ...]:
        """The place that each stands in, if it tells one."""
        return tuple(
            (result.hit.source, place.native_id or place.name) if (place := result.hit.container) else None
            for result in self.results
        )

    @cached_property
    def conversations(self) -> tuple[list[int], ...]:
        """Messages of one place without an hour's silence between them, two or more."""
        said: dict[tuple[str, str], list[tuple[float, int]]] = {}
        for at, (result, place) in enumerate(zip(self.results, self.places, strict=True)):
            if place and result.hit.created and result.hit.kind in SPOKEN:
                said.setdefault(place, []).append((result.hit.created.timestamp(), at))
        runs = chain.from_iterable(_runs(sorted(each)) for each in said.values())
        return tuple(run for run in runs if len(run) > 1)


def _runs(moments: Sequence[tuple[float, int]]) -> Iterator[list[int]]:
    """``moments``: when, and which result."""
    run: list[int] = []
    last = -math.inf
    for moment, at in moments:
        if moment - last > SILENCE:
            yield run
            run = []
        run.append(at)
        last = moment
    yield run
