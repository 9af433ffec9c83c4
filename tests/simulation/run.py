"""Let a world run its course in virtual time, and hold what happened against what must always hold."""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import aiohttp  # noqa: F401 — sources load it in a thread, for which virtual time does not wait
import asyncio_throttle.throttler

from orchestrator.gather import Asking, Care, Deadline, Gate, PageCache, Source, asking, fan_out
from orchestrator.model import ANSWERED, Principal, Status
from tests.conftest import VirtualLoop
from tests.simulation.world import Nature, Question, Simulated, SimulatedParts, World, make_world

if TYPE_CHECKING:
    from orchestrator.model import Outcome

RESERVE, MINIMUM, ENOUGH = 0.15, 0.1, 3
SLACK = 0.11  # seconds: what is left behind gets twice 0.05 s to let go, on a clock that does not lag
POLL = 0.011  # seconds between two looks of the throttle at its log


class Broken(AssertionError):
    """Something that must always hold did not; the message holds the seed."""


@dataclass(slots=True)
class Told:
    """What one asker got, and when it was over."""

    question: Question
    began: float
    ended: float = 0.0
    left: bool = False
    outcomes: list[Outcome] = field(default_factory=list)


class LoopClock:
    """asyncio-throttle reads the wall clock; in this world there is only the loop's."""

    @staticmethod
    def monotonic() -> float:
        """Seconds of virtual time."""
        return asyncio.get_running_loop().time()


def run(seed: int) -> list[Told]:
    """One world, from its first question to the end of the last; raises :class:`Broken`."""
    world = make_world(seed)
    # For the jitter between attempts: the generator that everybody shares is drawn from by imports, too.
    chance, asking.random = asking.random, random.Random(seed)  # type: ignore[assignment]
    clock, asyncio_throttle.throttler.time = asyncio_throttle.throttler.time, LoopClock
    try:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            told = runner.run(_story(world))
    finally:
        asyncio_throttle.throttler.time, asking.random = clock, chance
    for check in CHECKS:
        check(world, told)
    return told


async def _story(world: World) -> list[Told]:
    sources = {name: Source(_simulated(nature), Gate(nature.limits)) for name, nature in world.natures.items()}
    care = Care(PageCache(world.ttl), world.ahead, world.hedge)
    told = await asyncio.gather(*(_asked(question, sources, care) for question in world.questions))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    if left:
        raise Broken(f"seed {world.seed}: tasks outlive their questions: {sorted(task.get_name() for task in left)}")
    return list(told)


def _simulated(nature: Nature) -> Simulated:
    return SimulatedParts(nature) if nature.parts else Simulated(nature)


async def _asked(question: Question, sources: dict[str, Source], care: Care) -> Told:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(question.at)
    told = Told(question, loop.time())
    try:
        async with asyncio.timeout(question.leaves_after):
            deadline = Deadline.of(question.budget, RESERVE, MINIMUM)
            asking = Asking(Principal(question.principal), care, ENOUGH, question.lane)
            async with aclosing(fan_out(question.plan, sources, deadline, asking)) as outcomes:
                async for outcome in outcomes:
                    told.outcomes.append(outcome)
    except TimeoutError:
        told.left = True
    told.ended = loop.time()
    return told


# ---- what must always hold


def budget_is_kept(world: World, told: list[Told]) -> None:
    """Nobody waits longer than they said."""
    for each in told:
        allowed = min(each.question.budget - RESERVE, each.question.leaves_after or 1e9) + SLACK
        if each.ended - each.began > max(allowed, SLACK):
            raise Broken(f"seed {world.seed}: {each.ended - each.began:.3f} s of {each.question.budget} s")


def every_source_is_accounted_for(world: World, told: list[Told]) -> None:
    """One outcome a source, none without a reason, and no secret in any of them."""
    for each in told:
        names = [outcome.source for outcome in each.outcomes]
        wanted = {step.source for step in each.question.plan.steps}
        if len(names) != len(set(names)) or not (each.left or set(names) == wanted):
            raise Broken(f"seed {world.seed}: outcomes {names} for {sorted(wanted)}")
        for outcome in each.outcomes:
            if outcome.status not in ANSWERED and (outcome.problem is None or not outcome.problem.message):
                raise Broken(f"seed {world.seed}: {outcome.source} is {outcome.status} without a reason")
            if "planted-secret" in repr(outcome):
                raise Broken(f"seed {world.seed}: a secret shows in the outcome of {outcome.source}")


