"""Measures of a ranked list against graded judgments, and how far their means are to be believed. Ids not judged count as not relevant."""

from __future__ import annotations

import math
import random
from statistics import fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DRAWS = 1000
SHARE = 0.95


def ndcg(ranked: Sequence[str], grades: Mapping[str, float], depth: int = 10) -> float:
    """Normalised discounted cumulative gain (Järvelin & Kekäläinen 2002), linear gain, 0 to 1.

    A repeated id gains once. With nothing relevant at all the measure is 0.
    """
    ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(_best(grades, depth), 1))
    return _gain(ranked, grades, depth) / ideal if ideal else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, float], depth: int = 10) -> float:
    """One over the rank of the first relevant id, 0 if none is among the first ``depth``."""
    return next((1 / rank for rank, each in enumerate(ranked[:depth], 1) if grades.get(each, 0) > 0), 0.0)


def recall(ranked: Sequence[str], grades: Mapping[str, float], depth: int = 100) -> float:
    """Share of the relevant ids that are among the first ``depth``."""
    relevant = {each for each, grade in grades.items() if grade > 0}
    return len(relevant & set(ranked[:depth])) / len(relevant) if relevant else 0.0


def _best(grades: Mapping[str, float], depth: int) -> list[float]:
    return sorted(grades.values(), reverse=True)[:depth]


def _gain(ranked: Sequence[str], grades: Mapping[str, float], depth: int) -> float:
    seen: set[str] = set()
    total = 0.0
    for rank, each in enumerate(ranked[:depth], 1):
        if each not in seen:
            total += grades.get(each, 0.0) / math.log2(rank + 1)
            seen.add(each)
    return total


def interval(
    values: Sequence[Any],
    draws: int = DRAWS,
    share: float = SHARE,
    figure: Callable[[Sequence[Any]], float] = fmean,
) -> tuple[float, float]:
    """The percentile bootstrap (Efron 1979) of the mean of ``values``, or of another ``figure`` of whatever is drawn; the same for the same values.

    For the difference of two rankings give it the differences question by question.
    """
    if not values:
        return 0.0, 0.0
    chance = random.Random(len(values))  # noqa: S311 - resampling, no secret
    drawn = sorted(figure(chance.choices(values, k=len(values))) for _ in range(draws))
    cut = int(draws * (1.0 - share) / 2.0)
    return drawn[cut], drawn[-cut - 1]
