"""How far a mean over questions is to be believed: bootstrap intervals, for one ranking and for the difference of two."""

from __future__ import annotations

import random
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DRAWS = 1000
SHARE = 0.95


def interval(
    values: Sequence[float],
    draws: int = DRAWS,
    share: float = SHARE,
    figure: Callable[[Sequence[float]], float] = fmean,
) -> tuple[float, float]:
    """The percentile bootstrap (Efron 1979) of the mean of ``values``, or of another ``figure``; the same for the same values.

    For the difference of two rankings give it the differences question by question.
    """
    if not values:
        return 0.0, 0.0
    chance = random.Random(len(values))  # noqa: S311 - resampling, no secret
    drawn = sorted(figure(chance.choices(values, k=len(values))) for _ in range(draws))
    cut = int(draws * (1.0 - share) / 2.0)
    return drawn[cut], drawn[-cut - 1]
