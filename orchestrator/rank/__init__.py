"""Many lists, one order: a tuple of pure functions from Ranking to Ranking. No I/O, no clock.

``collect`` turns outcomes into an unscored Ranking (and sets aside what fails the question); each stage then does one
thing to it. Anyone can pass another tuple.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.collect import collect
from orchestrator.rank.config import RankingConfig
from orchestrator.rank.cut import cut
from orchestrator.rank.dedupe import dedupe
from orchestrator.rank.explain import explain
from orchestrator.rank.factors import weigh
from orchestrator.rank.fuse import fuse
from orchestrator.rank.match import match
from orchestrator.rank.order import order
from orchestrator.rank.rungs import order_rungs
from orchestrator.rank.stage import RankContext, Stage
from orchestrator.rank.twins import merge_twins

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.model import Outcome, Ranking

__all__ = [
    "STAGES",
    "RankContext",
    "RankingConfig",
    "Stage",
    "canonical_url",
    "collect",
    "cut",
    "dedupe",
    "explain",
    "fuse",
    "match",
    "merge_twins",
    "order",
    "order_rungs",
    "rank",
    "weigh",
]

STAGES: tuple[Stage, ...] = (dedupe, merge_twins, match, fuse, weigh, order_rungs, order, cut, explain)


def rank(outcomes: Iterable[Outcome], context: RankContext, stages: tuple[Stage, ...] = STAGES) -> Ranking:
    """What was found, in order. Total: the same outcomes give the same ranking, in whatever order they arrived."""
    return reduce(lambda ranking, stage: stage(ranking, context), stages, collect(outcomes, context))
