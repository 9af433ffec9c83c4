"""A whole answer as one JSON object: results, summary, and the receipt of every source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer import receipt
from orchestrator.surfaces.cli.documents import (
    Document,
    citation_document,
    loss_document,
    native_document,
    query_document,
    result_document,
)

if TYPE_CHECKING:
    from orchestrator.answer import ReceiptLine
    from orchestrator.model import Answer, Outcome


def answer_document(answer: Answer) -> Document:
    """Everything that ``fedsearch search`` shows, and more."""
    outcomes = {outcome.source: outcome for outcome in answer.outcomes}
    asked = answer.clarification
    return {
        "question": query_document(answer.query),
        "summary": answer.summary,
        "citations": [citation_document(citation) for citation in answer.citations],
        "confidence": str(answer.confidence),
        "conflicts": list(answer.conflicts),
        "clarification": None if asked is None else {"question": asked.question, "options": list(asked.options)},
        "suggestions": list(answer.suggestions),
        "results": [result_document(result) for result in answer.results],
        "sources": [_source(entry, outcomes.get(entry.source)) for entry in receipt(answer)],
        "took": round(answer.took, 4),
        "budget": answer.plan.budget,
    }


def _source(entry: ReceiptLine, outcome: Outcome | None) -> Document:
    return {
        "source": entry.source,
        "title": entry.title,
        "category": str(entry.category) if entry.category else None,
        "status": str(entry.status),
        "took": round(entry.took, 4),
        "requests": entry.requests,
        "sent": [native_document(native) for native in outcome.sent] if outcome else [],
        "asked": [{"label": each.label, "rung": each.rung, "returned": each.returned} for each in entry.asked],
        "returned": entry.returned,
        "shown": entry.shown,
        "left_out": [{"reason": each.reason, "count": each.count} for each in entry.left_out],
        "losses": [loss_document(loss) for loss in entry.losses],
        "notes": list(entry.notes),
        "problem": _problem(entry),
    }


def _problem(entry: ReceiptLine) -> Document | None:
    if not entry.problem:
        return None
    return {"code": entry.code or str(entry.status), "message": entry.problem, "retry_after": entry.retry_after}
