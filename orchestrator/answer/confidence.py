"""How far an answer can be trusted, by a rule that can be read out.

* none: no results.
* high: one of the three best results holds at least 80 % of the question's words; nothing was given up or left
  unchecked to find it; a quote that holds half of the words sounds like the type of answer asked for, or (but for
  decisions) another source among the three holds half of the words too; and every source that was asked answered in full.
* medium: one of the three best results holds at least half of the words and lies inside what was asked.
* low: anything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.answer.cover import Alternatives, covered, covered_by, wanted
from orchestrator.model import Confidence
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.answer.gaps import Gaps
    from orchestrator.answer.quotes import Quote
    from orchestrator.model import Result
    from translators.query import Query

BEST = 3  # results that are looked at
MOST_WORDS = 0.8
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the confidence rests on.

    ``coverage``: the share of the question's words in the best of the first three results. ``strict``: that result was
    found as asked and every condition was checked. ``inside``: it satisfies what was asked. ``agreement``: two sources.
    ``spoken``: a quote sounds like the type of answer asked for. ``complete``: every source answered in full.
    """

    type: QueryType
    coverage: float
    strict: bool
    inside: bool
    agreement: bool
    spoken: bool
    complete: bool

    @property
    def confidence(self) -> Confidence:
        """The rule of this module."""
        if self.coverage < HALF or not self.inside:
            return Confidence.LOW
        supported = self.spoken or (self.agreement and self.type is not QueryType.DECISION)
        if self.coverage >= MOST_WORDS and self.strict and self.complete and supported:
            return Confidence.HIGH
        return Confidence.MEDIUM


def assess(results: Sequence[Result], quotes: Sequence[Quote], gaps: Gaps, query: Query) -> Confidence:
    """The confidence in an answer."""
    return find_grounds(results, quotes, gaps, query).confidence if results else Confidence.NONE


def find_grounds(results: Sequence[Result], quotes: Sequence[Quote], gaps: Gaps, query: Query) -> Grounds:
    """Look at the three best results and at what is missing; ``results`` is not empty."""
    words = wanted(query)
    judged = [(_share(covered_by((result,), words), words), result) for result in results[:BEST]]
    coverage, best = max(judged, key=lambda each: each[0])
    sources = {evidence.source for share, result in judged if share >= HALF for evidence in result.evidence}
    titled = _share(covered(best.hit.title, words), words) >= MOST_WORDS
    return Grounds(
        type=query.type,
        coverage=coverage,
        strict=any(each.rung == 0 for each in best.evidence) and not best.unverified,
        inside=best.factors.get("asked", 1.0) > 0.0,
        agreement=len(sources) > 1,
        spoken=any(quote.signal and _share(quote.held, words) >= HALF for quote in quotes)
        or (query.type is QueryType.DOCUMENT and titled),
        complete=not gaps.silent and not gaps.partly,
    )


def _share(found: frozenset[str], words: dict[str, Alternatives]) -> float:
    """A question of filters alone has no words to hold: what satisfies it is neither proved nor doubtful."""
    return len(found) / len(words) if words else HALF
