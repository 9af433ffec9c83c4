"""What each part of ranking brings: the shipped configuration with one part at a time taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.model import Ranking
from orchestrator.rank import (
    STAGES,
    RankContext,
    RankingConfig,
    Stage,
    cut,
    dedupe,
    fuse,
    learned,
    match,
    merge_twins,
    order,
    surround,
    weigh,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Variant = tuple[str, RankingConfig, tuple[Stage, ...]]


def ablation(config: RankingConfig) -> Iterator[Variant]:
    """The whole first, then each variant: a name, a configuration, a tuple of stages."""
    pieces = {"syllables": 0.0, "side_by_side": 0.0, "said": 0.0}
    yield "as shipped", config, STAGES
    yield "without what was learnt", config, without(learned)
    yield "lists weighted by category only", changed(config, fusion={"unproven": 1.0}), STAGES
    yield "no weights of categories", config.model_copy(update={"sources": even(config).sources}), STAGES
    yield "without the match", config, without(match)
    yield "without relevance", changed(config, relevance={"floor": 1.0}), STAGES
    yield "without the four factors", changed(config, fusion={"share": 1.0}), STAGES
    yield "without the fused rank", changed(config, fusion={"share": 0.0}), STAGES
    yield "words only, no pieces", changed(config, keywords=pieces), STAGES
    yield "names count as any word", changed(config, keywords={"entity": 1.0}), STAGES
    yield "a missing name costs nothing", changed(config, keywords={"unnamed": 1.0}), STAGES
    yield "automatic messages count in full", changed(config, keywords={"notice": 1.0}), STAGES
    yield "without the surroundings", config, without(surround)
    yield "surroundings without the time", changed(config, surroundings={"near": 0.0}), STAGES
    yield "without merging twins", config, without(merge_twins)
    yield "evidence-weighted fusion alone", config, (dedupe, merge_twins, match, fuse, order, cut)
    yield "match alone", changed(config, fusion={"share": 1.0}), (dedupe, merge_twins, match, by_match, order, cut)
    yield "rank fusion, all lists equal", even(config), (dedupe, merge_twins, fuse, order, cut)


def changed(config: RankingConfig, **changes: Mapping[str, Any]) -> RankingConfig:
    """The configuration with some numbers of some sections changed."""
    sections = {name: getattr(config, name).model_copy(update=dict(values)) for name, values in changes.items()}
    return config.model_copy(update=sections)


def even(config: RankingConfig) -> RankingConfig:
    """All sources and rungs worth the same."""
    worth = {kind: dict.fromkeys(table, 1.0) for kind, table in config.sources.items()}
    return changed(config, fusion={"broadening": 1.0, "unproven": 1.0}).model_copy(update={"sources": worth})


def without(stage: Stage) -> tuple[Stage, ...]:
    """The shipped stages but one."""
    return tuple(each for each in STAGES if each is not stage)


def by_match(ranking: Ranking, context: RankContext) -> Ranking:
    """A stage for comparison: the match is the score."""
    alone = changed(context.config, relevance={"floor": 0.0})
    flat = RankContext(context.query, context.now, context.plan, alone)
    same = tuple(each.scored(1.0) for each in ranking.results)
    return weigh(Ranking(same, ranking.dropped), flat)
