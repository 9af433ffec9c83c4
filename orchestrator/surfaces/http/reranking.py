"""``/rerank``: documents in the order of their relevance, so that clients never hold the vendor's key.

Request and reply are camelCase, as the programs that already speak to such a proxy have them; every document is judged.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import AliasChoices, ConfigDict, Field
from typing_extensions import TypedDict

from connectors.models.reranking import CHARACTERS, TOP_N, JudgedDocument, rerank
from connectors.passages import opening
from orchestrator.access import Caller, Scope
from orchestrator.surfaces.http.bodies import Body
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState

MOST_DOCUMENTS = 200
LONGEST_QUERY = 2000
LONGEST_ID = 500
ESCAPED = 6  # bytes of a character in JSON at most: \uXXXX
# What a body may have, as there may be so many documents: what is read of each, and as much again that is not.
MOST_BYTES = ESCAPED * (LONGEST_QUERY + MOST_DOCUMENTS * (2 * CHARACTERS + LONGEST_ID))
PATHS = OLD, PATH = "/rerank", "/v1/rerank"


class RerankDocument(Body):
    """One document; its text is read up to 1,000 characters."""

    id: str = Field(max_length=LONGEST_ID)
    text: str


class RerankBody(Body):
    """What to put in order, and by what."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "환불 규정", "documents": [{"id": "a", "text": "환불은 7일 안에"}]}]}
    )

    query: str = Field(max_length=LONGEST_QUERY)
    documents: list[RerankDocument] = Field(max_length=MOST_DOCUMENTS)
    top_n: int = Field(default=TOP_N, validation_alias=AliasChoices("topN", "top_n"), ge=1, le=MOST_DOCUMENTS)


class RerankResult(TypedDict):
    """One document: its relevance from 0 to 1, and its place among those given."""

    id: str
    relevanceScore: float
    index: int


class RerankReply(TypedDict):
    """Best first; the original order where nothing could be judged."""

    results: list[RerankResult]


def rerank_routes(services: Services, state: ServerState) -> APIRouter:
    """``/rerank``, and the same as ``/v1/rerank``."""
    router = APIRouter(tags=["reranking"], responses=REFUSALS)
    asking = Annotated[Caller, Depends(wants(Scope.RERANK, services))]

    @router.post(OLD, response_model=RerankReply, name="rerank_at_root")
    @router.post(PATH, response_model=RerankReply, name="rerank")
    async def reranked(body: RerankBody, caller: asking) -> Response:  # noqa: ARG001
        """Put documents in the order of their relevance to a query; on any failure they stay in theirs."""
        documents = [JudgedDocument(each.id, opening(each.text, CHARACTERS)) for each in body.documents]
        patience = services.rerank_patience
        judged = await rerank(state.reranker, body.query, documents, body.top_n, most=MOST_DOCUMENTS, patience=patience)
        return json_reply(
            {"results": [{"id": each.id, "relevanceScore": each.score, "index": each.index} for each in judged.results]}
        )

    return router