def nothing_healthy_is_lost(world: World, told: list[Told]) -> None:
    """A source that is well gives what it holds, unless time or its own rate did not allow it, which is said."""
    for each in told:
        for outcome in each.outcomes:
            nature = world.natures[outcome.source]
            if not nature.healthy:
                continue
            if outcome.status in ANSWERED and outcome.problem is None and not outcome.notes:
                _check_hits(world, nature, each, outcome)
            elif outcome.status in {Status.FAILED, Status.DENIED, Status.NOT_CONNECTED}:
                raise Broken(f"seed {world.seed}: healthy {outcome.source} is {outcome.status}: {outcome.problem}")
            elif outcome.status is Status.TIMED_OUT and _had_time(nature, each):
                raise Broken(f"seed {world.seed}: healthy {outcome.source} timed out: {outcome.problem}")


def _check_hits(world: World, nature: Nature, told: Told, outcome: Outcome) -> None:
    rungs = len(told.question.plan.steps[0].rungs)
    expected = nature.hits if nature.rung < rungs else 0
    if len(outcome.hits) != min(expected, nature.limits.page):
        raise Broken(f"seed {world.seed}: {len(outcome.hits)} of {expected} hits of healthy {outcome.source}")


def _had_time(nature: Nature, told: Told) -> bool:
    """Whether even one request after the other, one for each rung, would have been answered."""
    rungs = len(told.question.plan.steps[0].rungs)
    roomy = len(nature.seen) < nature.limits.rate
    return roomy and rungs * nature.latency + MINIMUM < told.question.budget - RESERVE


def nothing_found_is_true(world: World, told: list[Told]) -> None:
    """A source of which nothing is said to be found was asked, and has told everything without finding anything."""
    for each in told:
        for outcome in (outcome for outcome in each.outcomes if outcome.status is Status.EMPTY):
            nature = world.natures[outcome.source]
            held = nature.healthy and nature.hits and nature.rung < len(each.question.plan.steps[0].rungs)
            if held or not nature.seen or outcome.problem is not None:
                raise Broken(f"seed {world.seed}: {outcome.source} is said to hold nothing: {outcome}")


def rates_are_kept(world: World, told: list[Told]) -> None:
    """In no window are there more requests than the vendor allows."""
    for nature in world.natures.values():
        for part in nature.parts or ("",):
            times = [seen.at for seen in nature.seen if seen.bucket == part]
            for first, last in zip(times, times[nature.limits.rate :], strict=False):
                if last - first < nature.limits.period:
                    raise Broken(
                        f"seed {world.seed}: {nature.name} got more than {nature.limits.rate} in {last - first:.3f} s"
                    )


def pauses_are_kept(world: World, told: list[Told]) -> None:
    """Who asked for quiet gets it."""
    for nature in world.natures.values():
        if nature.disturbed:
            raise Broken(f"seed {world.seed}: {nature.name} was asked {nature.disturbed} times while it wanted quiet")


def nothing_is_shared_between_people(world: World, told: list[Told]) -> None:
    """Whoever is first to ask something is answered by the source and not by what another was told.

    A source that shows everybody the same is not told who asks.
    """
    for nature in world.natures.values():
        if not nature.by_asker and any(seen.principal for seen in nature.seen):
            raise Broken(f"seed {world.seed}: {nature.name} was told who asks")
    knowing = {name: nature for name, nature in world.natures.items() if nature.by_asker}
    for principal in {each.question.principal for each in told}:
        for name, nature in knowing.items():
            asked = [
                outcome
                for each in told
                if each.question.principal == principal
                for outcome in each.outcomes
                if outcome.source == name and outcome.hits
            ]
            if asked and not any(seen.principal == principal for seen in nature.seen):
                raise Broken(f"seed {world.seed}: {principal} was shown what {name} never told them")


CHECKS = (
    budget_is_kept,
    every_source_is_accounted_for,
    nothing_found_is_true,
    nothing_healthy_is_lost,
    rates_are_kept,
    pauses_are_kept,
    nothing_is_shared_between_people,
)


def same(one: list[Told], other: list[Told]) -> bool:
    """Whether two runs of a world told everybody the same, at the same time."""
    return [(each.ended, each.outcomes) for each in one] == [(each.ended, each.outcomes) for each in other]
