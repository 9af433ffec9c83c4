"""What the question names by key or address: which hits are that thing, and what no source has.

A hit is the thing where a source gave it for the key itself, or where its own id or address is the one in the question.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.model import ANSWERED, NAMED, ONE_THING, Absent, Ranking
from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.stage import ScoredResults
from translators.match import matches
from translators.query import Category, IdKind, Term
from translators.records import record
from translators.translator import LossKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from connectors.contract import Hit
    from orchestrator.model import HitList, Outcome
    from orchestrator.rank.stage import RankContext
    from translators.query import Identifier

ADDRESSES = frozenset({IdKind.PERMALINK, IdKind.URL})
# They hold copies of others' things under ids of their own: that none of these is the key says nothing of the thing.
GATHERING = frozenset({Category.INDEX})
THE_THING: Mapping[str, float] = MappingProxyType({NAMED: 1.0})


@record
class NamedIds:
    """The ids of one question. ``fetched``: by source, what it was sent for an id itself."""

    keys: frozenset[str]
    addresses: frozenset[str]
    fetched: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, context: RankContext) -> NamedIds:
        """Of the question and of what was planned for it."""
        ids = [each for each in context.query.ids if each.kind in ONE_THING]
        return cls(
            frozenset(each.text.casefold() for each in ids),
            frozenset(canonical_url(each.text) for each in ids if each.kind in ADDRESSES),
            {
                step.source: frozenset(str(each.native) for each in step.fetches)
                for step in context.plan.steps
                if step.fetches
            },
        )

    def is_fetch(self, source: str, hit_list: HitList) -> bool:
        """Whether a list is what a source has by an id of the question."""
        asked = self.fetched.get(source)
        return asked is not None and str(hit_list.translation.native) in asked

    def name(self, hit: Hit) -> bool:
        """Whether the hit's own id or address stands in the question."""
        if not self.keys:
            return False
        return hit.id.casefold() in self.keys or canonical_url(hit.url) in self.addresses


def lift_named(ranking: Ranking, _: RankContext) -> Ranking:
    """Stage: what the question names stands before everything that only speaks of it."""
    results = ScoredResults.of(ranking.results)
    scored = list(zip(results.scores, results.factor(NAMED, 0.0), strict=True))
    ceiling = max((score for score, named in scored if not named), default=0.0)
    scores = [score + (1.0 - score) * ceiling if named else score for score, named in scored]
    return replace(ranking, results=results.scored(scores))


def absent(outcomes: Iterable[Outcome], context: RankContext) -> tuple[Absent, ...]:
    """Ids of the question that no source has which has things by them; an id is left out where one of them did not tell."""
    known = {outcome.source: outcome for outcome in outcomes}
    asked: dict[Identifier, dict[str, bool | None]] = {}
    for step in context.plan.steps:
        for fetch in step.fetches:
            told = _has(known.get(step.source), str(fetch.native))
            if told or step.category not in GATHERING:
                asked.setdefault(fetch.thing, {})[step.title] = told
    return tuple(
        Absent(thing.text, tuple(told))
        for thing, told in asked.items()
        if thing.kind in ONE_THING and all(has is False for has in told.values())
    )


def _has(outcome: Outcome | None, native: str) -> bool | None:
    """Whether a source has what it was asked for; ``None`` where it did not tell."""
    if outcome is None or outcome.status not in ANSWERED or outcome.problem is not None:
        return None
    found = [bool(each.hits) for each in outcome.lists if str(each.translation.native) == native]
    return any(found) if found else None


def strays(hit: Hit, hit_list: HitList, missing: Iterable[Absent]) -> Iterator[str]:
    """Which missing ids a hit was given for without holding them, by a source that takes a key for words like it."""
    loose = {each.what for each in hit_list.translation.losses if each.kind is LossKind.APPROXIMATED}
    for each in missing:
        if each.thing in loose and matches(Term(each.thing), hit) is not True:
            yield each.thing
