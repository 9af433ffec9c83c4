"""Rerankers over HTTP: Cohere, and a server with our own ``POST /rerank``, so that clients never hold the vendor's key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from connectors.contract import Call, Credential
from connectors.errors import Misconfigured, SourceError, Unauthenticated
from connectors.http import HttpRequest, error_for
from connectors.models.reranking import RelevanceScore
from connectors.transport import AiohttpTransport
from connectors.wire import Wire, read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.models.reranking import JudgedDocument, RerankerSettings
    from translators.translator import Json

COHERE = "https://api.cohere.com"
CONCURRENCY = 4

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


class RerankService:
    """One exchange with a reranking service; the secret is in no error and no repr."""

    def __init__(self, title: str, base_url: str, settings: RerankerSettings) -> None:
        self._title = title
        self._base_url = base_url
        self._secret = settings.api_key.get_secret_value() if settings.api_key else ""
        self._timeout = settings.timeout
        self._transport = AiohttpTransport(base_url, _bearer, CONCURRENCY)

    async def post(self, path: str, body: Json) -> object:
        """The parsed reply; raises :class:`SourceError`."""
        credential = Credential(self._secret) if self._secret else None
        call = Call(credential=credential, timeout=self._timeout)
        try:
            reply = await self._transport.send(HttpRequest("POST", path, json=body), call)
            problem = error_for(reply, f"{self._title} answered HTTP {reply.status}")
            if isinstance(problem, Unauthenticated):
                problem = Unauthenticated(f"{problem.message}; is the api_key right?")
            if problem is not None:
                raise problem
        except SourceError as failure:
            raise failure.without(self._secret) from None
        return reply.data

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    def __repr__(self) -> str:
        return f"RerankService({self._base_url!r})"


class CohereReranker:
    """https://docs.cohere.com/reference/rerank (version 2)."""

    def __init__(self, model: str, settings: RerankerSettings) -> None:
        if settings.api_key is None and not settings.base_url:
            raise Misconfigured(f"cohere/{model} needs an api_key of Cohere; put it in the environment")
        self.name = f"cohere/{model}"
        self._model = model
        self._service = RerankService("Cohere", settings.base_url or COHERE, settings)

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        texts: list[Json] = [each.text for each in documents]
        body: Json = {"model": self._model, "query": query, "documents": texts, "top_n": top_n}
        reply = read(CohereReply, await self._service.post("v2/rerank", body), "Cohere")
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
        self._service = RerankService("the rerank proxy", settings.base_url, settings)

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        listed: list[Json] = [{"id": each.id, "text": each.text} for each in documents]
        data = await self._service.post("rerank", {"query": query, "documents": listed, "topN": top_n})
        return [
            RelevanceScore(each.id, each.relevance, each.index)
            for each in read(ProxyReply, data, "the rerank proxy").results
        ]

    async def aclose(self) -> None:
        await self._service.aclose()

    def __repr__(self) -> str:
        return f"ProxyReranker({self._service!r})"


def _bearer(secret: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {secret}"}
