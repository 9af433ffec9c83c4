"""In which order results are shown: of a few, those first that are likely to hold the answer (docs/adr/0032-the-answer-orders.md).

Ranking looks at whole results. Whoever has read their sentences knows more: of which of them one answers, and how much likelier than the others.

And which of them a person is shown, under which numbers: once a reader has seen ``[2]``, it stays the same thing in every later revision.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.answer.own import whole_of
from orchestrator.answer.wording import say
from orchestrator.model import LEARNED, OWN, RERANKED, SCORE_DIGITS
from orchestrator.overtaking import changed_places
from translators.query import Sort

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from connectors.contract import HitKey
    from orchestrator.answer.own import ConversationKey
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Answer, Result
    from translators.query import Query

NOTHING_SEEN: Mapping[HitKey, int] = MappingProxyType({})


def numbered(results: Sequence[Result], seen: Mapping[HitKey, int] = NOTHING_SEEN) -> tuple[Result, ...]:
    """``results`` with numbers: those that any of their hits had before, else the next that nothing had.

    With nothing seen before, a number is the place in the list.
    """
    used: set[int] = set()
    following = max(seen.values(), default=0)
    given: list[Result] = []
    for result in results:
        known = sorted({seen[key] for key in _keys(result) if key in seen} - used)
        if known:
            number = known[0]
        else:
            following += 1
            number = following
        used.add(number)
        given.append(replace(result, number=number))
    return tuple(given)


def numbers_seen(answer: Answer, before: Mapping[HitKey, int] = NOTHING_SEEN) -> Mapping[HitKey, int]:
    """What a reader of ``answer`` has seen numbered, with all that was seen ``before``."""
    return {**before, **{key: result.number for result in answer.results for key in _keys(result)}}


def _keys(result: Result) -> Iterator[HitKey]:
    return ((hit.source, hit.id) for hit in (result.hit, *result.also))


def show(
    ordered: Sequence[tuple[int, Result]], quotes: Sequence[Quote], limit: int
) -> tuple[tuple[Result, ...], tuple[Quote, ...]]:
    """The first ``limit`` results and those further down that are quoted; quotes numbered by place among them.

    ``ordered``: each with its place in the ranking, by which quotes know it. How many results a person wants to see must not change what the
    answer is.
    """
    quoted = {quote.number for quote in quotes}
    shown = [(place, result) for at, (place, result) in enumerate(ordered, 1) if at <= limit or place in quoted]
    numbers = {place: number for number, (place, _) in enumerate(shown, 1)}
    return tuple(result for _, result in shown), tuple(replace(each, number=numbers[each.number]) for each in quotes)


SENTENCES = 1.5  # what all odds count beside the best score; up to 3 the results are the same but for chance, and the least moves least
LIKELY = 0.1  # odds from which on a reply may well hold the answer
NEXT = 0.001  # odds by which it stands behind
# What orders by more than the formula: what was learnt of many results (of which no sentence stands out), a reranker, an index asked alone.
SETTLED = frozenset({LEARNED, RERANKED, OWN})
SENTENCE = "sentence"  # the factor: the share of the odds of all sentences that those of this result have


def by_answer(results: Sequence[Result], quotes: Sequence[Quote], query: Query) -> tuple[tuple[int, Result], ...]:
    """The results in the order in which they are shown, each with its place in the ranking (from 1).

    ``quotes``: all sentences that could be quoted, with their odds. Only the order changes: a score is still what ranking has found, and the
    factor ``sentence`` tells the rest.
    """
    if query.sort is not Sort.RELEVANCE or any(SETTLED & result.factors.keys() for result in results):
        return tuple(enumerate(results, 1))
    odds = [0.0] * len(results)
    for quote in quotes:
        odds[quote.number - 1] += quote.odds
    odds = _said_together(results, odds)
    order = in_order([result.score for result in results], odds, [result.tier for result in results])
    reasons = {
        moved.at: say(query, "why_sentence" if moved.ahead else "why_sentences_elsewhere")
        for moved in changed_places(order)
    }
    return tuple((at + 1, _told(results[at], odds[at], reasons.get(place, ""))) for place, at in enumerate(order))


def _said_together(results: Sequence[Result], odds: Sequence[float]) -> list[float]:
    """The odds of each; of a reply that may well hold the answer so much that it stands next behind the best of its conversation, if it does not stand higher.

    A reply need not hold the words of what it replies to.
    """
    best: dict[ConversationKey, int] = {}
    for at, each in enumerate(results):
        first = best.setdefault(whole_of(each.hit), at)
        if each.score > results[first].score:
            best[whole_of(each.hit)] = at
    of_tier = best_of_tiers([each.score for each in results], [each.tier for each in results])
    told = list(odds)
    for at, each in enumerate(results):
        first = best[whole_of(each.hit)]
        if at != first and odds[at] >= LIKELY:
            apart = (results[first].score - each.score) / of_tier[at] / SENTENCES
            told[at] = max(odds[at], apart + min(odds[at], odds[first] - NEXT))
    return told


def in_order(scores: Sequence[float], odds: Sequence[float], tiers: Sequence[float]) -> list[int]:
    """The places, best first: by score, as a share of the best of its tier, and by the odds of its sentences. A lower tier stands before all others."""
    best = best_of_tiers(scores, tiers)

    def place(at: int) -> tuple[float, float]:
        return tiers[at], -round(scores[at] / best[at] + SENTENCES * odds[at], SCORE_DIGITS)

    return sorted(range(len(scores)), key=place)


def best_of_tiers(scores: Sequence[float], tiers: Sequence[float]) -> list[float]:
    """For each the best score of its tier, of which its own is a share; 1 where none is above 0."""
    best: dict[float, float] = {}
    for tier, score in zip(tiers, scores, strict=True):
        best[tier] = max(best.get(tier, 0.0), score)
    return [best[tier] or 1.0 for tier in tiers]


def _told(result: Result, odds: float, reason: str) -> Result:
    factors = {**result.factors, SENTENCE: min(odds, 1.0)}
    return replace(result, factors=factors, why=(*result.why, reason) if reason else result.why)
