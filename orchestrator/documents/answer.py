"""A whole answer as one JSON object: results, summary, and the receipt of every source.

Of each ranked result, everything that put it where it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from orchestrator.answer import receipt
from orchestrator.dialogue import taken_as
from orchestrator.documents.plan import LossDocument, NativeDocument, loss_document, native_document
from orchestrator.documents.question import QueryDocument, query_document
from translators.said import said_in

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.answer import ReceiptLine
    from orchestrator.model import Answer, Citation, Clarification, Outcome, Result


class HitDocument(TypedDict):
    """One thing that a source returned; moments as ISO 8601 with an offset."""

    source: str
    id: str
    kind: str
    title: str
    url: str
    snippet: str
    author: str | None
    assignee: str | None
    container: str | None
    state: str | None
    created: str | None
    updated: str | None
    facts: dict[str, str | int | float | bool | list[str] | None]


class EvidenceDocument(TypedDict):
    """Which source's list held the result, at which rank, on which rung."""

    source: str
    rank: int
    rung: int
    score: float | None


class RelatedDocument(TypedDict):
    """Another result that is about the same matter."""

    source: str
    id: str


class ResultDocument(HitDocument):
    """A ranked hit. ``number`` is what citations call it; ``factors`` (0 to 1) and ``why`` explain its place."""

    number: int
    score: float
    factors: dict[str, float]
    why: list[str]
    unverified: list[str]
    evidence: list[EvidenceDocument]
    also: list[HitDocument]
    related: list[RelatedDocument]


class CitationDocument(TypedDict):
    """What ``[number]`` in the summary points at, and the words quoted from it."""

    number: int
    source: str
    id: str
    url: str
    quote: str


def result_document(result: Result) -> ResultDocument:
    """A ranked result with everything that put it where it stands."""
    return {
        "number": result.number,
        **hit_document(result.hit),
        "score": result.score,
        "factors": dict(result.factors),
        "why": list(result.why),
        "unverified": list(result.unverified),
        "evidence": [
            {"source": each.source, "rank": each.rank, "rung": each.rung, "score": each.score}
            for each in result.evidence
        ],
        "also": [hit_document(hit) for hit in result.also],
        "related": [{"source": source, "id": name} for source, name in result.related],
    }


def hit_document(hit: Hit) -> HitDocument:
    """One thing that a source returned."""
    return {
        "source": hit.source,
        "id": hit.id,
        "kind": str(hit.kind),
        "title": hit.title,
        "url": hit.url,
        "snippet": hit.snippet,
        "author": str(hit.author) if hit.author else None,
        "assignee": str(hit.assignee) if hit.assignee else None,
        "container": str(hit.container) if hit.container else None,
        "state": str(hit.state) if hit.state else None,
        "created": hit.created.isoformat() if hit.created else None,
        "updated": hit.updated.isoformat() if hit.updated else None,
        "facts": {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in hit.facts.items()},
    }


def citation_document(citation: Citation) -> CitationDocument:
    """What ``[number]`` in the summary points at."""
    hit = citation.result.hit
    return {"number": citation.number, "source": hit.source, "id": hit.id, "url": hit.url, "quote": citation.quote}


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
