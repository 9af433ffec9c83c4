"""What an audience is shown of what sources returned: the same as if nothing else had been there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.model import Status
from orchestrator.surfaces.bot.rights import Right

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import HitKey
    from orchestrator.model import HitList, Outcome, Plan, Step
    from orchestrator.surfaces.bot.rights import Audience, Doorkeeper

COMPLETE = frozenset({Status.OK, Status.EMPTY})


async def sifted(
    outcome: Outcome, doorkeeper: Doorkeeper, audience: Audience, found: frozenset[HitKey] | None
) -> Outcome:
    """An outcome with the hits that everybody in the audience may see.

    Nothing of it tells that there were others: neither their places in the list, nor counts, nor what the source
    noted about them, nor the state that they left it in.
    """
    every = [await _sifted_list(each, doorkeeper, audience, found) for each in outcome.lists]
    lists = tuple(each for each in every if each.hits)
    status = outcome.status
    if status in COMPLETE:
        status = Status.OK if lists else Status.EMPTY
    return replace(outcome, lists=lists, status=status, notes=(), sent=(), age=None)


async def _sifted_list(
    hits: HitList, doorkeeper: Doorkeeper, audience: Audience, found: frozenset[HitKey] | None
) -> HitList:
    kept = [hit for hit in hits.hits if await doorkeeper.allows(hit, audience, found)]
    return replace(hits, hits=tuple(hit.placed(hit.source, n) for n, hit in enumerate(kept, 1)), total=None)


def plan_for(plan: Plan, public: Plan, outcomes: Sequence[Outcome], doorkeeper: Doorkeeper) -> Plan:
    """What an audience of several is told of a plan: the question as anybody would be understood, and of sources that go
    by the asker's own rights only those of which something is shown to all.
    """
    told = {outcome.source for outcome in outcomes if outcome.hits}
    steps = tuple(step for step in plan.steps if step.source in told or not _is_own(step, doorkeeper))
    return replace(plan, query=public.query, steps=steps, skipped=())


def _is_own(step: Step, doorkeeper: Doorkeeper) -> bool:
    return step.signed == "person" or doorkeeper.right(step.source) is Right.OWN


def of_plan(outcomes: Sequence[Outcome], plan: Plan) -> list[Outcome]:
    """The outcomes of the sources that a plan has."""
    steps = {step.source for step in plan.steps}
    return [outcome for outcome in outcomes if outcome.source in steps]
