"""What one source has said so far to one question, and whatever happened to it in the end as an Outcome value (law 3)."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.contract import LeftOut
from connectors.errors import Forbidden, Misconfigured, SourceError, Throttled, Unauthenticated
from orchestrator.gather.breaker import Suspended
from orchestrator.gather.gate import OutOfTurn
from orchestrator.model import HitList, Outcome, Problem, Status
from translators.match import matches
from translators.query import NEARLY_TYPED
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connectors.contract import Hit, HitPage
    from orchestrator.gather.gate import Gate
    from orchestrator.model import Step
    from translators.translator import Loss, NativeQuery


@dataclass(slots=True)
class Tally:
    """What has happened so far. It outlives a cancelled climb, so that what had arrived is not lost.

    ``losses``: of all that was sent, each once, in order. ``notes``: all that is told. ``left_out``: parts of what the
    source searches that it was not asked about; ``doubts``: of the notes what leaves it open, where nothing was found,
    whether there is anything. ``asked``: whether it was sent anything, by whomever. ``searching``: of ``requests``
    those that count as searches with the source. ``scarce``: whether there were next to no turns for them. ``passes``: of ``requests``, by their buckets; ``queued``: what waits for a turn, by its bucket;
    ``waited``: seconds that the longest wait for one took. ``silence``: seconds that a request
    had been out when it was given up, 0 once the source has answered another.
    """

    lists: list[HitList] = field(default_factory=list)
    sent: list[NativeQuery] = field(default_factory=list)
    losses: dict[Loss, None] = field(default_factory=dict)
    notes: list[Said] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    doubts: list[LeftOut] = field(default_factory=list)
    asked: bool = False
    requests: int = 0
    searching: int = 0
    scarce: bool = False
    passes: Counter[str] = field(default_factory=Counter)
    queued: list[str] = field(default_factory=list)
    waited: float = 0.0
    silence: float = 0.0
    age: float | None = None

    def doubt(self, said: Said, code: str = "left_out") -> None:
        """Note what leaves it open whether a source that found nothing has nothing."""
        self.notes.append(said)
        self.doubts.append(LeftOut(said, code))

    def read(self, page: HitPage) -> None:
        """Take down what a page says of its completeness. One that took no request is in no doubt: it does not count."""
        self.notes += [note for note in dict.fromkeys((*page.remarks, *page.notes)) if note not in self.notes]
        self.asked |= page.asked
        self.left_out += [each for each in page.left_out if each not in self.left_out]
        self.doubts += [LeftOut(note) for note in page.notes if page.asked]

    def good(self) -> int:
        """Distinct hits that nothing speaks against."""
        return len({hit.id for found in self.lists for hit in _acceptable(found)})


def _acceptable(found: HitList) -> Iterable[Hit]:
    """Those that satisfy what was typed, and what is as good as typed: what only orders is no reason to ask further."""
    asked = found.translation
    must = [each.clause for each in asked.preferred if each.strength >= NEARLY_TYPED]
    if asked.residual is not None:
        must.insert(0, asked.residual)
    if not must:  # as mostly
        return found.hits
    return (hit for hit in found.hits if all(matches(part, hit) is not False for part in must))


def lists_of(step: Step, whole: Sequence[Hit], part: Sequence[Hit]) -> tuple[HitList, ...]:
    """What was found otherwise, as if the first rung had brought what holds the ``whole`` question, and a broader one what holds a ``part``; none of these where no rung is broader."""
    if not step.rungs[:1]:
        return ()
    lists = []
    for rung, hits in ((step.rungs[0], whole), (step.rungs[-1], part)):
        if hits and (hits is whole or rung.dropped):
            placed = tuple(hit.placed(step.source, rank) for rank, hit in enumerate(hits, 1))
            lists.append(HitList(rung.translations[0], placed, rung.height, rung.dropped))
    return tuple(lists)


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


def not_asked(step: Step, message: Said) -> Outcome:
    """There was no time left to ask at all."""
    return Outcome(step.source, step.title, step.category, Status.TIMED_OUT, problem=Problem("no_time", message))


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
