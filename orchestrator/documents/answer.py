"""A whole answer as one JSON object: results, summary, and the receipt of every source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from orchestrator.answer import receipt
from orchestrator.dialogue import taken_as
from orchestrator.documents.plan import LossDocument, NativeDocument, loss_document, native_document
from orchestrator.documents.question import QueryDocument, query_document
from orchestrator.documents.result import CitationDocument, ResultDocument, citation_document, result_document
from translators.said import said_in

if TYPE_CHECKING:
    from orchestrator.answer import ReceiptLine
    from orchestrator.model import Answer, Clarification, Outcome


class StatementDocument(TypedDict):
    """One line of the summary: ``part`` is lead, claim or remark; a claim cites ``numbers``."""

    part: str
    text: str
    numbers: list[int]


class ReadingDocument(TypedDict):
    """What an option stands for, how many of the things found mean it, and the project or place of most of them."""

    label: str
    count: int
    context: str


class ClarificationDocument(TypedDict):
    """One question back, with options that are each a complete question to ask instead; ``readings`` in their order."""

    question: str
    options: list[str]
    readings: list[ReadingDocument]


class ProblemDocument(TypedDict):
    """What went wrong with a source; ``code`` is stable, ``retry_after`` in seconds."""

    code: str
    message: str
    retry_after: float | None


class RungAskedDocument(TypedDict):
    """One rung that was sent to a source, and how many hits it gave."""

    label: str
    rung: int
    returned: int


class LeftOutDocument(TypedDict):
    """So many hits did not satisfy the question, for this reason."""

    reason: str
    count: int


class SourceDocument(TypedDict):
    """How one source took part. ``took`` and ``age`` in seconds; ``total``: what the source says it has.

    ``credential``: ``shared`` by everybody, the asker's own (``person``), ``none``, or "" where it was not asked.
    """

    source: str
    title: str
    category: str | None
    status: str
    headline: str
    took: float
    requests: int
    sent: list[NativeDocument]
    asked: list[RungAskedDocument]
    returned: int
    shown: int
    total: int | None
    covers: list[str] | None
    age: float | None
    left_out: list[LeftOutDocument]
    losses: list[LossDocument]
    notes: list[str]
    problem: ProblemDocument | None
    credential: str


class OutcomeDocument(TypedDict):
    """How one source did, as soon as it is known; ``took`` in seconds."""

    source: str
    title: str
    status: str
    returned: int
    took: float
    requests: int
    problem: ProblemDocument | None


class FollowUpDocument(TypedDict):
    """A question that goes on from the one before it: as it was typed, how it was taken in words for people, what was carried over.

    ``known``: whether the one before it still was.
    """

    said: str
    taken: str
    carried: str
    known: bool


class AnswerDocument(TypedDict):
    """The whole answer; ``took`` and ``budget`` in seconds. ``conversation``: what the next question sends to go on from this one."""

    question: QueryDocument
    summary: str
    statements: list[StatementDocument]
    worded_by: str
    citations: list[CitationDocument]
    confidence: str
    conflicts: list[str]
    clarification: ClarificationDocument | None
    suggestions: list[str]
    results: list[ResultDocument]
    sources: list[SourceDocument]
    notes: list[str]
    took: float
    budget: float
    follow: FollowUpDocument | None
    conversation: str


def answer_document(answer: Answer, conversation: str = "") -> AnswerDocument:
    """Everything that is known of an answer.

    >>> from orchestrator.model import Answer, Plan
    >>> from translators.query import Query
    >>> document = answer_document(Answer(Plan(Query("okta"), ()), (), ()))
    >>> document["question"]["text"], document["confidence"], document["results"]
    ('okta', 'none', [])
    """
    outcomes = {outcome.source: outcome for outcome in answer.outcomes}
    return {
        "question": query_document(answer.query),
        "summary": answer.summary,
        "statements": [
            {"part": str(each.part), "text": each.text, "numbers": list(each.numbers)} for each in answer.statements
        ],
        "worded_by": answer.worded_by,
        "citations": [citation_document(citation) for citation in answer.citations],
        "confidence": str(answer.confidence),
        "conflicts": list(answer.conflicts),
        "clarification": _clarification(answer.clarification),
        "suggestions": list(answer.suggestions),
        "results": [result_document(result) for result in answer.results],
        "sources": [_source(entry, outcomes.get(entry.source)) for entry in receipt(answer)],
        "notes": list(answer.notes),
        "took": round(answer.took, 4),
        "budget": answer.plan.budget,
        "follow": _follow(answer),
        "conversation": conversation,
    }


def outcome_document(outcome: Outcome) -> OutcomeDocument:
    """How one source did, before the answer is there."""
    problem: ProblemDocument | None = None
    if (said := outcome.problem) is not None:
        problem = {"code": said.code, "message": said.message, "retry_after": said.retry_after}
    return {
        "source": outcome.source,
        "title": outcome.title,
        "status": str(outcome.status),
        "returned": len(outcome.hits),
        "took": round(outcome.took, 4),
        "requests": outcome.requests,
        "problem": problem,
    }


def _follow(answer: Answer) -> FollowUpDocument | None:
    followed = answer.follow
    if followed is None:
        return None
    taken = said_in(taken_as(followed, answer.query.text), answer.query.language)
    return {"said": followed.said, "taken": taken, "carried": followed.carried, "known": not followed.lost}


def _clarification(asked: Clarification | None) -> ClarificationDocument | None:
    if asked is None:
        return None
    readings: list[ReadingDocument] = [
        {"label": each.label, "count": each.count, "context": each.context} for each in asked.readings
    ]
    return {"question": asked.question, "options": list(asked.options), "readings": readings}


def _source(entry: ReceiptLine, outcome: Outcome | None) -> SourceDocument:
    return {
        "source": entry.source,
        "title": entry.title,
        "category": str(entry.category) if entry.category else None,
        "status": str(entry.status),
        "headline": entry.headline,
        "took": round(entry.took, 4),
        "requests": entry.requests,
        "sent": [native_document(native) for native in outcome.sent] if outcome else [],
        "asked": [{"label": each.label, "rung": each.rung, "returned": each.returned} for each in entry.asked],
        "returned": entry.returned,
        "shown": entry.shown,
        "total": entry.total,
        "covers": list(entry.covers) if entry.covers else None,
        "age": entry.age,
        "left_out": [{"reason": each.reason, "count": each.count} for each in entry.left_out],
        "losses": [loss_document(loss) for loss in entry.losses],
        "notes": list(entry.notes),
        "problem": _problem(entry),
        "credential": entry.signed,
    }


def _problem(entry: ReceiptLine) -> ProblemDocument | None:
    if not entry.problem:
        return None
    return {"code": entry.code or str(entry.status), "message": entry.problem, "retry_after": entry.retry_after}
