"""Questions over HTTP: answered whole, taken apart, or explained without asking anybody."""

import asyncio
import json
from collections.abc import Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from orchestrator.access import Caller, Scope
from orchestrator.documents.answer import AnswerDocument, answer_document
from orchestrator.documents.plan import PlanDocument, plan_document
from orchestrator.documents.question import QueryDocument, query_document
from orchestrator.model import Answer, Ask
from orchestrator.surfaces.http.bodies import Question, Search, ask_of, traced
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS, Refused
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState


def json_reply(document: object, status: int = 200) -> Response:
    """JSON as it is. What leaves here is typed already; to check it again would cost more than the answer's ranking."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")


def search_routes(services: Services, state: ServerState) -> APIRouter:
    """``/v1/search``, ``/v1/understand``, ``/v1/explain``."""
    router = APIRouter(prefix="/v1", tags=["questions"], responses=REFUSALS)
    asking = Annotated[Caller, Depends(wants(Scope.SEARCH, services))]

    @router.post("/search", response_model=AnswerDocument)
    async def search(body: Search, request: Request, caller: asking) -> Response:
        """Ask every source and get one ranked, cited answer with the receipt of what was and was not asked."""
        ask = traced(ask_of(body, caller.principal, services), request)
        ask = await state.engine.in_context(ask, services.conversations.before(ask))
        answer = await while_connected(request, state.engine.search(ask))
        await answered(ask, answer, request.scope["request_id"], services, state)
        return json_reply(answer_document(answer, services.conversations.after(answer, ask)))

    @router.post("/understand", response_model=QueryDocument)
    async def understand(body: Question, caller: asking) -> Response:
        """Take a question apart; no source is asked."""
        query = await state.engine.understand(ask_of(body, caller.principal, services))
        return json_reply(query_document(query))

    @router.post("/explain", response_model=PlanDocument)
    async def explain(body: Question, caller: asking) -> Response:
        """What each source would be sent, and what it cannot check; no source is asked."""
        plan = await state.engine.explain(ask_of(body, caller.principal, services))
        return json_reply(plan_document(plan))

    return router


async def answered(ask: Ask, answer: Answer, request_id: str, services: Services, state: ServerState) -> None:
    """What is counted and written down of every answer."""
    state.metrics.answered(answer)
    await services.audit.asked(ask, answer, request_id)
    await services.learning.shown(ask, answer)
    await services.usage.asked(ask, answer)


async def while_connected(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """The result of ``work``, which is cancelled as soon as the caller has hung up: nobody would read it."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_gone(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refused(408, "client_closed", "the caller has closed the connection")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
