"""What the public web said, as JSON objects: findings, one page, a grounded answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from orchestrator.websearch import title_of
from translators.said import said_in

if TYPE_CHECKING:
    from orchestrator.websearch import Findings, GroundedAnswer, WebPage, WebResult


class WebResultDocument(TypedDict):
    """One page: ``tier`` 1 (official) to 4, ``reliability_score`` 0 to 100; ``content`` where the page itself was read."""

    number: int
    title: str
    url: str
    snippet: str
    tier: int
    reliability_score: int
    reason: str
    published: str | None
    found_by: str
    content: str | None


class LeftOutUrlDocument(TypedDict):
    """A result that cannot be shown, and why."""

    url: str
    reason: str


class FindingsDocument(TypedDict):
    """What a search found; ``found`` counts all that came back, ``keyword`` was added on feedback."""

    query: str
    strategy: str
    tiers: list[int]
    keyword: str | None
    results: list[WebResultDocument]
    found: int
    left_out: list[LeftOutUrlDocument]
    warnings: list[str]


class PageDocument(TypedDict):
    """One page as far as it says something to the prompt. ``length`` in characters, ``age`` in seconds."""

    url: str
    title: str
    content: str
    tier: int
    reliability_score: int
    reason: str
    matched: bool
    published: str | None
    length: int
    age: float


class WebSourceDocument(TypedDict):
    """What ``[number]`` in a grounded answer points at."""

    number: int
    title: str
    url: str


class GroundedDocument(TypedDict):
    """A grounded answer, with and without its markers; ``markers`` are character spans of ``answer``."""

    query: str
    answer: str
    plain: str
    markers: list[list[int]]
    sources: list[WebSourceDocument]
    searched: list[str]
    refusal: str | None


def findings_document(findings: Findings) -> FindingsDocument:
    """Findings; what is said of them is in the query's language."""
    language = findings.query.language
    return {
        "query": findings.query.text,
        "strategy": str(findings.strategy),
        "tiers": list(findings.tiers),
        "keyword": findings.keyword or None,
        "results": [_result(number, result, findings) for number, result in enumerate(findings.results, 1)],
        "found": len(findings.pool),
        "left_out": [{"url": each.url, "reason": said_in(each.reason, language)} for each in findings.left_out],
        "warnings": [said_in(each, language) for each in findings.warnings],
    }


def page_document(page: WebPage) -> PageDocument:
    """One page."""
    return {
        "url": page.url,
        "title": page.title,
        "content": page.content,
        "tier": page.verdict.tier,
        "reliability_score": page.verdict.reliability,
        "reason": page.verdict.reason,
        "matched": page.matched,
        "published": page.published or None,
        "length": page.length,
        "age": round(page.age, 1),
    }


def grounded_document(answer: GroundedAnswer) -> GroundedDocument:
    """A grounded answer."""
    cited = answer.cited
    return {
        "query": answer.query,
        "answer": cited.text,
        "plain": cited.plain,
        "markers": [list(span) for span in cited.spans],
        "sources": [
            {"number": number, "title": title_of(source), "url": source.uri}
            for number, source in enumerate(cited.sources, 1)
        ],
        "searched": list(answer.searched),
        "refusal": answer.refusal or None,
    }


def _result(number: int, result: WebResult, findings: Findings) -> WebResultDocument:
    return {
        "number": number,
        "title": result.title,
        "url": result.url,
        "snippet": result.snippet,
        "tier": result.tier,
        "reliability_score": result.reliability,
        "reason": said_in(result.verdict.reason, findings.query.language),
        "published": result.published.isoformat() if result.published else None,
        "found_by": result.found_by,
        "content": findings.content(result) or None,
    }
