"""Ask all sources at once (fan-out). Total time is that of the slowest answer or the budget, whichever is sooner."""

from __future__ import annotations

import asyncio
from dataclasses import field, replace
from typing import TYPE_CHECKING

from connectors.contract import Call, HitPage, is_completing
from connectors.errors import LATE, SourceError
from orchestrator.gather import outcomes
from orchestrator.gather.asking import Asker
from orchestrator.gather.climb import Climb
from orchestrator.gather.gate import OutOfTurn
from orchestrator.gather.outcomes import Tally
from orchestrator.gather.queueing import Comer
from orchestrator.gather.racing import GRACE, let_go
from orchestrator.model import ANSWERED, Lane, Status
from orchestrator.spans import UNTRACED
from storage.logs import log_of
from translators.records import record
from translators.said import Said, quoting

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.gather.asking import Care
    from orchestrator.gather.mirror import Mirror
    from orchestrator.gather.source import Source
    from orchestrator.model import Outcome, Plan, Principal, Step
    from orchestrator.spans import Span

NO_TEXTS = Said("the texts of the best results were not read: {why}")
NO_TIME = Said("not asked: of the time for this question only {left:.2f} s were left")

log = log_of(__name__)


@record
class Deadline:
    """When gathering must end, on the loop's clock, and the least a source must be given to be asked at all."""

    at: float
    minimum: float = 0.1

    @classmethod
    def of(cls, budget: float, reserve: float, minimum: float) -> Deadline:
        """``budget`` seconds from now, less what ranking and answering need."""
        return cls(asyncio.get_running_loop().time() + budget - reserve, minimum)

    @property
    def left(self) -> float:
        """Seconds until then."""
        return self.at - asyncio.get_running_loop().time()


@record
class Asking:
    """What all sources of one question are asked with: for whom, in whose lane, with what care, for how many hits, inside which span.

    ``further``: whether the question has asked before, and counts as one. ``question``: which one it is, for whose turn it is.
    ``heads``: whether texts that cost a request each are read later, of the best hits (:func:`complete`).
    """

    principal: Principal
    care: Care
    enough: int
    lane: Lane = Lane.INTERACTIVE
    span: Span = UNTRACED
    further: bool = False
    heads: bool = False
    question: object = field(default_factory=object, repr=False, compare=False)

    @property
    def comer(self) -> Comer:
        """Who waits where there are not turns for all."""
        return Comer(self.lane, self.principal.id, self.question)


