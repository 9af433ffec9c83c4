"""Make one result of several that are the same thing: all evidence is kept, one hit speaks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.authority import authority_of
from orchestrator.rank.named import NAMED
from orchestrator.rank.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from orchestrator.model import Evidence, Result
    from orchestrator.rank.stage import RankContext


def merge(results: Sequence[Result], context: RankContext) -> Result:
    """What the question names first, else the strictest member with the most authority; the others beside it in ``also``."""
    if len(results) == 1:
        return results[0]
    members = sorted(results, key=lambda result: _order(result, context))
    chosen, others = members[0], members[1:]
    known = set.intersection(*(set(member.unverified) for member in members))
    sources = dict.fromkeys(evidence.source for other in others for evidence in other.evidence)
    own = {evidence.source for evidence in chosen.evidence}
    elsewhere = [context.title(source) for source in sources if source not in own]
    why = (say(context, "same", sources=", ".join(elsewhere)),) if elsewhere else ()
    return replace(
        chosen,
        evidence=best_evidence(evidence for member in members for evidence in member.evidence),
        unverified=tuple(name for name in chosen.unverified if name in known),
        also=chosen.also + tuple(hit for other in others for hit in (other.hit, *other.also)),
        why=chosen.why + why,
    )


def best_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The best place in each source, ordered by source: repeats inside one source add nothing."""
    best: dict[str, Evidence] = {}
    for each in sorted(evidence, key=lambda each: (each.source, each.rung, each.rank)):
        best.setdefault(each.source, each)
    return tuple(best.values())


def _order(result: Result, context: RankContext) -> tuple[object, ...]:
    strictest = min(result.evidence, key=lambda each: (each.rung, each.rank))
    authority, _ = authority_of(result.hit, context)
    return (
        -result.factors.get(NAMED, 0.0),
        strictest.rung,
        -authority,
        strictest.rank,
        result.hit.source,
        result.hit.id,
    )
