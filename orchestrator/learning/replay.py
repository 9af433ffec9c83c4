"""The order of what was shown, worked out anew by other numbers: the same sums as in a search (:mod:`orchestrator.rank`), over the same few."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.ordering import in_order
from orchestrator.rank.factors import formula_of
from orchestrator.rank.learned import given_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.learning.impressions import Impression, ImpressionItem
    from orchestrator.rank import RankingConfig


def order_of(shown: Impression, config: RankingConfig) -> tuple[int, ...]:
    """The places, best first; as they were shown where the order was not by our weights."""
    items = shown.items
    if not shown.is_ours:
        return tuple(range(len(items)))
    scores = _learnt(items, formulas(shown, config), config)
    kept = [score * item.kept for score, item in zip(scores, items, strict=True)]
    return tuple(in_order(kept, [item.sentence for item in items], [item.tier for item in items]))


def formulas(shown: Impression, config: RankingConfig) -> list[float]:
    """What the formula makes of each result."""
    weights, share = config.weights[shown.type], config.fusion.share
    return [formula_of(item.factors, item.factors["fused"], weights, share) for item in shown.items]


def _learnt(items: Sequence[ImpressionItem], scores: list[float], config: RankingConfig) -> list[float]:
    """The scores given out anew in the learnt order, where that counted."""
    if not any(item.features for item in items):
        return scores
    weights, best = config.learned.weights.known(), max(scores) or 1.0
    sums = [
        config.learned.formula * score / best
        + sum(weights.get(name, 0.0) * value for name, value in item.features.items())
        for item, score in zip(items, scores, strict=True)
    ]
    return [score for _, score in sorted(given_out(sums, scores))]
