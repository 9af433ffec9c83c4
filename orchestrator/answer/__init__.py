"""What the results say: a quoted, cited summary, how far to trust it, what to ask next, and the receipt.

Everything here is plain text in one line per part; whoever shows it escapes it for the medium.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.confidence import Grounds, assess, find_grounds
from orchestrator.answer.conflicts import describe, find_conflicts
from orchestrator.answer.gaps import find_gaps
from orchestrator.answer.numbers import NOTHING_SEEN, numbered, numbers_seen
from orchestrator.answer.quotes import Quote, choose_quotes, read_quotes
from orchestrator.answer.receipt import Asked, LeftOut, ReceiptLine, receipt
from orchestrator.answer.sentences import sentences
from orchestrator.answer.shown import show
from orchestrator.answer.suggestions import suggest
from orchestrator.answer.summary import cite, summarise, summarise_nothing
from orchestrator.model import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from orchestrator.answer.numbers import Key
    from orchestrator.model import Outcome, Plan, Ranking

__all__ = [
    "Asked",
    "Grounds",
    "LeftOut",
    "Quote",
    "ReceiptLine",
    "assess",
    "choose_quotes",
    "compose",
    "find_conflicts",
    "find_gaps",
    "find_grounds",
    "numbers_seen",
    "read_quotes",
    "receipt",
    "sentences",
]


def compose(
    ranking: Ranking, outcomes: Sequence[Outcome], plan: Plan, now: datetime, seen: Mapping[Key, int] = NOTHING_SEEN
) -> Answer:
    """The answer to a question, without ``took`` (whoever measured it fills it in). Pure and total.

    ``seen``: the numbers that results had in earlier revisions of the same answer.
    """
    gaps = find_gaps(outcomes, plan)
    readable = read_quotes(ranking.results, plan.query)
    quotes = choose_quotes(readable, plan.query.type)
    confidence = assess(ranking.results, quotes, gaps, plan.query)
    conflicts = find_conflicts(readable, plan.query, now)
    cited = (*quotes, *(side for conflict in conflicts for side in conflict))
    shown, placed = show(ranking.results, cited, plan.query.limit)
    results = numbered(shown, seen)
    standing = [results[quote.number - 1] for quote in placed]
    renumbered = [replace(q, number=result.number, result=result) for q, result in zip(placed, standing, strict=True)]
    quotes, sides = tuple(renumbered[: len(quotes)]), renumbered[len(quotes) :]
    summary = summarise(quotes, results, gaps, plan, now) if results else summarise_nothing(gaps, ranking.dropped, plan)
    return Answer(
        plan=plan,
        results=results,
        outcomes=tuple(outcomes),
        dropped=ranking.dropped,
        summary=summary,
        citations=cite(quotes, results, plan),
        confidence=confidence,
        conflicts=tuple(describe(pair, plan.query, now) for pair in zip(sides[::2], sides[1::2], strict=True)),
        suggestions=suggest(confidence, ranking.dropped, gaps, plan),
    )
