"""The one listwise regression (ListNet: Cao et al., ICML 2007), with signs where they are given: Newton's method on those weights that are free."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

STEPS = 60
ENOUGH = 1e-9  # by which a step must at least lower the loss


@record
class Lists:
    """Questions of one domain: a row a result, and of each result the share of its question's relevance.

    ``begins``: the first row of each question; ``weight``: of each question, or of all alike.
    """

    features: NDArray[np.float64]
    target: Floats
    begins: NDArray[np.int64]
    weight: float | Floats

    @property
    def question(self) -> NDArray[np.int64]:
        """Of each result."""
        return np.repeat(np.arange(len(self.begins)), np.diff(np.append(self.begins, len(self.target))))


def fit(domains: Sequence[Lists], signs: Sequence[int], prior: Floats, ridge: Floats) -> Floats:
    """Weights that make what is relevant likely, none on the wrong side of 0 (``signs``; 0: either). ``ridge``: how much each is held to its ``prior``."""
    sides = np.array(signs)
    weights, here = prior.copy(), _loss(domains, prior, prior, ridge)
    for _ in range(STEPS):
        value, slope, curve = here
        held = (sides != 0) & (weights == 0.0) & (slope * sides >= 0.0)  # would be pushed to the wrong side
        free = ~held
        step = np.zeros_like(weights)
        step[free] = -np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        size, moved, there = 1.0, weights, here
        while there[0] >= value:
            if size <= ENOUGH:
                return weights
            moved = weights + size * step
            moved[moved * sides < 0.0] = 0.0
            there = _loss(domains, moved, prior, ridge)
            size /= 2.0
        weights, here = moved, there
        if value - there[0] < ENOUGH:
            break
    return weights


def _loss(domains: Sequence[Lists], weights: Floats, prior: Floats, ridge: Floats) -> tuple[float, Floats, Floats]:
    """Cross entropy between relevance and the softmax of the scores, its slope and its curvature."""
    apart = weights - prior
    value, slope, curve = 0.5 * float(ridge @ apart**2), ridge * apart, np.diag(ridge)
    for each in domains:
        scores, question = each.features @ weights, each.question
        worth = np.broadcast_to(each.weight, each.begins.shape)
        by_row = worth[question]
        scores -= np.maximum.reduceat(scores, each.begins)[question]
        likely = np.exp(scores)
        whole = np.add.reduceat(likely, each.begins)
        likely /= whole[question]
        value -= float((by_row * each.target) @ (scores - np.log(whole)[question]))
        slope = slope + each.features.T @ (by_row * (likely - each.target))
        mean = np.add.reduceat(each.features * likely[:, None], each.begins)
        spread = (each.features.T * (by_row * likely)) @ each.features - (mean.T * worth) @ mean
        curve = curve + spread
    return value, slope, curve
