"""Turn whatever happened to one source into an Outcome value (law 3)."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.errors import Forbidden, Misconfigured, SourceError, Throttled, Unauthenticated
from orchestrator.gather.breaker import Suspended
from orchestrator.model import Outcome, Problem, Status
from translators.said import Said

if TYPE_CHECKING:
    from orchestrator.gather.climb import Tally
    from orchestrator.model import Step
    from translators.translator import Loss


NO_TURN = Said(
    "our own limit for it ({gate}) left no turn within {took:.1f} s; try again shortly",
    "우리 쪽 호출 제한({gate}) 때문에 {took:.1f}초 안에 차례가 오지 않았습니다. 잠시 뒤 다시 물어보세요",
)
SILENT = Said("no answer within {took:.1f} s", "{took:.1f}초 안에 답이 없었습니다")
BROKEN = Said(
    "its connector failed ({failure}); this is a bug in fedsearch, please report it",
    "커넥터 오류입니다({failure}). fedsearch의 버그이니 알려 주세요",
)


def finished(step: Step, tally: Tally, took: float) -> Outcome:
    """The source has answered in full."""
    found = any(each.hits for each in tally.lists)
    return _outcome(step, tally, took, Status.OK if found else Status.EMPTY, None)


def failed(step: Step, tally: Tally, took: float, failure: SourceError) -> Outcome:
    """The source raised; what had arrived before is kept as a partial answer."""
    wait = failure.retry_after if isinstance(failure, Throttled | Suspended) else None
    return _outcome(step, tally, took, _status(failure), Problem(failure.code, failure.message, wait))


def timed_out(step: Step, tally: Tally, took: float, gate: Said) -> Outcome:
    """The deadline came first: while waiting for our own rate limit, or for the source."""
    if tally.queued:
        message = NO_TURN.filled(gate=gate, took=took)
        return _outcome(step, tally, took, Status.THROTTLED, Problem("own_rate_limit", message))
    return _outcome(step, tally, took, Status.TIMED_OUT, Problem("timed_out", SILENT.filled(took=took)))


def broken(step: Step, tally: Tally, took: float, failure: Exception) -> Outcome:
    """A bug in a connector: reported by type alone, since its text may hold anything."""
    message = BROKEN.filled(failure=type(failure).__name__)
    return _outcome(step, tally, took, Status.FAILED, Problem("connector_bug", message))


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
        notes=tuple(dict.fromkeys(tally.notes)),
        problem=problem,
        age=tally.age,
    )


def _losses(step: Step, tally: Tally) -> tuple[Loss, ...]:
    """Of every translation that was sent; of the first rung where nothing was."""
    if tally.sent:
        return tuple(tally.losses)
    return tuple(dict.fromkeys(loss for rung in step.rungs[:1] for each in rung.translations for loss in each.losses))
