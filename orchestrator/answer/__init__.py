"""What the results say: a quoted, cited summary, how far to trust it, what to ask next, and the receipt.

Everything here is plain text in one line per part; whoever shows it escapes it for the medium.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from orchestrator.answer.choosing import choose_quotes, weighty
from orchestrator.answer.clarification import clarify, may_mean_several
from orchestrator.answer.confidence import Calibration, assess, find_grounds
from orchestrator.answer.conflicts import describe_conflict, find_conflicts
from orchestrator.answer.corrected import former_corrected
from orchestrator.answer.flagged import flagged
from orchestrator.answer.gaps import find_gaps
from orchestrator.answer.ledger import former_of, renumbered
from orchestrator.answer.ordering import NOTHING_SEEN, by_answer, numbered, numbers_seen, show
from orchestrator.answer.period import happenings
from orchestrator.answer.polar import verdict
from orchestrator.answer.quote import Quote
from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.readings import readings
from orchestrator.answer.receipt import AskedRung, FilteredHits, ReceiptLine, receipt
from orchestrator.answer.rewording import prompt_for, reworded, unworded
from orchestrator.answer.sentence_features import weighed
from orchestrator.answer.sentences import sentences
from orchestrator.answer.slot import AnswerKind, kind_of, slot_of
from orchestrator.answer.suggestions import suggest
from orchestrator.answer.summary import in_one, summarise, summarise_nothing, with_absent
from orchestrator.answer.support import is_supported, unsupported
from orchestrator.answer.themes import nothing_else
from orchestrator.model import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from connectors.contract import HitKey
    from orchestrator.answer.sentence_features import SentenceWeights
    from orchestrator.answer.themes import Counterparts
    from orchestrator.model import Outcome, Plan, Ranking

__all__ = [
    "AnswerKind",
    "AskedRung",
    "Calibration",
    "FilteredHits",
    "Quote",
    "ReceiptLine",
    "choose_quotes",
    "compose",
    "find_grounds",
    "is_supported",
    "may_mean_several",
    "numbers_seen",
    "prompt_for",
    "read_quotes",
    "readings",
    "receipt",
    "reworded",
    "sentences",
    "slot_of",
    "unsupported",
    "unworded",
]


def compose(
    ranking: Ranking,
    outcomes: Sequence[Outcome],
    plan: Plan,
    now: datetime,
    seen: Mapping[HitKey, int] = NOTHING_SEEN,
    *,
    calibration: Calibration | None = None,
    weights: SentenceWeights | None = None,
    called: Counterparts = nothing_else,
    reordered: bool = False,
) -> Answer:
    """The answer to a question, without ``took`` (whoever measured it fills it in). Pure and total.

    ``seen``: the numbers that results had in earlier revisions of the same answer. ``calibration``: the numbers of
    confidence, ``weights`` what speaks for a sentence, those of this installation by default. ``called``: what a word is in the other language.
    ``reordered``: of a few results those come first that are likely to hold the answer; otherwise they stay as ranked.
    """
    gaps = find_gaps(outcomes, plan)
    said = readings(ranking.results, outcomes, plan.query, now)
    known = weighed(said.told, said.results, plan.query, weights)
    of_period = happenings(said.results, plan.query, now)
    chosen = of_period or choose_quotes(known, plan.query, now)
    work = flagged(said.results, outcomes, chosen, plan.query, now)
    quotes = work.quotes if work else chosen
    confidence = (work.trust(gaps, plan.query) if work else None) or assess(
        said.results, weighty(quotes), gaps, plan.query, now, calibration=calibration
    )
    conflicts = find_conflicts(said.readable, said.holding, plan.query, now)
    former = former_corrected(quotes, said.corrections) or former_of(quotes, said.readable, plan.query, now)
    cited = (
        *quotes,
        *(side for conflict in conflicts for side in conflict.sides),
        *((former.older, former.turn) if former else ()),
    )
    ordered = by_answer(said.results, known, plan.query) if reordered else tuple(enumerate(said.results, 1))
    if of_period or work:  # they are what was asked for, wherever ranking had them
        placed_first = {quote.number: place if work else 0 for place, quote in enumerate(quotes)}
        ordered = tuple(sorted(ordered, key=lambda each: placed_first.get(each[0], len(quotes))))
    shown, placed = show(ordered, cited, plan.query.limit)
    results = numbered(shown, seen)
    placed_on = [results[quote.number - 1] for quote in placed]
    cited_as = [replace(q, number=result.number, result=result) for q, result in zip(placed, placed_on, strict=True)]
    quotes, sides = tuple(cited_as[: len(quotes)]), iter(cited_as[len(quotes) :])
    sided = tuple(replace(each, sides=tuple(islice(sides, len(each.sides)))) for each in conflicts)
    former = renumbered(former, tuple(sides))
    ruling = verdict(quotes, said.readable, plan.query, now) if kind_of(plan.query) is AnswerKind.YES_NO else None
    statements, citations = (
        summarise(quotes, results, gaps, plan, now, verdict=ruling, former=former, work=work)
        if results
        else summarise_nothing(gaps, ranking.dropped, plan, work)
    )
    statements = with_absent(statements, ranking.absent, plan)
    return Answer(
        plan=plan,
        results=results,
        outcomes=tuple(outcomes),
        dropped=ranking.dropped,
        summary=in_one(statements),
        citations=citations,
        confidence=confidence,
        conflicts=tuple(describe_conflict(each, plan.query, now) for each in sided),
        clarification=clarify(outcomes, ranking.dropped, plan.query, called),
        suggestions=suggest(confidence, ranking.dropped, gaps, plan),
        statements=statements,
    )
