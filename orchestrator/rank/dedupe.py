"""Stage: results with the same canonical address are one result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.merge import merge

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext


def dedupe(ranking: Ranking, context: RankContext) -> Ranking:
    """Merge by address; a hit without one stands for itself."""
    groups: dict[object, list[Result]] = {}
    for result in ranking.results:
        hit = result.hit
        groups.setdefault(canonical_url(hit.url) or (hit.source, hit.id), []).append(result)
    return replace(ranking, results=tuple(merge(group, context) for group in groups.values()))
