"""A reranker's judgments of the best results, as ranking reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.reranking import TOP, JudgedDocument, document_text, rerank

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.reranking import Reranker
    from orchestrator.model import Result

ENGLISH = "reranking failed, the order is our own: {reason}"
KOREAN = "재순위에 실패하여 자체 순서를 따릅니다: {reason}"


async def judged(
    reranker: Reranker, question: str, results: Sequence[Result], language: str, patience: float
) -> tuple[Mapping[tuple[str, str], float] | None, str]:
    """The relevance of the first results by (source, id), ``None`` and a note in the asker's language where it failed."""
    top = results[:TOP]
    # Documents go by numbers of ours: a proxy need not learn the ids of a workplace.
    documents = [
        JudgedDocument(str(place), document_text(each.hit.title, each.hit.snippet)) for place, each in enumerate(top)
    ]
    found = await rerank(reranker, question, documents, TOP, patience=patience)
    if found.problem:
        return None, (KOREAN if language == "ko" else ENGLISH).format(reason=found.problem)
    return {(top[each.index].hit.source, top[each.index].hit.id): each.score for each in found.results}, ""
