"""The numbers of the pipeline, read once from ``pipeline.toml``; settings may replace some."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveFloat, PositiveInt

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Form = Literal["mix", "boost"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Candidates(_Part):
    """How many chunks each search hands on; for the others see the two searches in :mod:`connectors.local.retrieval`."""

    semantic: PositiveInt
    exactly: PositiveInt
    words: PositiveInt
    weighed: PositiveInt
    enough: PositiveInt


class Nearness(_Part):
    """From which cosine on a chunk is near enough to be found though it holds no word of the question, by model."""

    enough: dict[str, float]

    def floor(self, model: str) -> float:
        """That of a model; one that has not been measured has none."""
        return self.enough.get(model, -1.0)


class Bm25(_Part):
    """k1 and b; and what words of the question that stand side by side count besides."""

    saturation: PositiveFloat
    length: Share
    pairs: NonNegativeFloat


class Conversation(_Part):
    """What the messages around a message count, and how far around, in hours."""

    hours: NonNegativeFloat
    share: NonNegativeFloat


class Rrf(_Part):
    """Reciprocal rank fusion (Cormack, Clarke, Buettcher, SIGIR 2009)."""

    k: PositiveInt


class Rerank(_Part):
    """How many of the best are put before the reranker."""

    top: PositiveInt


class Url(_Part):
    """What nearness to a document's address counts beside nearness to its text."""

    weight: NonNegativeFloat


class Decay(_Part):
    """How fast a source's documents age, in days, and what that counts."""

    weight: Share
    half_life: PositiveFloat

    def recency(self, age: float) -> float:
        """``e^(-λ·age)`` with ``λ = ln 2 / half-life``; an age below 0 (a date in the future) counts as 0."""
        return float(2.0 ** (-max(0.0, age) / self.half_life))


class Recency(_Part):
    """The decay of each source, what a document without a date gets, and how recency meets relevance."""

    form: Form
    missing: Share
    sources: dict[str, Decay]

    def decay(self, source: str) -> Decay:
        """A source that is not listed ages like an unknown one."""
        return self.sources.get(source) or self.sources["unknown"]

    def final(self, relevance: float, recency: float, weight: float) -> float:
        """A score from 0 to 1: both in shares (``mix``), or relevance and up to ``weight`` times as much again (``boost``).

        Mixed, what is old in a source that ages fast comes after whatever does not; boosted, it stays where its relevance puts it.
        """
        if self.form == "mix":
            return (1 - weight) * relevance + weight * recency
        most = 1 + max(each.weight for each in self.sources.values())
        return relevance * (1 + weight * recency) / most

    def preview(self, source: str, ages: tuple[float, ...] = (0, 1, 7, 14, 30, 60, 90)) -> dict[float, float]:
        """How recent something is at each age in days."""
        decay = self.decay(source)
        return {age: decay.recency(age) for age in ages}


class Numbers(_Part):
    """Everything that ``pipeline.toml`` says."""

    candidates: Candidates
    nearness: Nearness
    bm25: Bm25
    conversation: Conversation
    rrf: Rrf
    rerank: Rerank
    url: Url
    recency: Recency


@cache
def default_numbers() -> Numbers:
    """The numbers as they are shipped."""
    told = tomllib.loads(resources.files("connectors.local").joinpath("pipeline.toml").read_text("utf-8"))
    return Numbers.model_validate(told)
