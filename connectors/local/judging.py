"""Reranking by what the index knows already: how much words weigh in what the asker may see, and how near its vectors are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.models.reranking import RelevanceScore
from connectors.models.reranking_local import shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.models.reranking import JudgedDocument

MEANING = 0.35
"""What nearness in meaning counts beside words. More than where texts are read anew: it is stretched, and of whole parts.

Chosen on two sets, believed on two others; from 0.25 to 0.4 nothing changes by more than 0.008 (docs/explanation/local-index.md).
"""

NARROW = 0.02
"""Cosines that lie no further apart are told apart by no more than that: of thirty texts one question in fifty has a narrower band, of two most have."""


class Weighed:
    """The local reranker's sum, with a share of its own, without its reading: rarity is that of all that the asker may see, and texts are not cut.

    ``words``, ``near``: what each document weighs, in order; ``near`` is empty where nothing is known of meaning.
    """

    def __init__(self, name: str, words: Sequence[float], near: Sequence[float]) -> None:
        self.name = name
        self._words, self._near = words, stretched(near)

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        del query
        scores = shares(self._words)
        if self._near:
            scores = [(1 - MEANING) * one + MEANING * other for one, other in zip(scores, self._near, strict=True)]
        judged = (RelevanceScore(each.id, scores[index], index) for index, each in enumerate(documents))
        return sorted(judged, key=lambda each: (-each.score, each.index))[:top_n]

    async def aclose(self) -> None:
        """Nothing to release."""


def stretched(near: Sequence[float]) -> list[float]:
    """From 0 to 1: the cosines of some models lie in a narrow band, where shares of the best show no difference."""
    low, high = min(near, default=0.0), max(near, default=0.0)
    return [1.0 - (high - each) / max(high - low, NARROW) for each in near]
