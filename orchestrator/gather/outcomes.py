"""Turn whatever happened to one source into an Outcome value (law 3)."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.errors import Forbidden, Misconfigured, SourceError, Throttled, Unauthenticated
from orchestrator.gather.breaker import Suspended
from orchestrator.gather.gate import OutOfTurn
from orchestrator.model import Outcome, Problem, Status
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import LeftOut
    from orchestrator.gather.gate import Gate
    from orchestrator.gather.tally import Tally
    from orchestrator.model import Step
    from translators.translator import Loss


NO_TURN = Said("our own limit for it ({gate}) left no turn within {took:.1f} s; try again shortly")
SILENT = Said("no answer within {took:.1f} s")
WAITED = Said("waited {seconds:.1f} s for its turn")
NOTICED = 0.1  # seconds of waiting that are worth a word
STILL = Said("it is still getting ready after {took:.1f} s; this goes on by itself, ask again in a moment")
NOTHING_TO_ASK = Said("the question leaves nothing to ask it for")
BROKEN = Said("its connector failed ({failure}); this is a bug in fedsearch, please report it")


def finished(step: Step, tally: Tally, took: float) -> Outcome:
    """The source has answered: in full, or but for what was left out, which is its problem then.

    Nothing found is claimed of a source that was sent something, and of which nothing leaves open what it has.
    """
    if not tally.asked:
        why = joined("; ", tally.notes) or NOTHING_TO_ASK
        return _outcome(step, tally, took, Status.SKIPPED, Problem("not_asked", why))
    found = any(each.hits for each in tally.lists)
    if missing := (*tally.left_out, *(() if found else tally.doubts)):
        return _outcome(step, tally, took, Status.PARTIAL, _missing(missing))
    return _outcome(step, tally, took, Status.OK if found else Status.EMPTY, None)


def _missing(parts: Sequence[LeftOut]) -> Problem:
    """All that was left out as one problem; who may come back comes back when the last of it can be had."""
    waits = [each.retry_after for each in parts if each.retry_after is not None]
    said = joined("; ", dict.fromkeys(each.said for each in parts))
    return Problem(parts[0].code, said, max(waits, default=None))


def failed(step: Step, tally: Tally, took: float, failure: SourceError) -> Outcome:
    """The source raised; what had arrived before is kept as a partial answer."""
    wait = failure.retry_after if isinstance(failure, Throttled | Suspended) else None
    return _outcome(step, tally, took, _status(failure), Problem(failure.code, failure.message, wait))


def unready(step: Step, took: float) -> Outcome:
    """The deadline came while the source was still getting ready."""
    return Outcome(
        step.source, step.title, step.category, Status.TIMED_OUT, took=took,
        problem=Problem("not_ready", STILL.filled(took=took)),
    )  # fmt: skip


def timed_out(step: Step, tally: Tally, took: float, gate: Gate) -> Outcome:
    """The deadline came first: while waiting for our own rate limit, or for the source."""
    if tally.queued:
        message = NO_TURN.filled(gate=gate.describe(tally.queued[0]), took=took)
        return _outcome(step, tally, took, Status.THROTTLED, Problem("own_rate_limit", message))
    return _outcome(step, tally, took, Status.TIMED_OUT, Problem("timed_out", SILENT.filled(took=took)))


def broken(step: Step, tally: Tally, took: float, failure: Exception) -> Outcome:
    """A bug in a connector: reported by type alone, since its text may hold anything."""
    return _outcome(step, tally, took, Status.FAILED, Problem("connector_bug", broken_by(failure)))


def broken_by(failure: Exception) -> Said:
    """The same in words."""
    return BROKEN.filled(failure=type(failure).__name__)


def trace(failure: BaseException) -> dict[str, str]:
    """What a log may know of an unexpected failure: its type and where it stood. Its text may hold anything."""
    frames = traceback.extract_tb(failure.__traceback__)
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-4:]))
    return {"error": type(failure).__name__, "where": where}


def not_asked(step: Step, message: Said, code: str = "no_time") -> Outcome:
    """There was no time left to ask at all."""
    return Outcome(step.source, step.title, step.category, Status.TIMED_OUT, problem=Problem(code, message))


def _status(failure: SourceError) -> Status:
    match failure:
        case Throttled():
            return Status.THROTTLED
        case Unauthenticated() | Forbidden():
            return Status.DENIED
        case Misconfigured():
            return Status.NOT_CONNECTED
        case _:
            return Status.FAILED


def _outcome(step: Step, tally: Tally, took: float, status: Status, problem: Problem | None) -> Outcome:
    if problem is not None and any(each.hits for each in tally.lists):
        status = Status.PARTIAL
    return Outcome(
        source=step.source,
        title=step.title,
        category=step.category,
        status=status,
        lists=tuple(tally.lists),
        took=took,
        requests=tally.requests,
        sent=tuple(tally.sent),
        losses=_losses(step, tally),
        notes=tuple(dict.fromkeys((*tally.notes, *_waited(tally)))),
        problem=problem,
        age=tally.age,
        waited=tally.waited,
        spared=tally.scarce and any(each.code == OutOfTurn.code for each in (*tally.doubts, *tally.left_out)),
    )


def _waited(tally: Tally) -> tuple[Said, ...]:
    return (WAITED.filled(seconds=tally.waited),) if tally.waited >= NOTICED else ()


def _losses(step: Step, tally: Tally) -> tuple[Loss, ...]:
    """Of every translation that was sent; of the first rung where nothing was."""
    if tally.sent:
        return tuple(tally.losses)
    return tuple(dict.fromkeys(loss for rung in step.rungs[:1] for each in rung.translations for loss in each.losses))
