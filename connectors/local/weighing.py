"""What words weigh: BM25 from what PostgreSQL's ``ts_rank`` tells, pairs of words, and the messages around a message."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.local.found import FoundChunk
    from connectors.local.numbers import Bm25, ConversationWeights

HOUR = 3600.0
LONGEST_TEXT = 255  # places of one term that PostgreSQL keeps: src/include/tsearch/ts_type.h
# What ts_rank makes of n equal weights: their squares' sum over that of all, src/backend/utils/adt/tsrank.c
WHOLE = 1.64493406685


def bm25(ranks: Sequence[float], rarity: Sequence[float], length: float, weights: Bm25) -> float:
    """BM25 of a chunk from what ``ts_rank`` says of each term; ``length`` is measured in average ones."""
    enough = weights.saturation * (1 - weights.length + weights.length * length)
    score = 0.0
    for rank, worth in zip(ranks, rarity, strict=True):
        if rank > 0.0:
            count = occurrences(rank)
            score += worth * count * (weights.saturation + 1) / (count + enough)
    return score


def occurrences(rank: float) -> int:
    """How often a term occurs of which ``ts_rank``, with all weights 1, is ``rank``: it grows with each occurrence."""
    steps = _steps()
    return min(bisect_left(steps, rank - 1e-6) + 1, len(steps))


@cache
def _steps() -> list[float]:
    total, steps = 0.0, []
    for count in range(1, LONGEST_TEXT + 1):
        total += 1 / (count * count)
        steps.append(total / WHOLE)
    return steps


def side_by_side(terms: Sequence[str], rarity: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """The neighbours among a question's terms that the index knows, and the rarity of the commoner one of each pair.

    The sequential dependence of terms (Metzler, Croft, SIGIR 2005), found or not; of Korean it makes words out of pairs
    of syllables.
    """
    pairs = ((one, other) for one, other in pairwise(terms) if one != other)
    return {(one, other): min(rarity[one], rarity[other]) for one, other in pairs if one in rarity and other in rarity}


def in_conversation(scored: Iterable[tuple[FoundChunk, int | None]], numbers: ConversationWeights) -> list[FoundChunk]:
    """Messages with a share of the best one around them; what has no conversation (``None``), or no time, as it was."""
    found: list[FoundChunk] = []
    talks: dict[int, list[FoundChunk]] = {}
    for each, talk in scored:
        if talk is None or each.happened is None:
            found.append(each)
        else:
            talks.setdefault(talk, []).append(each)
    reach = numbers.hours * HOUR
    for said in talks.values():
        timed = sorted(((each.happened.timestamp(), each) for each in said if each.happened), key=lambda pair: pair[0])
        times, scores = [time for time, _ in timed], [each.score for _, each in timed]
        for place, (time, each) in enumerate(timed):
            before, after = bisect_left(times, time - reach), bisect_right(times, time + reach)
            around = numbers.share * max([*scores[before:place], *scores[place + 1 : after]], default=0.0)
            found.append(replace(each, score=each.score + around, around=around) if around else each)
    return found


def rarity(held: int, total: int) -> float:
    """How much it says that a term is there, which ``held`` of ``total`` chunks hold (Lucene's idf, never negative)."""
    return math.log(1 + (total - held + 0.5) / (held + 0.5))
