"""A ranked result, with everything that put it where it stands, as a JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.model import Citation, Result


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
