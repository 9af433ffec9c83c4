"""The receipt: for every configured source what was sent, what came back, what was lost and what went wrong."""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from orchestrator.answer.gaps import complete_outcomes, problem_of
from orchestrator.answer.wording import say, say_hits, status_word
from orchestrator.model import ANSWERED, Status
from translators.match import happened
from translators.records import record
from translators.said import said_in

if TYPE_CHECKING:
    from datetime import tzinfo

    from orchestrator.model import Answer, Outcome, Plan, Skipped
    from translators.query import Category
    from translators.translator import Loss


@record
class AskedRung:
    """One rung that was sent to a source: its label ("as asked", "without dates") and how many hits it gave."""

    label: str
    rung: int
    returned: int


@record
class FilteredHits:
    """So many hits that a source returned do not satisfy the question, for this reason."""

    reason: str
    count: int


@record
class ReceiptLine:
    """How one source took part. Plain data: each surface renders (and escapes) it in its own way.

    ``took`` in seconds; ``requests`` on the wire; ``sent`` in the source's own language; ``returned`` counts distinct
    hits, ``shown`` the results that hold one of them, ``total`` what the source says it has; ``covers`` the first and
    the last day of what it returned, in the asker's zone. ``age``: seconds since it was asked, where its reply was
    remembered. ``retry_after`` in seconds. ``headline`` is the line in a sentence, in the asker's language. ``problem``
    says what went wrong and what to do, "" if nothing did. ``signed``: as whom it was asked, by one sign-in for everybody
    (``shared``), by the asker's own (``person``) or by none; "" where it was not.
    """

    source: str
    title: str
    status: Status
    headline: str
    category: Category | None = None
    took: float = 0.0
    requests: int = 0
    sent: tuple[str, ...] = ()
    asked: tuple[AskedRung, ...] = ()
    returned: int = 0
    shown: int = 0
    total: int | None = None
    covers: tuple[str, str] | None = None
    age: float | None = None
    left_out: tuple[FilteredHits, ...] = ()
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()
    code: str = ""
    problem: str = ""
    retry_after: float | None = None
    signed: str = ""


def receipt(answer: Answer) -> tuple[ReceiptLine, ...]:
    """One line for every step of the plan (law 2: an unreported one too), then for every source that was not asked."""
    asked = (_line(outcome, answer) for outcome in complete_outcomes(answer.outcomes, answer.plan))
    return (*asked, *(_skipped(each, answer.plan) for each in answer.skipped))


def _line(outcome: Outcome, answer: Answer) -> ReceiptLine:
    failed = outcome.status not in ANSWERED
    problem = problem_of(outcome, answer.plan) if outcome.problem or failed else ""
    reasons = Counter(each.reason for each in answer.dropped if each.hit.source == outcome.source)
    return ReceiptLine(
        source=outcome.source,
        title=outcome.title,
        status=outcome.status,
        headline=_headline(outcome, problem, answer.plan),
        category=outcome.category,
        took=outcome.took,
        requests=outcome.requests,
        sent=tuple(str(native) for native in outcome.sent),
        asked=tuple(AskedRung(each.label, each.rung, len(each.hits)) for each in outcome.lists),
        returned=len(outcome.hits),
        shown=sum(1 for result in answer.results if any(each.source == outcome.source for each in result.evidence)),
        total=max((each.total for each in outcome.lists if each.total is not None), default=None),
        covers=_covers(outcome, answer.query.zone),
        age=outcome.age,
        left_out=tuple(FilteredHits(reason, count) for reason, count in reasons.most_common()),
        losses=outcome.losses,
        notes=outcome.notes,
        code=outcome.problem.code if outcome.problem else "no_outcome" * failed,
        problem=problem,
        retry_after=outcome.problem.retry_after if outcome.problem else None,
        signed=next((step.signed for step in answer.plan.steps if step.source == outcome.source), ""),
    )


def _covers(outcome: Outcome, zone: str) -> tuple[str, str] | None:
    """What a reader must know of an answer: how far back it looked."""
    moments = sorted(when for hit in outcome.hits if (when := happened(hit)) is not None)
    if not moments:
        return None
    first, last = (moment.astimezone(_zone(zone)).date().isoformat() for moment in (moments[0], moments[-1]))
    return first, last


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    """The asker's zone; a bare offset (``UTC+09:00``) names none, and then days are those of UTC."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def _headline(outcome: Outcome, problem: str, plan: Plan) -> str:
    took, hits = f"{outcome.took:.2f} s", say_hits(plan.query, len(outcome.hits))
    if outcome.status not in ANSWERED:
        return say(plan.query, "problem_line", status=status_word(plan.query, outcome.status), problem=problem)
    if problem:
        return say(plan.query, "partial_line", hits=hits, took=took, problem=problem)
    return say(plan.query, "found_line" if outcome.hits else "empty_line", hits=hits, took=took)


def _skipped(skipped: Skipped, plan: Plan) -> ReceiptLine:
    word = status_word(plan.query, skipped.status)
    headline = say(plan.query, "skipped_line", status=word, reason=skipped.reason)
    return ReceiptLine(
        skipped.source, skipped.title, skipped.status, headline, problem=said_in(skipped.reason, plan.query.language)
    )
