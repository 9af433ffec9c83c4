"""Rerankers over HTTP: Cohere, and a server with our own ``POST /rerank``, so that clients never hold the vendor's key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from connectors.errors import Misconfigured
from connectors.http import HttpRequest
from connectors.models.reranking import RelevanceScore
from connectors.models.service import ModelService
from connectors.wire import Wire, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.models.reranking import JudgedDocument, RerankerSettings
    from translators.translator import Json

COHERE = "https://api.cohere.com"

Index = Annotated[int, Field(ge=0, strict=True)]


class CohereResult(Wire):
    """One judged document; ``relevance_score`` is between 0 and 1."""

    index: Index
    relevance_score: float


class CohereReply(Wire):
    """The reply of ``POST /v2/rerank``."""

    results: list[CohereResult]


class ProxyResult(Wire):
    """One judged document of ``POST /rerank``."""

    id: str
    relevance: Annotated[float, Field(alias="relevanceScore")]
    index: Index


class ProxyReply(Wire):
    """The reply of ``POST /rerank``."""

    results: list[ProxyResult]


class CohereReranker:
    """https://docs.cohere.com/reference/rerank (version 2)."""

    def __init__(self, model: str, settings: RerankerSettings) -> None:
        if settings.api_key is None and not settings.base_url:
            raise Misconfigured(f"cohere/{model} needs an api_key of Cohere; put it in the environment")
        self.name = f"cohere/{model}"
        self._model = model
        self._service = ModelService("Cohere", settings.base_url or COHERE, settings.api_key)
        self._timeout = settings.timeout

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        texts: list[Json] = [each.text for each in documents]
        body: Json = {"model": self._model, "query": query, "documents": texts, "top_n": top_n}
        request = HttpRequest("POST", "v2/rerank", json=body)
        reply = await self._service.ask(request, self._timeout, lambda data: read(CohereReply, data, "Cohere"))
        return [
            RelevanceScore(
                documents[each.index].id if each.index < len(documents) else "", each.relevance_score, each.index
            )
            for each in reply.results
        ]

    async def aclose(self) -> None:
        await self._service.aclose()

    def __repr__(self) -> str:
        return f"CohereReranker({self.name!r}, {self._service!r})"


class ProxyReranker:
    """``POST /rerank {query, documents: [{id, text}], topN}`` at our own server, answering ``{results: [{id, relevanceScore, index}]}``."""

    name = "proxy"

    def __init__(self, settings: RerankerSettings) -> None:
        if not settings.base_url:
            raise Misconfigured(
                "the reranker `proxy` needs the base_url of a fedsearch server, for example http://127.0.0.1:8080"
            )
        self._service = ModelService("the rerank proxy", settings.base_url, settings.api_key)
        self._timeout = settings.timeout

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        listed: list[Json] = [{"id": each.id, "text": each.text} for each in documents]
        request = HttpRequest("POST", "rerank", json={"query": query, "documents": listed, "topN": top_n})
        reply = await self._service.ask(request, self._timeout, lambda data: read(ProxyReply, data, "the rerank proxy"))
        return [RelevanceScore(each.id, each.relevance, each.index) for each in reply.results]

    async def aclose(self) -> None:
        await self._service.aclose()

    def __repr__(self) -> str:
        return f"ProxyReranker({self._service!r})"
