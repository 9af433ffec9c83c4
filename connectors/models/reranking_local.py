"""Reranking without any service: words in common, weighed by how rare they are here, and nearness in meaning."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from typing import TYPE_CHECKING

from connectors.models.reranking import RelevanceScore
from connectors.passages import opening
from translators.inflection import stem
from translators.match import HANGUL, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.models.embedding import Embedder
    from connectors.models.reranking import JudgedDocument

MEANING = 0.15  # what nearness in meaning counts beside words in common
READ = 240  # characters of a text that its meaning is taken from: thirty texts of a thousand would take seconds
SATURATION, LENGTH = 1.2, 0.5  # BM25's k1 and b


class LocalReranker:
    """BM25 over the documents at hand and the cosine of ``embedder``, each as a share of the best, in one sum.

    A Korean word counts by its pairs of syllables, since endings and particles follow it without a blank; an English one by
    its stem.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.name = f"local/{embedder.name}" if embedder else "local"
        self._embedder = embedder

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        # Two hundred long texts take a tenth of a second, in which the event loop has others to serve.
        shared = shares(await asyncio.to_thread(word_scores, query, [each.text for each in documents]))
        near = await self._nearness(query, documents)
        scores = (
            [(1 - MEANING) * one + MEANING * other for one, other in zip(shared, near, strict=True)] if near else shared
        )
        judged = (RelevanceScore(each.id, scores[index], index) for index, each in enumerate(documents))
        return sorted(judged, key=lambda each: (-each.score, each.index))[:top_n]

    async def aclose(self) -> None:
        """Nothing of its own to release; whoever gave the embedder closes it."""

    async def _nearness(self, query: str, documents: Sequence[JudgedDocument]) -> list[float]:
        if self._embedder is None:
            return []
        passages = await self._embedder.embed_passages([opening(each.text, READ) for each in documents])
        asked = await self._embedder.embed_queries([query])
        return shares([max(0.0, float(each)) for each in passages @ asked[0]])


def word_scores(query: str, texts: Sequence[str]) -> list[float]:
    """BM25 of each text among ``texts``, 0 and above (Robertson, Zaragoza, 2009)."""
    asked = set(_terms(query))
    counted = [Counter(_terms(text)) for text in texts]
    average = math.fsum(each.total() for each in counted) / max(1, len(counted)) or 1.0
    held = {term: sum(term in each for each in counted) for term in asked}
    rarity = {term: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for term, count in held.items()}
    return [_bm25(each, rarity, each.total() / average) for each in counted]


def _bm25(counted: Counter[str], rarity: dict[str, float], length: float) -> float:
    enough = SATURATION * (1 - LENGTH + LENGTH * length)
    return math.fsum(
        worth * counted[term] * (SATURATION + 1) / (counted[term] + enough) for term, worth in rarity.items()
    )


def _terms(text: str) -> Iterator[str]:
    for word in words(text):
        if HANGUL.match(word) and len(word) > 1:
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield stem(word)


def shares(values: Sequence[float]) -> list[float]:
    """Each as a share of the best."""
    best = max(values, default=0.0)
    return [value / best for value in values] if best > 0.0 else [0.0] * len(values)
