"""A simulated office: people are shown results in the order of ranking, look from the top, and open what they look for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from orchestrator.learning import Impression, ImpressionItem, Reaction, ReactionEntry, RecordedUse, order_of
from orchestrator.rank import RankingConfig
from translators.query import QueryType

CONFIG = RankingConfig.load(Path(__file__).resolve().parents[4] / "config" / "ranking.toml")
BEGIN = datetime(2026, 9, 1, 9, tzinfo=UTC)
TYPES = (QueryType.FACTUAL, QueryType.DOCUMENT, QueryType.DECISION)
Wish = Callable[[ImpressionItem], float]


@dataclass(frozen=True, slots=True)
class Office:
    """``wish``: how much a person wants a result, ``None``: whatever catches the eye; ``patience``: looks at a place fall with its rank to this power.

    ``many``: whether so much is found that the learnt order counts.
    """

    wish: Wish | None
    patience: float = 0.7
    people: int = 12
    questions: int = 25
    many: bool = False
    did: Reaction = Reaction.OPENED
    seed: int = 1

    def use(self, config: RankingConfig = CONFIG) -> RecordedUse:
        """All that is written down of its days."""
        chance = np.random.default_rng(self.seed)
        shown, reactions = [], []
        for number in range(self.people * self.questions):
            who, at = f"person {number % self.people}", BEGIN + timedelta(hours=number)
            impression = self._shown(chance, who, number, at, config)
            shown.append(impression)
            item = self._chosen(chance, impression.items)
            reactions.append(ReactionEntry(at + timedelta(minutes=1), who, impression.asked[0], self.did, item.key))
        return RecordedUse(tuple(shown), tuple(reactions))

    def _shown(
        self, chance: np.random.Generator, who: str, number: int, at: datetime, config: RankingConfig
    ) -> Impression:
        items = tuple(self._items(chance, number))
        found = Impression(at, who, (f"question {number}",), TYPES[number % len(TYPES)], items)
        ordered = tuple(items[place] for place in order_of(found, config))
        return Impression(found.at, found.who, found.asked, found.type, ordered)

    def _items(self, chance: np.random.Generator, number: int) -> Iterator[ImpressionItem]:
        known = CONFIG.learned.weights.known()
        for place in range(10):
            relevance, fused, keywords, *others = chance.uniform(0.6, 1.0), chance.random(), *chance.random(4)
            factors = dict(
                zip(
                    ("relevance", "fused", "keywords", "freshness", "authority", "completeness"),
                    (relevance, fused, keywords, *others),
                    strict=True,
                )
            )
            features = {name: chance.random() for name in known} if self.many else {}
            yield ImpressionItem(f"item {number} {place}", factors, features)

    def _chosen(self, chance: np.random.Generator, items: Sequence[ImpressionItem]) -> ImpressionItem:
        looks = np.arange(1, len(items) + 1) ** -self.patience
        wishes = np.exp([self.wish(item) for item in items]) if self.wish else np.ones(len(items))
        likely = looks * wishes
        return items[int(chance.choice(len(items), p=likely / likely.sum()))]


def freshest(item: ImpressionItem) -> float:
    """Wants what fits and is new."""
    return 4.0 * item.factors["keywords"] + 6.0 * item.factors["freshness"]


def spoken(item: ImpressionItem) -> float:
    """Wants what is said in a talk about it."""
    return 5.0 * item.features.get("talk", 0.0) - 3.0 * item.features.get("names_held", 0.0)
