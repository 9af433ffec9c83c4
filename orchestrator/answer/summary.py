"""The summary: claims in the form that the type of question wants, inside a frame in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.claim import Claim, named
from orchestrator.answer.claims import claims_for
from orchestrator.answer.cover import wanted
from orchestrator.answer.dates import day
from orchestrator.answer.flagged import is_open_work
from orchestrator.answer.gaps import Gaps, describe_gaps
from orchestrator.answer.own import text_of
from orchestrator.answer.period import is_eventful
from orchestrator.answer.quotes import RESULTS
from orchestrator.answer.unsaid import unanswered, unsaid
from orchestrator.answer.wording import is_plain, lead, say, say_hits
from orchestrator.answer.work_claims import linked_work
from orchestrator.commanding import commands
from orchestrator.model import Citation, Part, Statement
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.answer.flagged import FlaggedWork
    from orchestrator.answer.ledger import Former
    from orchestrator.answer.polar import YesOrNo
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Absent, Dropped, Outcome, Plan, Result

CitedStatements = tuple[tuple[Statement, ...], tuple[Citation, ...]]


def summarise(
    quotes: Sequence[Quote],
    results: Sequence[Result],
    gaps: Gaps,
    plan: Plan,
    now: datetime,
    *,
    verdict: YesOrNo | None = None,
    former: Former | None = None,
    work: FlaggedWork | None = None,
) -> CitedStatements:
    """The lines of the summary, and one citation for each ``[n]`` of them: ``n`` is what the result goes by."""
    linked = linked_work(results, plan.query)
    claims = claims_for(quotes, results, plan, now, verdict=verdict, former=former, linked=linked)
    then = plan.query.as_of.isoformat() if plan.query.as_of else ""
    has_text = any(each.hit.snippet or each.hit.title for each in results)
    untold = "none_then" if then else "unadded" if plan.query.fresh else "unheld" if has_text else "untold"
    first = (
        _lead(quotes, results, plan, now, work=work, linked=linked)
        if claims
        else say(plan.query, f"none_{plan.query.flag}")
        if work
        else say(
            plan.query, untold, hits=say_hits(plan.query, len(results)), words=", ".join(plan.query.fresh), day=then
        )
    )
    scope = work.scope(plan.query) if work else ()
    statements = (
        Statement(first, Part.LEAD if claims else Part.REMARK),
        *(claim.statement for claim in claims),
        *(
            Statement(text, Part.REMARK)
            for text in (*scope, *_then(plan), *_silenced(results, plan), *_missing(gaps, plan))
        ),
    )
    return statements, _cited(claims)


def summarise_nothing(
    gaps: Gaps, dropped: Sequence[Dropped], plan: Plan, work: FlaggedWork | None = None
) -> CitedStatements:
    """What an empty answer means: nothing there, nothing that fits, or nobody who could tell."""
    none = (say(plan.query, f"none_{plan.query.flag}"), *work.scope(plan.query), *_missing(gaps, plan)) if work else ()
    return tuple(Statement(text, Part.REMARK) for text in none or _nothing(gaps, dropped, plan)), ()


def with_absent(statements: tuple[Statement, ...], absent: Sequence[Absent], plan: Plan) -> tuple[Statement, ...]:
    """The lines of the summary, and before them what the question names and no source has."""
    missing = (say(plan.query, "absent", thing=each.thing, sources=", ".join(each.sources)) for each in absent)
    return (*(Statement(text, Part.REMARK) for text in missing), *statements)


def in_one(statements: Sequence[Statement]) -> str:
    """The whole summary as one text."""
    return " ".join(each.text for each in statements)


def _nothing(gaps: Gaps, dropped: Sequence[Dropped], plan: Plan) -> list[str]:
    if not (gaps.answered or gaps.partly):
        unheard = describe_gaps((*gaps.silent, *gaps.unasked), plan) or "; ".join(
            f"{each.title}: {said_in(each.reason, plan.query.language)}" for each in plan.skipped
        )
        return [say(plan.query, "none_answered", sources=unheard)]
    parts = [say(plan.query, "none_fit", hits=say_hits(plan.query, len(dropped)))] if dropped else []
    silent = describe_gaps((*gaps.silent, *gaps.partly), plan)
    if not dropped and not gaps.answered:
        return [say(plan.query, "none_in_full", sources=silent)]
    if not dropped:
        parts.append(say(plan.query, "none_found", sources=", ".join(each.title for each in gaps.answered)))
    return [*parts, say(plan.query, "incomplete", sources=silent)] if silent else parts


def _cited(claims: Sequence[Claim]) -> tuple[Citation, ...]:
    """Each span once; a result that is only pointed at has an empty one, and none if it is quoted as well."""
    spans = {(result.number, quote): result for claim in claims for result, quote in claim.spans}
    quoted = {number for number, quote in spans if quote}
    return tuple(
        Citation(number, result, quote) for (number, quote), result in spans.items() if quote or number not in quoted
    )


def _lead(
    quotes: Sequence[Quote],
    results: Sequence[Result],
    plan: Plan,
    now: datetime,
    *,
    work: FlaggedWork | None,
    linked: Sequence[Result],
) -> str:
    query, words = plan.query, wanted(plan.query)
    if quotes and not any(quote.result.inside for quote in quotes):
        return say(query, "outside")
    if query.flag and work:
        return say(query, "lead_flag" if any(is_open_work(quote.result) for quote in quotes) else f"none_{query.flag}")
    if query.of_a_period and quotes:
        return say(query, "lead_period" if is_eventful(quotes) else "lead_said")
    if linked:
        return say(query, "lead_status")
    if asking := unanswered(results, quotes, words, query):
        who = asking.hit.author.name if asking.hit.author else ""
        return say(query, "lead_asked" if who else "lead_asked_by_somebody", name=named(who), day=day(asking.hit, now))
    missing = unsaid(quotes, words, query) if is_plain(query, quotes) else ()
    return say(query, "lead_unsaid", words=", ".join(missing)) if missing else lead(query, quotes)


def _then(plan: Plan) -> list[str]:
    """That what held on a day was asked for, so that nobody takes it for what holds."""
    as_of = plan.query.as_of
    return [say(plan.query, "then", day=as_of.isoformat())] if as_of else []


def _silenced(results: Sequence[Result], plan: Plan) -> list[str]:
    """What of the results nothing was quoted from, so that nobody looks for it in vain."""
    count = sum(commands(text_of(each.hit)) for each in results[:RESULTS])
    return [say(plan.query, "commanding", hits=say_hits(plan.query, count))] if count else []


def _missing(gaps: Gaps, plan: Plan) -> list[str]:
    told = (
        ("gap", describe_gaps(gaps.missing, plan)),
        ("stood_in", _titles(gaps.stood_in)),
        ("partly", describe_gaps(gaps.cut, plan)),
        ("spared", _titles(gaps.spared)),
    )
    return [say(plan.query, key, sources=sources) for key, sources in told if sources]


def _titles(outcomes: Sequence[Outcome]) -> str:
    return ", ".join(each.title for each in outcomes)
