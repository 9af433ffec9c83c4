"""Hits that the same person was shown a moment ago, where a source has no turn for their next question.

A source whose rate is used up says nothing; what it returned to the questions before may well answer this one. It stands in,
as far as it holds a word of the question and all conditions that were typed, and the receipt says so: the source was not asked.

So do copies that another source keeps (the local index).
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from orchestrator.gather.gate import OutOfTurn
from orchestrator.gather.outcomes import lists_of
from translators.match import matches
from translators.query import all_of, conjuncts, only_words
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from connectors.contract import Hit
    from orchestrator.model import HitList, Outcome, Step
    from translators.query import Clause

MOST_HITS = 200  # of one source and whoever's rights it was asked with
MOST_CHARACTERS = 8_000_000  # of all
STANDING_IN = Said("from earlier questions, up to {age:.0f} s ago: {count} results that fit this one, too")

Rights = tuple[object, ...]
"""A source, and with whose rights it was asked (law 7)."""


@dataclass(slots=True)
class _RecentOfOne:
    """Hits by id with when they came, the newest last."""

    hits: OrderedDict[str, tuple[float, Hit]] = field(default_factory=OrderedDict)
    weight: int = 0

    def put(self, hit: Hit, now: float) -> int:
        """Keep it; by how much there is more."""
        before = self.weight
        self._drop(hit.id)
        self.hits[hit.id] = now, hit
        self.weight += _weight(hit)
        while len(self.hits) > MOST_HITS:
            self._drop(next(iter(self.hits)))
        return self.weight - before

    def _drop(self, hit_id: str) -> None:
        if known := self.hits.pop(hit_id, None):
            self.weight -= _weight(known[1])


class RecentHits:
    """What came back in the last ``ttl`` seconds (0: nothing is kept), by source and rights; the least used go first."""

    def __init__(self, ttl: float) -> None:
        self._ttl = ttl
        self._kept: OrderedDict[Rights, _RecentOfOne] = OrderedDict()
        self._weight = 0

    def put(self, rights: Rights, hits: Iterable[Hit]) -> None:
        """Keep ``hits`` of a source that was asked with these ``rights``."""
        if self._ttl <= 0:
            return
        kept, now = self._kept.setdefault(rights, _RecentOfOne()), asyncio.get_running_loop().time()
        self._kept.move_to_end(rights)
        for hit in hits:
            self._weight += kept.put(hit, now)
        while self._weight > MOST_CHARACTERS and len(self._kept) > 1:
            self._weight -= self._kept.popitem(last=False)[1].weight

    def fitting(self, rights: Rights, step: Step) -> tuple[tuple[HitList, ...], Said | None]:
        """Those that fit the question of ``step``, as if its first rung and its last had brought them, and what to say of it."""
        kept = self._kept.get(rights)
        since = asyncio.get_running_loop().time() - self._ttl
        fresh = [(at, hit) for at, hit in kept.hits.values() if at >= since] if kept else []
        found = sorted(_fit(step.meaning, fresh), key=lambda each: -each[0])[: step.limit]
        best = len(_words(step.meaning))
        whole, part = ([hit for share, _, hit in found if (share == best) is wanted] for wanted in (True, False))
        lists = lists_of(step, whole, part)
        if not lists:
            return (), None
        age = asyncio.get_running_loop().time() - min(at for _, at, _ in found)
        return lists, STANDING_IN.filled(count=sum(len(each.hits) for each in lists), age=age)


def _fit(meaning: Clause, hits: Iterable[tuple[float, Hit]]) -> Iterator[tuple[int, float, Hit]]:
    """How many of the words each holds, which satisfies the rest."""
    words = _words(meaning)
    rest = all_of(part for part in conjuncts(meaning) if part not in words)
    for at, hit in hits:
        held = sum(matches(word, hit) is True for word in words)
        if held and matches(rest, hit) is not False:
            yield held, at, hit


def _words(meaning: Clause) -> tuple[Clause, ...]:
    return tuple(part for part in conjuncts(meaning) if only_words(part))


def _weight(hit: Hit) -> int:
    return len(hit.title) + len(hit.snippet)


KEPT_OF = "indexed_from"  # the fact of a hit that names the source that it is a copy of
KEPT = Said("{title} keeps {count} of its results that fit, as they were when it last read them")


def with_stand_ins(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The same, where a source was short and another has brought copies of what it holds: that they stand in."""
    return [_stood_in(each, outcomes) if _is_short(each) else each for each in outcomes]


def _is_short(outcome: Outcome) -> bool:
    return outcome.spared or (outcome.problem is not None and outcome.problem.code == OutOfTurn.code)


def _stood_in(outcome: Outcome, others: Iterable[Outcome]) -> Outcome:
    kept = Counter(other.title for other in others for hit in other.hits if hit.facts.get(KEPT_OF) == outcome.source)
    if not kept:
        return outcome
    notes = tuple(KEPT.filled(title=title, count=count) for title, count in kept.items())
    return replace(outcome, notes=(*outcome.notes, *notes), stood_in=True)
