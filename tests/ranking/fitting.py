"""Listwise regression (ListNet: Cao et al., ICML 2007) with signs that are given: Newton's method on those weights that are free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

STEPS = 60
ENOUGH = 1e-9  # by which a step must at least lower the loss


@dataclass(frozen=True, slots=True)
class Lists:
    """Questions of one domain: a row a result, and of each result the share of its question's relevance. ``weight``: of each question."""

    features: NDArray[np.float64]
    target: Floats
    begins: NDArray[np.int64]
    weight: float

    @property
    def question(self) -> NDArray[np.int64]:
        """Of each result."""
        return np.repeat(np.arange(len(self.begins)), np.diff(np.append(self.begins, len(self.target))))


def fit(domains: Sequence[Lists], signs: Sequence[int], prior: Floats, ridge: Floats) -> Floats:
    """Weights that make what is relevant likely, none on the wrong side of 0. ``ridge``: how much each is held to its ``prior``."""
    signs_ = np.array(signs)
    weights = prior.copy()
    value, slope, curve = _loss(domains, weights, prior, ridge)
    for _ in range(STEPS):
        held = (weights == 0.0) & (slope * signs_ >= 0.0)  # would be pushed to the wrong side
        free = ~held
        step = np.zeros_like(weights)
        step[free] = -np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        size = 1.0
        while size > ENOUGH:
            moved = weights + size * step
            moved[moved * signs_ < 0.0] = 0.0
            lower = _loss(domains, moved, prior, ridge)
            if lower[0] < value:
                break
            size /= 2.0
        else:
            return weights
        gained, weights, (value, slope, curve) = value - lower[0], moved, lower
        if gained < ENOUGH:
            break
    return weights


def _loss(domains: Sequence[Lists], weights: Floats, prior: Floats, ridge: Floats) -> tuple[float, Floats, Floats]:
    """Cross entropy between relevance and the softmax of the scores, its slope and its curvature."""
    apart = weights - prior
    value, slope, curve = 0.5 * float(ridge @ apart**2), ridge * apart, np.diag(ridge)
    for each in domains:
        scores, question = each.features @ weights, each.question
        scores -= np.maximum.reduceat(scores, each.begins)[question]
        likely = np.exp(scores)
        whole = np.add.reduceat(likely, each.begins)
        likely /= whole[question]
        value -= each.weight * float(each.target @ (scores - np.log(whole)[question]))
        slope = slope + each.weight * (each.features.T @ (likely - each.target))
        mean = np.add.reduceat(each.features * likely[:, None], each.begins)
        spread = (each.features.T * likely) @ each.features - mean.T @ mean
        curve = curve + each.weight * spread
    return value, slope, curve