async def fan_out(
    plan: Plan, sources: Mapping[str, Source], deadline: Deadline, asking: Asking
) -> AsyncGenerator[Outcome, None]:
    """Yield each step's outcome as it arrives. Leaving early cancels the rest.

    A source that does not even heed cancellation is reported as timed out and left behind.
    """
    tallies = {step.source: Tally() for step in plan.steps}
    started = asyncio.get_running_loop().time()
    tasks = {
        asyncio.create_task(
            ask(sources[step.source], step, tallies[step.source], deadline, asking),
            name=f"ask {step.source}",
        ): step
        for step in plan.steps
    }
    pending = set(tasks)
    try:
        while pending:
            done, pending = await asyncio.wait(
                pending, timeout=max(0.0, deadline.left) + GRACE, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                break
            for task in sorted(done, key=lambda each: tasks[each].source):
                yield task.result()
        for task in sorted(pending, key=lambda each: tasks[each].source):
            step, took = tasks[task], asyncio.get_running_loop().time() - started
            await sources[step.source].breaker.failed("timed_out", outcomes.SILENT.filled(took=took))
            yield outcomes.timed_out(step, tallies[step.source], took, sources[step.source].gate)
    finally:
        await let_go(tuple(pending))


def turns_left(outcome: Outcome, source: Source, deadline: Deadline, *, conversations: bool = False) -> int:
    """Requests that a question may send to a source beside those it was answered by: none where no time is left for them.

    ``conversations``: of those that read what stands around a hit.
    """
    limits = source.connector.manifest.limits
    bucket = limits.conversations if conversations else limits.searches
    spent = outcome.requests if bucket == limits.searches else 0
    in_time = deadline.left > max(source.latency.usual, deadline.minimum)
    return source.gate.share(spent, bucket) if in_time and outcome.status in ANSWERED else 0


async def ask(source: Source, step: Step, tally: Tally, deadline: Deadline, asking: Asking) -> Outcome:
    """One source inside its deadline, in a span of its own. Never raises but on cancellation."""
    with asking.span.child(f"ask {step.source}", source=step.source) as span:
        outcome = await _ask(source, step, tally, deadline, replace(asking, span=span))
        found = len(outcome.hits)
        span.note(status=str(outcome.status), requests=outcome.requests, hits=found, waited=round(outcome.took, 4))
        if outcome.problem is not None:
            span.note(error=outcome.problem.code)
        return outcome


async def _ask(source: Source, step: Step, tally: Tally, deadline: Deadline, asking: Asking) -> Outcome:
    """Holds one of the two broad ``except`` of gathering."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    if deadline.left < deadline.minimum:
        return outcomes.not_asked(step, NO_TIME.filled(left=max(0.0, deadline.left)))
    asker: Asker | None = None
    try:
        async with asyncio.timeout_at(deadline.at):
            await source.preparing.ready()
            call = Call(*source.told(asking.principal), timeout=deadline.left)
            call = replace(call, heads=asking.heads and is_completing(source.connector))
            asker = Asker(source, call, asking.care, tally, asking.comer, span=asking.span, further=asking.further)
            await Climb(asker, step, tally).run(asking.enough)
            tally.notes += [source.gate.trouble] * bool(source.gate.trouble)
    except TimeoutError:
        if not source.preparing.is_done:
            return outcomes.unready(step, loop.time() - started)
        await _note_silence(source, tally)
        outcome = outcomes.timed_out(step, tally, loop.time() - started, source.gate)
    except SourceError as failure:
        outcome = outcomes.failed(step, tally, loop.time() - started, failure)
    except Exception as failure:  # noqa: BLE001 — law 3: a broken connector must not hurt the other sources
        log.error("connector failed", source=step.source, **outcomes.trace(failure))  # noqa: TRY400 — values may be secret
        await source.breaker.failed("connector_bug", quoting(type(failure).__name__))
        return outcomes.broken(step, tally, loop.time() - started, failure)
    else:
        outcome = outcomes.finished(step, tally, loop.time() - started)
    if tally.searching:
        source.habit_of(asking.principal.id, asking.principal.groups).answered(tally.searching, further=asking.further)
    short = outcome.status is Status.THROTTLED or any(each.code == OutOfTurn.code for each in tally.doubts)
    # A conversation is what it is: nothing else stands in for it.
    outcome = asker.with_stand_ins(outcome, step) if asker is not None and short and not asking.further else outcome
    return _mirrored(source.mirror, outcome, step, asking) if source.mirror is not None else outcome


def _mirrored(mirror: Mirror, outcome: Outcome, step: Step, asking: Asking) -> Outcome:
    """``outcome`` with the texts that are kept of its hits, and with what was found by its text alone."""
    if not asking.further:
        mirror.asked()
    return mirror.joined(with_kept_texts(outcome, mirror), step)


async def complete(
    source: Source, outcome: Outcome, hits: Sequence[Hit], deadline: Deadline, asking: Asking
) -> Outcome:
    """``outcome`` with the texts of some of its ``hits``; what cannot be read stays as it is. Raises nothing but cancellation."""
    tally, started = Tally(), asyncio.get_running_loop().time()
    call = Call(*source.told(asking.principal), timeout=deadline.left)
    try:
        async with asyncio.timeout_at(deadline.at):
            page = await Asker(source, call, asking.care, tally, asking.comer, span=asking.span, further=True).complete(
                hits
            )
    except TimeoutError:
        page = HitPage(notes=(NO_TEXTS.filled(why=LATE),))
    except SourceError as failure:
        page = HitPage(notes=(NO_TEXTS.filled(why=failure.message),))
    except Exception as failure:  # noqa: BLE001 — law 3: hits without their texts are better than none
        log.error("connector failed", source=outcome.source, **outcomes.trace(failure))  # noqa: TRY400
        page = HitPage(notes=(NO_TEXTS.filled(why=quoting(type(failure).__name__)),))
    if tally.searching:
        source.habit_of(asking.principal.id, asking.principal.groups).answered(tally.searching, further=True)
    return replace(
        with_texts(outcome, {hit.id: hit for hit in page.hits}),
        took=outcome.took + asyncio.get_running_loop().time() - started,
        requests=outcome.requests + tally.requests,
        notes=tuple(dict.fromkeys((*outcome.notes, *page.notes))),
    )


def with_texts(outcome: Outcome, read: Mapping[str, Hit]) -> Outcome:
    """``outcome`` with hits that were ``read`` since, by their id, each in its places."""
    if not read:
        return outcome
    lists = (
        replace(
            each, hits=tuple(read[hit.id].placed(hit.source, hit.rank) if hit.id in read else hit for hit in each.hits)
        )
        for each in outcome.lists
    )
    return replace(outcome, lists=tuple(lists))


def with_kept_texts(outcome: Outcome, mirror: Mirror | None) -> Outcome:
    """``outcome`` with the texts of its hits that are kept beside the source by now."""
    if mirror is None:
        return outcome
    return with_texts(outcome, {hit.id: known for hit in outcome.hits if (known := mirror.kept(hit)) is not None})


async def _note_silence(source: Source, tally: Tally) -> None:
    """A source that let a request wait for much more than its usual time is failing.

    One that was asked in haste is not, nor one whose requests had to wait for their turn with us.
    """
    if tally.silence >= source.latency.fair:
        await source.breaker.failed("timed_out", outcomes.SILENT.filled(took=tally.silence))
