"""Many lists, one order: a tuple of pure functions from Ranking to Ranking. No I/O, no clock.

``collect`` turns outcomes into an unscored Ranking (and sets aside what fails the question); each stage then does one
thing to it. Anyone can pass another tuple.
"""

from __future__ import annotations

from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.collect import collect
from orchestrator.rank.config import RankingConfig
from orchestrator.rank.duplicates import addresses, dedupe, merge_copies, merge_twins, said_numbers
from orchestrator.rank.explain import explain
from orchestrator.rank.factors import authority, completeness, freshness, weigh
from orchestrator.rank.fuse import boost_recent, fuse, fuse_plainly
from orchestrator.rank.held import held, named_places
from orchestrator.rank.learned import learned
from orchestrator.rank.match import match, notices
from orchestrator.rank.matters import group_matters
from orchestrator.rank.named import lift_named
from orchestrator.rank.neural import rerank, rerank_top, semantic
from orchestrator.rank.order import cut, order, order_rungs
from orchestrator.rank.own import stand, tell_moved
from orchestrator.rank.stage import RankContext, RankMemo, Stage, texts
from orchestrator.rank.surroundings import surround

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Outcome, Ranking
    from orchestrator.rank.stage import ReadColumn

__all__ = [
    "PROFILES",
    "STAGES",
    "RankContext",
    "RankMemo",
    "RankingConfig",
    "Stage",
    "before_reranking",
    "canonical_url",
    "collect",
    "cut",
    "dedupe",
    "explain",
    "fuse",
    "group_matters",
    "learned",
    "match",
    "merge_copies",
    "merge_twins",
    "order",
    "order_rungs",
    "rank",
    "read_ahead",
    "surround",
    "weigh",
]

STAGES: tuple[Stage, ...] = (
    dedupe,
    merge_copies,
    merge_twins,
    match,
    surround,
    semantic,
    fuse,
    rerank,
    weigh,
    learned,
    stand,
    order_rungs,
    lift_named,
    order,
    cut,
    group_matters,
    explain,
    tell_moved,
)

# Ways to rank, by name. "formula" leaves out what was learnt; "recency_boost" is that of the local index: plain rank fusion,
# reranker, recency boost.
PROFILES: Mapping[str, tuple[Stage, ...]] = MappingProxyType(
    {
        "factors": STAGES,
        "formula": tuple(stage for stage in STAGES if stage is not learned),
        "recency_boost": (
            dedupe,
            merge_copies,
            merge_twins,
            fuse_plainly,
            order,
            rerank_top,
            boost_recent,
            stand,
            lift_named,
            order,
            cut,
            group_matters,
            explain,
            tell_moved,
        ),
    }
)
RERANKING = frozenset({rerank, rerank_top})


def before_reranking(stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """The stages that a reranker's candidates come from, in order; none of a tuple that does not rerank."""
    places = [place for place, stage in enumerate(stages) if stage in RERANKING]
    return (*stages[: places[0]], order) if places else ()


COLUMNS: tuple[ReadColumn, ...] = (
    texts,
    addresses,
    said_numbers,
    held,
    named_places,
    notices,
    freshness,
    authority,
    completeness,
)
"""What stages read of each hit by itself."""


def read_ahead(hits: Sequence[Hit], context: RankContext) -> None:
    """Work out for the memo of ``context`` what ranking will want to know of these hits: while slower sources are awaited, nobody waits for it."""
    for column in COLUMNS:
        context.column(column, hits)


def rank(outcomes: Iterable[Outcome], context: RankContext, stages: tuple[Stage, ...] = STAGES) -> Ranking:
    """What was found, in order. Total: the same outcomes give the same ranking, in whatever order they arrived."""
    return reduce(lambda ranking, stage: stage(ranking, context), stages, collect(outcomes, context))
