"""The numbers of ranking, as ``config/ranking.toml`` holds them; every one is checked when it is read."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt, ValidationError, model_validator

from connectors.errors import Misconfigured
from translators.query import Category, QueryType

if TYPE_CHECKING:
    from pathlib import Path

NOTHING: Mapping[str, Any] = MappingProxyType({})
RoleName = Annotated[str, Field(pattern=r"^[a-z_]+$")]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fusion(_Section):
    """``share``: how much of the final score the fused rank is; ``broadening``: what a list keeps per rung.

    A list counts by its best ``judged`` hits: ``unproven + (1 - unproven) * (their match / the best list's) ** power``.
    """

    k: PositiveInt
    broadening: Share
    share: Share
    judged: PositiveInt
    power: PositiveFloat
    unproven: Share


class Relevance(_Section):
    """How far a score is cut for matching less than the best: ``floor + (1 - floor) * (match / best) ** power``."""

    floor: Share
    power: PositiveFloat


class RankLimits(_Section):
    """``results`` kept at most; ``text``: characters of a snippet that are read."""

    results: PositiveInt
    text: PositiveInt


class FactorWeights(_Section):
    """What each of the four factors counts for one type of question; they sum to 1."""

    keywords: Share
    freshness: Share
    authority: Share
    completeness: Share

    @model_validator(mode="after")
    def _sum_to_one(self) -> Self:
        total = math.fsum((self.keywords, self.freshness, self.authority, self.completeness))
        if not math.isclose(total, 1.0, abs_tol=1e-9):
            raise ValueError(f"the four weights of a type must sum to 1, these sum to {total:g}")
        return self


class KeywordWorth(_Section):
    """What finding a word is worth, by where and how it was found.

    ``saturation`` and ``length`` are BM25's k1 and b for pieces: how soon repeats stop to count, how much long texts are
    discounted. ``syllables``, ``side_by_side`` and ``said`` are the weights of pieces (see :mod:`orchestrator.rank.wanted`).
    ``spoken`` is ``untitled`` for the types of question that are answered in conversations first.
    ``unnamed`` is what a match keeps for each missing name, ``notice`` what that of an automatic message does.
    """

    title: Share
    body: Share
    untitled: Share
    spoken: dict[QueryType, Share]
    names: Share
    variant: Share
    compound: Share
    entity: PositiveFloat
    phrase: PositiveFloat
    id: PositiveFloat
    saturation: PositiveFloat
    length: Share
    syllables: Share
    side_by_side: Share
    said: Share
    unnamed: Share
    notice: Share

    def asked_for(self, kind: QueryType) -> KeywordWorth:
        """The same for one type of question."""
        return self.model_copy(update={"untitled": self.spoken[kind]}) if kind in self.spoken else self


class Surroundings(_Section):
    """What counts for each message of a place where ``least`` were found.

    ``share`` of the mean match of its best ``hits``; and ``near`` of the match of another that was written at the same
    time, half of it ``hours`` before or after. ``thread``: of the best match of its own thread, wherever that stands.
    """

    share: Share
    hits: PositiveInt
    least: PositiveInt
    near: Share
    thread: Share
    hours: PositiveFloat


class Notices(_Section):
    """How messages ``begin`` that a chat writes by itself, behind a name; ``{place}`` stands for the place's own."""

    begin: tuple[str, ...]


class Decay(_Section):
    """``half_life`` in days; ``weight`` of recency in :func:`orchestrator.rank.factors.boost`."""

    weight: Share
    half_life: PositiveFloat


class Recency(_Section):
    """Decay by source name or category (``unknown`` is required), and how far each type stretches half-lives."""

    missing: Share
    sources: dict[str, Decay]
    stretch: dict[QueryType, PositiveFloat]

    @model_validator(mode="after")
    def _knows_the_unknown(self) -> Self:
        if "unknown" not in self.sources:
            raise ValueError("recency.sources.unknown is missing: it stands for every source not named")
        return self

    def decay(self, source: str, category: Category | None) -> Decay:
        """For one source: by its own name, else its category, else ``unknown``."""
        return self.sources.get(source) or self.sources.get(category or "unknown") or self.sources["unknown"]


class RoleRule(_Section):
    """What a hit shows itself to be: in one of ``categories``, with one of the words in its title or text if there are any.

    ``days``: how old it may be at most; None as old as it likes.
    """

    categories: frozenset[Category]
    title: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    days: PositiveFloat | None = None

    @model_validator(mode="after")
    def _shows_something(self) -> Self:
        if not (self.title or self.text or self.days):
            raise ValueError(
                "a role needs words (title, text) or an age (days); else every hit of its categories has it"
            )
        return self


class Authority(_Section):
    """A ladder per type: category or role to a step between 0 and 1; ``other`` is what no ladder names."""

    other: Share
    ladders: dict[QueryType, dict[str, Share]]
    roles: dict[RoleName, RoleRule]

    @model_validator(mode="after")
    def _names_known_steps(self) -> Self:
        known = {*Category, *self.roles}
        unknown = sorted({step for ladder in self.ladders.values() for step in ladder} - known)
        if unknown:
            raise ValueError(
                f"authority.ladders name {', '.join(unknown)}: neither a category nor one of authority.roles"
            )
        return self


class Completeness(_Section):
    """What each part of a readable result counts; they sum to 1. ``enough``: characters of a full text."""

    length: Share
    titled: Share
    dated: Share
    authored: Share
    linked: Share
    enough: PositiveInt


class Twins(_Section):
    """When two texts are the same: Jaccard ``similarity`` of shingles, from so many ``words`` on.

    ``copies_begin``, ``copies_end``: how a title begins or ends that says that it is a copy, in lower case; so does a number in brackets.
    """

    similarity: Annotated[float, Field(gt=0.5, le=1.0)]
    words: PositiveInt
    copies_begin: tuple[str, ...]
    copies_end: tuple[str, ...]


class Semantic(_Section):
    """What nearness in meaning is worth where question and hit are not in the same language, as a share of the best match.

    ``across``: what the nearest has, others in proportion; a nearest whose cosine is below ``sure`` is not sure to mean the
    same and has less. Hits that match at least ``below`` by their words keep that. ``characters`` of each of the best ``results`` are read, in ``budget`` seconds.
    """

    across: Share
    below: Share
    sure: Annotated[float, Field(gt=0.0, le=1.0)]
    characters: PositiveInt
    results: PositiveInt
    budget: PositiveFloat


class Matters(_Section):
    """When two results of different sources are about the same matter.

    One points at the other among at most ``pointers`` addresses and keys, or they share ``words`` words that make up
    ``share`` of the shorter by rarity; both within ``days``. From ``template`` of all words on they are the same sentence
    about something else. ``takes_back``: words (in lower case) that show a revision. The first ``results`` are compared,
    and of each so many ``characters``.
    """

    share: Share
    words: PositiveInt
    days: PositiveFloat
    pointers: PositiveInt
    template: Share
    results: PositiveInt
    characters: PositiveInt
    takes_back: tuple[str, ...]


Helps = Annotated[float, Field(ge=0.0)]
Harms = Annotated[float, Field(le=0.0)]


class FeatureWeights(_Section):
    """What each feature (:mod:`orchestrator.rank.features`) is worth; 0 is not looked at.

    The direction is no matter of data: more of the question's words never lowers a result, to ask oneself never lifts it.
    """

    match: Helps = 0.0
    keywords: Helps = 0.0
    fused: Helps = 0.0
    freshness: Helps = 0.0
    authority: Helps = 0.0
    completeness: Helps = 0.0
    around: Helps = 0.0
    meaning: Helps = 0.0
    coverage: Helps = 0.0
    rare_words: Helps = 0.0
    rare_words_in_title: Helps = 0.0
    rarest: Helps = 0.0
    names_held: Helps = 0.0
    precise: Helps = 0.0
    place_named: Helps = 0.0
    place_match: Helps = 0.0
    talk: Helps = 0.0
    talk_match: Helps = 0.0
    native_rank: Helps = 0.0
    as_asked: Helps = 0.0
    sources: Helps = 0.0
    source_best: Helps = 0.0
    best_in_source: Helps = 0.0
    newest: Helps = 0.0
    asks: Harms = 0.0
    notice: Harms = 0.0
    strange: Harms = 0.0

    def known(self) -> Mapping[str, float]:
        """Those that count."""
        return {name: weight for name in type(self).model_fields if (weight := getattr(self, name))}


class LearnedOrder(_Section):
    """How far features count beside the formula: not at all up to ``few`` results, in full from ``many``, between them by the order of magnitude.

    ``most``: so many of the best by the formula are looked at. ``formula``: its own weight. Without ``weights`` it stands alone.
    """

    few: PositiveInt
    many: PositiveInt
    most: PositiveInt
    formula: PositiveFloat
    weights: FeatureWeights = FeatureWeights()

    @model_validator(mode="after")
    def _few_are_fewer(self) -> Self:
        if self.few >= self.many:
            raise ValueError(f"few ({self.few}) must be less than many ({self.many})")
        return self

    def counts(self, results: int) -> float:
        """The share of the learnt order among so many results, 0 to 1."""
        if results <= self.few or not self.weights.known():
            return 0.0
        return min(1.0, math.log(results / self.few) / math.log(self.many / self.few))


class RankingConfig(_Section):
    """Everything that can be tuned about ranking; frozen, and complete for all seven types of question."""

    fusion: Fusion
    relevance: Relevance
    limits: RankLimits
    weights: dict[QueryType, FactorWeights]
    keywords: KeywordWorth
    surroundings: Surroundings
    notices: Notices
    recency: Recency
    authority: Authority
    completeness: Completeness
    sources: dict[QueryType, dict[Category, Share]]
    twins: Twins
    semantic: Semantic
    matters: Matters
    learned: LearnedOrder

    @model_validator(mode="after")
    def _covers_every_type(self) -> Self:
        tables: dict[str, Mapping[QueryType, object]] = {
            "weights": self.weights,
            "recency.stretch": self.recency.stretch,
            "authority.ladders": self.authority.ladders,
            "sources": self.sources,
        }
        for name, table in tables.items():
            missing = [each.value for each in QueryType if each not in table]
            if missing:
                raise ValueError(f"{name} says nothing for {', '.join(missing)}")
        return self

    @classmethod
    def from_toml(cls, text: str) -> RankingConfig:
        """Read TOML; raises ``tomllib.TOMLDecodeError`` or ``pydantic.ValidationError``, which name the place."""
        return cls.model_validate(tomllib.loads(text))

    def with_numbers(self, own: Mapping[str, Any]) -> Self:
        """The same with these numbers in place of its own. Raises ``pydantic.ValidationError``."""
        return self.model_validate(_laid_over(self.model_dump(), own)) if own else self

    @classmethod
    def load(cls, path: Path, own: Mapping[str, Any] = NOTHING) -> RankingConfig:
        """Read a file, with a site's ``own`` numbers in place of its; for the composition root, the one caller that may do I/O here.

        Raises ``OSError`` besides what :meth:`from_toml` does, and :class:`Misconfigured` for numbers of the site's own.
        """
        try:
            return cls.model_validate(_laid_over(tomllib.loads(path.read_text("utf-8")), own))
        except ValidationError as failure:
            if not own:
                raise
            first = failure.errors(include_url=False)[0]
            place = ".".join(("ranking", "numbers", *map(str, first["loc"])))
            raise Misconfigured(f"setting {place}: {first['msg']}") from None


def _laid_over(values: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, **{name: _over(values.get(name), each) for name, each in own.items()}}


def _over(value: Any, own: Any) -> Any:
    return _laid_over(value, own) if isinstance(value, Mapping) and isinstance(own, Mapping) else own
