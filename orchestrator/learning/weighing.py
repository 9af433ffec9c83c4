"""From judgments to numbers of ranking: one listwise fit of the formula's weights and the learnt order's, near to what they are now.

The place in which a result stood is one more feature of the fit, and is left out of what is kept (the position-based model: Craswell et al., WSDM 2008;
the power of the rank: Joachims, Swaminathan, Schnabel, WSDM 2017). So what people do only because something stands first teaches nothing but that.

The fit is the one listwise regression (ListNet: Cao et al., ICML 2007), by Newton's method, with signs where they are given. Orders by other
numbers are worked out anew by the same sums as in a search (:mod:`orchestrator.rank`), over the same few.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.answer.ordering import SENTENCES, best_of_tiers, in_order
from orchestrator.model import AUTHORITY, COMPLETENESS, FRESHNESS, KEYWORDS
from orchestrator.rank.factors import BLENDED, formula_of
from orchestrator.rank.learned import given_out
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from orchestrator.learning.impressions import Impression, ImpressionItem
    from orchestrator.learning.judgments import GradedImpression
    from orchestrator.rank import RankingConfig
    from orchestrator.rank.config import FactorWeights
    from translators.query import QueryType

    Floats = NDArray[np.float64]


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
    columns = {name: [item.factors[name] for item in shown.items] for name in (*BLENDED, "fused")}
    return formula_of(columns, columns["fused"], weights, share)


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


MOVED = (FRESHNESS, AUTHORITY, COMPLETENESS)  # weight that these gain, the keywords lose
FARTHEST = 0.25  # that a factor's weight may move
STEEPEST = 6.0  # that a feature of the learnt order may weigh
SOME = 10  # judgments of a type of question from which its weights move with those of all, and
OFTEN = 40  # from which it has moves of its own
DIGITS = 3
EXAMINED = 0.5  # how fast looks fall with the place, to begin with: 1 / rank ** 0.5
# How strongly each is held to where it begins, as the inverse of the square by which it may usually move.
HELD = 1e6
SCALE, PLACE, FORMULA, FEATURE = 0.1, 4.0, 4.0, 1.0
FACTOR, FACTOR_OF_TYPE = 16.0, 48.0


@record
class FittedNumbers:
    """``numbers``: tables as in ``config/ranking.toml``, only what differs. ``examined``: looks at a place fall with its rank to this power."""

    numbers: Mapping[str, Any]
    examined: float


def fitted(judged: Sequence[GradedImpression], config: RankingConfig, kept: Collection[str] = ()) -> FittedNumbers:
    """``config``: where everything begins; ``kept``: tables that a site has set by hand, which stay (``weights.decision``, ``learned``)."""
    usable = [each for each in judged if each.shown.is_ours]
    if not usable:
        return FittedNumbers({}, EXAMINED)
    columns = _Columns(usable, config)
    scale, examined = columns.scale()
    weights = columns.learn(scale, examined)
    numbers: dict[str, Any] = {}
    by_type = columns.moved_by_type(weights, kept)
    if by_type:
        numbers["weights"] = by_type
    if "learned" not in kept and (learned := columns.learned(weights)):
        numbers["learned"] = learned
    return FittedNumbers(numbers, min(1.0, float(weights[0])))


class _Columns:
    """All judged results as rows. Columns: place, formula of few results, formula of many, moves of all types, of each frequent type, features."""

    def __init__(self, judged: Sequence[GradedImpression], config: RankingConfig) -> None:
        self._config = config
        self._counts = Counter(each.shown.type for each in judged)
        self.types: tuple[QueryType, ...] = tuple(
            sorted(kind for kind, count in self._counts.items() if count >= OFTEN)
        )
        self.features = tuple(config.learned.weights.known())
        lists = [self._rows(each) for each in judged]
        self._rows_of_all = np.concatenate(lists)
        sizes = [len(each) for each in lists]
        self._begins = np.cumsum([0, *sizes[:-1]])
        grades = [np.array(each.grades) / sum(each.grades) for each in judged]
        self._target = np.concatenate(grades)
        weights = np.array([each.weight for each in judged])
        self._weight = weights / weights.mean()

    def _rows(self, each: GradedImpression) -> Floats:
        config, items = self._config, each.shown.items
        scores = np.array(formulas(each.shown, config))
        many = any(item.features for item in items)
        # A score counts as :func:`orchestrator.learning.weighing.order_of` has it count: of many as a share of the best, of a few as what is kept of it.
        kept = np.ones(len(items)) if many else np.array([item.kept for item in items])
        share = kept / best_of_tiers([*(scores * kept)], [0.0 if many else item.tier for item in items])
        worth = scores * share + SENTENCES * np.array([item.sentence for item in items])
        moved = np.array([self._moves(item.factors) for item in items]) * share[:, None]
        moves = moved * config.learned.formula * (1.0 - config.fusion.share)
        own = [moves * float(each.shown.type == kind) for kind in self.types]
        features = np.array([[item.features.get(name, 0.0) for name in self.features] for item in items])
        place = -np.log(np.arange(1, len(items) + 1))
        return np.column_stack([place, worth * (not many), scores * share * many, moves, *own, features])

    @staticmethod
    def _moves(factors: Mapping[str, float]) -> list[float]:
        return [factors["relevance"] * (factors[name] - factors[KEYWORDS]) for name in MOVED]

    @property
    def _formula(self) -> float:
        return self._config.learned.formula

    def _prior(self) -> Floats:
        moves = [0.0] * (len(MOVED) * (1 + len(self.types)))
        known = self._config.learned.weights.known()
        return np.array([EXAMINED, self._formula, self._formula, *moves, *(known[name] for name in self.features)])

    def scale(self) -> tuple[float, float]:
        """How sharply people choose by the present order, and how fast looks fall with the place."""
        present = self._rows_of_all[:, 1:] @ self._prior()[1:]
        rows = np.column_stack([self._rows_of_all[:, 0], present])
        lists = [Lists(rows, self._target, self._begins, self._weight)]
        place, scale = fit(lists, (1, 1), np.array([EXAMINED, 1.0]), np.array([PLACE, SCALE]))
        return max(0.2, float(scale)), float(place)

    def learn(self, scale: float, examined: float) -> Floats:
        """The weight of each column. A weight is held the less the more sharply people choose: then a small move shows."""
        rows = self._rows_of_all.copy()
        rows[:, 1:] *= scale
        known = self._config.learned.weights.known()
        signs = [
            1,
            1,
            1,
            *([0] * (len(MOVED) * (1 + len(self.types)))),
            *(1 if known[name] > 0 else -1 for name in self.features),
        ]
        held = [FACTOR] * len(MOVED) + [FACTOR_OF_TYPE] * (len(MOVED) * len(self.types))
        ridge = np.array([PLACE, HELD, FORMULA, *held, *([FEATURE] * len(self.features))])
        prior = self._prior()
        prior[0] = examined
        return fit([Lists(rows, self._target, self._begins, self._weight)], signs, prior, ridge)

    def moved_by_type(self, weights: Floats, kept: Collection[str]) -> dict[str, dict[str, float]]:
        """The four factors of each type, where they differ from what they were."""
        shared, own = weights[3 : 3 + len(MOVED)], weights[3 + len(MOVED) :]
        told = {}
        for kind, before in self._config.weights.items():
            if f"weights.{kind}" in kept or self._counts[kind] < SOME:
                continue
            moves = shared.copy()
            if kind in self.types:
                first = self.types.index(kind) * len(MOVED)
                moves = moves + own[first : first + len(MOVED)]
            after = _within(before, moves)
            if after != before.model_dump():
                told[str(kind)] = after
        return told

    def learned(self, weights: Floats) -> dict[str, Any]:
        """The numbers of the learnt order, where anything was found that it had a say in."""
        if not self._rows_of_all[:, 2].any():
            return {}
        known = self._config.learned.weights.known()
        first = len(weights) - len(self.features)
        found = {
            name: round(float(np.clip(value, -STEEPEST, STEEPEST)), DIGITS)
            for name, value in zip(self.features, weights[first:], strict=True)
        }
        formula = round(float(np.clip(weights[2], self._formula / 2, self._formula * 2)), DIGITS)
        changed = {name: value for name, value in found.items() if value != known[name]}
        return {"formula": formula, "weights": changed} if changed or formula != self._formula else {}


def _within(before: FactorWeights, moves: Floats) -> dict[str, float]:
    """The weights after the moves: none below 0, none farther than :data:`FARTHEST`, in sum 1."""
    wished = {name: getattr(before, name) + float(move) for name, move in zip(MOVED, moves, strict=True)}
    wished["keywords"] = before.keywords - float(moves.sum())
    bounded = {
        name: min(max(value, 0.0, getattr(before, name) - FARTHEST), getattr(before, name) + FARTHEST)
        for name, value in wished.items()
    }
    whole = sum(bounded.values())
    most = max(bounded, key=bounded.__getitem__)  # takes what rounding leaves
    rounded = {name: round(value / whole, DIGITS) for name, value in bounded.items() if name != most}
    return {**rounded, most: round(1.0 - sum(rounded.values()), DIGITS)}
