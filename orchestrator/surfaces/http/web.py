"""The public web over HTTP: search with judged reliability, one page, an answer grounded on a Google search."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import Field

from connectors.errors import SourceError, Throttled
from orchestrator.access import Caller, Scope
from orchestrator.documents.web import (
    FindingsDocument,
    GroundedDocument,
    PageDocument,
    findings_document,
    grounded_document,
    page_document,
)
from orchestrator.surfaces.http.bodies import Body
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS, Refused
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState
from orchestrator.websearch import PageUnread, Refusal, Strategy, WebQuery
from orchestrator.websearch.query import MOST_RESULTS, SHORTEST
from translators.said import quoting

REACHABLE = {**REFUSALS, 502: {**REFUSALS[503], "description": "The search service, or the page, did not answer."}}


class WebSearchBody(Body):
    """What to search the web for."""

    query: str = Field(max_length=2000, description=f"At least {SHORTEST} characters")
    strategy: Strategy = Strategy.ALL
    tier: int | None = Field(default=None, ge=1, le=4, description="Only pages of this tier")
    max_results: int = Field(default=10, ge=1, description=f"At most {MOST_RESULTS}; of more, so many, with a warning")
    feedback: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(default_factory=list, max_length=3)
    read: int = Field(default=0, ge=0, le=10, description="Read the first so many pages themselves")


class WebPageBody(Body):
    """Which page to read, and what for."""

    url: str = Field(min_length=1, max_length=2000)
    prompt: str = Field(default="", max_length=2000)


class WebAnswerBody(Body):
    """What to answer on the grounds of a Google search."""

    query: str = Field(max_length=2000)
    resolve: bool = Field(default=False, description="Show where the sources' redirects lead")


def web_routes(services: Services, state: ServerState) -> APIRouter:
    """``/v1/web/search``, ``/v1/web/page``, ``/v1/web/answer``."""
    router = APIRouter(prefix="/v1/web", tags=["web"], responses=REACHABLE)
    asking = Annotated[Caller, Depends(wants(Scope.WEB, services))]

    @router.post("/search", response_model=FindingsDocument)
    async def web_search(body: WebSearchBody, caller: asking) -> Response:  # noqa: ARG001
        """Search the public web; every page has a tier and a reliability."""
        query = WebQuery(body.query, body.tier, body.max_results)
        try:
            findings = await state.web.search(query, body.strategy)
            for said in body.feedback:
                findings = await state.web.widen(findings, said)
            findings = await state.web.look_into(findings, body.read) if body.read else findings
        except SourceError as failure:
            raise unreached(failure) from None
        return json_reply(findings_document(findings))

    @router.post("/page", response_model=PageDocument)
    async def web_page(body: WebPageBody, caller: asking) -> Response:  # noqa: ARG001
        """Read one page of the public web, as far as it says something to the prompt."""
        try:
            return json_reply(page_document(await state.web.fetch(body.url, body.prompt)))
        except PageUnread as failure:
            status = 400 if failure.refusal is Refusal.ADDRESS else 502
            raise Refused(status, f"page_{failure.refusal}", quoting(failure.message)) from None

    @router.post("/answer", response_model=GroundedDocument)
    async def web_answer(body: WebAnswerBody, caller: asking) -> Response:  # noqa: ARG001
        """Have Gemini answer on the grounds of a Google search, every statement with its source."""
        try:
            found = await state.web.grounded(body.query)
        except SourceError as failure:
            raise unreached(failure) from None
        return json_reply(grounded_document(await state.web.resolved(found) if body.resolve else found))

    return router


def unreached(failure: SourceError) -> Refused:
    """A service outside that did not answer."""
    after = failure.retry_after if isinstance(failure, Throttled) else None
    headers = {"Retry-After": str(max(1, round(after)))} if after else {}
    return Refused(502, f"web_{failure.code}", quoting(failure.message), headers)
