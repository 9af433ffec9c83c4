"""Asks the engine for somebody and composes, for each audience, an answer from what that audience may see, as if nothing else had been there."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.events import Arrived, GatheringDone, Planned
from orchestrator.model import Ask, BadAsk, Lane, NoSources, Principal, Status
from orchestrator.surfaces.bot.rights import NOBODY, Right
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from connectors.contract import HitKey
    from orchestrator.engine import Engine
    from orchestrator.model import Answer, HitList, Outcome, Plan, Step
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


@record
class AskingProgress:
    """So many sources have answered, and the titles of those that have not."""

    done: int
    awaited: tuple[str, ...]


class Inquiry:
    """One question, asked once as the asker; what others may see of it is decided hit by hit."""

    def __init__(self, engine: Engine, doorkeeper: Doorkeeper, ask: Ask) -> None:
        self._engine = engine
        self._doorkeeper = doorkeeper
        self._ask = replace(ask, lane=Lane.BOT)
        self._plan: Plan | None = None
        self._public: Plan | None = None
        self._outcomes: list[Outcome] = []

    async def run(self) -> AsyncGenerator[AskingProgress, None]:
        """Ask; after each source how far it is. Raises :class:`BadAsk` and :class:`NoSources`."""
        async with aclosing(self._engine.stream(self._ask, revisions=False)) as events:
            async for event in events:
                if isinstance(event, Planned):
                    self._plan = event.plan
                elif isinstance(event, Arrived) and self._plan is not None:
                    self._outcomes.append(event.outcome)
                    _, awaited = self._plan.parted(each.source for each in self._outcomes)
                    titles = {step.source: step.title for step in self._plan.steps}
                    yield AskingProgress(len(self._outcomes), tuple(titles[name] for name in awaited))
                elif isinstance(event, GatheringDone):
                    self._plan, self._outcomes = event.plan, list(event.outcomes)
                    return  # what the engine would compose now is for the asker alone, and composed below

    async def so_far(self, audience: Audience) -> Answer:
        """The answer by what has arrived; of what depends on each reader's own rights nothing yet."""
        return await self._composed(audience, None)

    async def final(self, audience: Audience) -> Answer:
        """The answer for an audience, the others asked by their own rights where that matters."""
        return await self._composed(audience, await self._found_by(audience.others))

    async def _composed(self, audience: Audience, found: frozenset[HitKey] | None) -> Answer:
        assert self._plan is not None
        kept = [await sifted(each, self._doorkeeper, audience, found) for each in self._outcomes]
        plan, _ = self._plan.parted(each.source for each in self._outcomes)
        ask = self._ask
        if audience.others:
            plan = plan_for(plan, await self._understood_by_anybody(), kept, self._doorkeeper)
            ask = replace(ask, principal=Principal(NOBODY))
        answer = await self._engine.answer(ask, plan, of_plan(kept, plan))
        return without_hints(answer) if audience.others else answer

    async def _understood_by_anybody(self) -> Plan:
        """The question read without the names that only the asker's own accounts know."""
        if self._public is None:
            self._public = await self._engine.explain(replace(self._ask, principal=Principal(NOBODY)))
        return self._public

    async def _found_by(self, others: Sequence[str]) -> frozenset[HitKey] | None:
        """What all of ``others`` find by their own rights; ``None`` where that is not needed."""
        own = [each.source for each in self._outcomes if self._doorkeeper.right(each.source) is Right.OWN and each.hits]
        if not own or not others:
            return None
        found = await asyncio.gather(*(self._found(each, own) for each in others))
        return frozenset.intersection(*found)

    async def _found(self, principal: str, own: Sequence[str]) -> frozenset[HitKey]:
        ask = replace(self._ask, principal=Principal(principal), sources=tuple(own))
        keys: set[HitKey] = set()
        try:
            async with aclosing(self._engine.stream(ask, revisions=False)) as events:
                async for event in events:
                    if isinstance(event, GatheringDone):
                        keys = {(hit.source, hit.id) for outcome in event.outcomes for hit in outcome.hits}
                        break
        except (BadAsk, NoSources):
            return frozenset()  # they have no account there
        return frozenset(keys)


def without_hints(answer: Answer) -> Answer:
    """Without what would tell that there is more: advice goes by how far the search went, which hangs on hidden things too;
    and where nothing is shown it would be untrue that nothing was found.
    """
    if answer.results:
        return replace(answer, suggestions=())
    return replace(answer, suggestions=(), summary="", statements=(), clarification=None)


def beyond(private: Answer, shown: Answer) -> tuple[int, ...]:
    """The places, in a private answer, of the results of which nothing stands in the one that all were shown."""
    known = {(hit.source, hit.id) for result in shown.results for hit in (result.hit, *result.also)}
    return tuple(n for n, result in enumerate(private.results) if (result.hit.source, result.hit.id) not in known)
