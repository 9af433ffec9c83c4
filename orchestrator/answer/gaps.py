"""Which sources are missing from an answer, and why: a failure never reads as "nothing found".

What went wrong at a source is said in the asker's language; a vendor's own words stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.text import shorten
from orchestrator.answer.wording import say, status_word
from orchestrator.model import ANSWERED, Outcome, Plan, Status
from translators.records import record
from translators.said import Said, filled_in, said_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.model import Problem
    from translators.query import Query

# What stands before a message that is a vendor's and so in one language only, by the stable code of a problem: nothing in English.
OURS = {
    "suspended": Said("{message}", context="suspended"),
    "throttled": Said("{message}", context="throttled"),
    "unavailable": Said("{message}", context="unavailable"),
    "unauthenticated": Said("{message}", context="unauthenticated"),
    "forbidden": Said("{message}", context="forbidden"),
    "rejected": Said("{message}", context="rejected"),
    "bad_reply": Said("{message}", context="bad_reply"),
    "misconfigured": Said("{message}", context="misconfigured"),
}


def problem_in_words(problem: Problem, query: Query) -> str:
    """Of a code that is not known here the message as it is."""
    if isinstance(problem.message, Said) or problem.code not in OURS:
        return said_in(problem.message, query.language)
    return filled_in(OURS[problem.code], query.language, message=problem.message)


BUSY = "own_rate_limit"  # of a problem: what a source allows in its time was used up by questions before
SHUT_OUT = "unauthenticated"  # the same: a source takes neither our token nor a new one
REASON = 160  # characters of a reason inside a sentence


@record
class Gaps:
    """``answered`` in full, ``partly``, and ``silent``: asked without an answer, or never heard of again.

    ``unasked``: there was nothing in the question that they could have been asked for. ``spared``: of those that answered
    whoever was asked less thoroughly, as turns were short.
    """

    answered: tuple[Outcome, ...] = ()
    partly: tuple[Outcome, ...] = ()
    silent: tuple[Outcome, ...] = ()
    unasked: tuple[Outcome, ...] = ()
    spared: tuple[Outcome, ...] = ()

    @property
    def cut(self) -> tuple[Outcome, ...]:
        """Those that answered in part for another reason than that turns were short."""
        return tuple(each for each in self.partly if each not in self.spared)

    @property
    def missing(self) -> tuple[Outcome, ...]:
        """Those without an answer, for which nothing stands in either."""
        return tuple(each for each in self.silent if not each.stood_in)

    @property
    def stood_in(self) -> tuple[Outcome, ...]:
        """Those without an answer, for which what was found before or is kept elsewhere stands in."""
        return tuple(each for each in self.silent if each.stood_in)


def find_gaps(outcomes: Sequence[Outcome], plan: Plan) -> Gaps:
    """Every step of the plan is accounted for, one without an outcome included."""
    everything = complete_outcomes(outcomes, plan)
    return Gaps(
        answered=tuple(each for each in everything if each.status in ANSWERED and each.problem is None),
        partly=tuple(each for each in everything if each.status in ANSWERED and each.problem is not None),
        silent=tuple(each for each in everything if each.status not in {*ANSWERED, Status.SKIPPED}),
        unasked=tuple(each for each in everything if each.status is Status.SKIPPED),
        spared=tuple(each for each in everything if each.status in ANSWERED and each.spared),
    )


def complete_outcomes(outcomes: Sequence[Outcome], plan: Plan) -> tuple[Outcome, ...]:
    """In the plan's order; a step that nobody reported on stands as failed."""
    known = {outcome.source: outcome for outcome in outcomes}
    planned = {step.source: Outcome(step.source, step.title, step.category, Status.FAILED) for step in plan.steps}
    unplanned = sorted(known.keys() - planned.keys())
    return tuple((planned | known)[source] for source in (*planned, *unplanned))


def describe_gaps(outcomes: Sequence[Outcome], plan: Plan) -> str:
    """``Slack (timed out: no answer within 3.0 s), Gmail (denied: …)`` in the asker's language."""
    return ", ".join(f"{each.title} ({_reason(each, plan)})" for each in outcomes)


def _reason(outcome: Outcome, plan: Plan) -> str:
    word = status_word(plan.query, outcome.status)
    return f"{word}: {shorten(told_of(outcome, plan), REASON)}"


def told_of(outcome: Outcome, plan: Plan) -> str:
    """What went wrong, to whoever asks: how a source is connected anew is for whoever did that, and stands in the receipt."""
    if outcome.problem is not None and outcome.problem.code == SHUT_OUT:
        return say(plan.query, "shut_out")
    return problem_of(outcome, plan)


def problem_of(outcome: Outcome, plan: Plan) -> str:
    """What went wrong in words, and when to come back where the source said so. The numbers of rates are in the receipt."""
    if outcome.problem is None:
        return say(plan.query, "no_outcome")
    said = say(plan.query, "busy") if outcome.problem.code == BUSY else problem_in_words(outcome.problem, plan.query)
    if outcome.problem.retry_after is None:
        return said
    return f"{said}; {say(plan.query, 'retry', seconds=f'{outcome.problem.retry_after:g}')}"
