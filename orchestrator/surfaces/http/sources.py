"""``/v1/sources``: what is configured, whether it answers, and what to do where it does not."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from orchestrator.access import Caller, Scope
from orchestrator.documents.sources import SourceStates, source_states
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.refusals import REFUSALS
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState


def source_routes(services: Services, state: ServerState) -> APIRouter:
    """``/v1/sources``."""
    router = APIRouter(prefix="/v1", tags=["sources"], responses=REFUSALS)
    seeing = Annotated[Caller, Depends(wants(Scope.SOURCES, services))]

    @router.get("/sources", response_model=SourceStates)
    async def sources(caller: seeing) -> Response:
        """Ask every connected source whether it answers."""
        return json_reply(await source_states(state.engine, caller.principal))

    return router
