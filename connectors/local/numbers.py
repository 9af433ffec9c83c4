"""The numbers of the pipeline, read once from ``pipeline.toml``; settings may replace some."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveFloat, PositiveInt, model_validator

from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

Share = Annotated[float, Field(ge=0.0, le=1.0)]
RecencyForm = Literal["mix", "boost"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Candidates(_Part):
    """How many chunks each search hands on; for the others see the two searches in :mod:`connectors.local.retrieval`."""

    semantic: PositiveInt
    exactly: PositiveInt
    words: PositiveInt
    weighed: PositiveInt
    enough: PositiveInt


class NearnessFloor(_Part):
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


class ConversationWeights(_Part):
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
    """What nearness to a document's address counts beside nearness to its text; by model, where that was measured."""

    weight: NonNegativeFloat
    measured: dict[str, NonNegativeFloat] = {}

    def of(self, model: str) -> float:
        """The weight for cosines of a model: of some they lie in a narrower band than of others."""
        return self.measured.get(model, self.weight)


class DocumentDecay(_Part):
    """How fast documents age, in days, and what that counts."""

    weight: Share
    half_life: PositiveFloat

    def recency(self, age: float) -> float:
        """``e^(-λ·age)`` with ``λ = ln 2 / half-life``; an age below 0 (a date in the future) counts as 0."""
        return float(2.0 ** (-max(0.0, age) / self.half_life))


class DocumentRecency(_Part):
    """How things age, what a document without a date gets, and how recency meets relevance (``new``: where what is new is asked for).

    ``things``: the decay of each sort of thing, ``unknown`` for all that ``kinds`` does not name; ``kinds``: which sort a
    document of a kind is. ``collections``: the decay of single collections or sources by name, whatever is in them.
    """

    form: RecencyForm
    new: RecencyForm
    missing: Share
    things: dict[str, DocumentDecay]
    kinds: dict[Kind, str]
    collections: dict[str, DocumentDecay] = {}

    @model_validator(mode="after")
    def _knows_its_things(self) -> Self:
        if unknown := sorted({"unknown", *self.kinds.values()} - set(self.things)):
            raise ValueError(f"recency.things says nothing of {', '.join(unknown)}")
        return self

    def decay(self, source: str, kind: str) -> DocumentDecay:
        """By what a document is, unless something was said of its collection by name."""
        thing = self.kinds.get(Kind(kind)) if kind else None
        return self.collections.get(source) or self.things[thing or "unknown"]

    def told(self, decays: Mapping[str, DocumentDecay], form: RecencyForm | None) -> DocumentRecency:
        """With decays in place of these or beside them: of a sort of thing by its name, else of a collection. ``form``: for every question."""
        things = {name: each for name, each in decays.items() if name in self.things}
        collections = {name: each for name, each in decays.items() if name not in self.things}
        told = {"things": {**self.things, **things}, "collections": {**self.collections, **collections}}
        return self.model_copy(update={**told, "form": form or self.form, "new": form or self.new})

    def final(self, relevance: float, recency: float, weight: float, *, new: bool = False) -> float:
        """A score from 0 to 1: both in shares (``mix``), or relevance and up to ``weight`` times as much again (``boost``).

        Mixed, what is old in a source that ages fast comes after whatever does not; boosted, it stays where its relevance puts it. ``new``: whether
        what is new is asked for.
        """
        if (self.new if new else self.form) == "mix":
            return (1 - weight) * relevance + weight * recency
        most = 1 + max(each.weight for each in (*self.things.values(), *self.collections.values()))
        return relevance * (1 + weight * recency) / most


class Numbers(_Part):
    """Everything that ``pipeline.toml`` says."""

    candidates: Candidates
    nearness: NearnessFloor
    bm25: Bm25
    conversation: ConversationWeights
    rrf: Rrf
    rerank: Rerank
    url: Url
    recency: DocumentRecency


@cache
def default_numbers() -> Numbers:
    """The numbers as they are shipped."""
    told = tomllib.loads(resources.files("connectors.local").joinpath("pipeline.toml").read_text("utf-8"))
    return Numbers.model_validate(told)
