"""For whoever runs the server: is it alive, is it ready, how does it do; and ``/v1/sources``: what is configured and whether it answers."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from typing_extensions import TypedDict

from orchestrator.access import Caller, Scope
from orchestrator.documents.sources import SourceStates, source_states
from orchestrator.model import NotReady
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import STARTING, ServerState

EXPOSITION = "text/plain; version=0.0.4; charset=utf-8"


class Standing(TypedDict):
    """``status``: "ok"."""

    status: str


class Health(Standing):
    """``schedules``: whether those of digests are run ``here``, in this process, or ``elsewhere``, if anywhere."""

    schedules: Literal["here", "elsewhere"]


def operating_routes(services: Services, state: ServerState) -> APIRouter:
    """``/healthz``, ``/readyz``, ``/metrics``. The first two also for load balancers that ask with HEAD."""
    router = APIRouter(tags=["operating"])
    reading = Annotated[Caller, Depends(wants(Scope.METRICS, services))]

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", response_model=Health)
    async def healthz() -> Response:
        """The process is alive."""
        return json_reply({"status": "ok", "schedules": "here" if services.runs_schedules else "elsewhere"})

    @router.head("/readyz", include_in_schema=False)
    @router.get("/readyz", response_model=Standing, responses={503: REFUSALS[503]})
    async def readyz() -> Response:
        """Questions are answered at once, by every process of the server; 503 while one loads or shuts down."""
        if state.leaving or not (state.running and state.readiness.everywhere):
            raise NotReady(STARTING)
        return json_reply({"status": "ok"})

    @router.get("/metrics", response_class=Response, responses={200: {"content": {EXPOSITION: {}}}, **REFUSALS})
    async def metrics(caller: reading) -> Response:  # noqa: ARG001
        """Figures in Prometheus's text format."""
        if state.running is not None:
            state.metrics.standing(await state.running.standing())
        return Response(state.metrics.text(), headers={"content-type": EXPOSITION})

    return router


def source_routes(services: Services, state: ServerState) -> APIRouter:
    """``/v1/sources``."""
    router = APIRouter(prefix="/v1", tags=["sources"], responses=REFUSALS)
    seeing = Annotated[Caller, Depends(wants(Scope.SOURCES, services))]

    @router.get("/sources", response_model=SourceStates)
    async def sources(caller: seeing) -> Response:
        """Ask every connected source whether it answers."""
        return json_reply(await source_states(state.engine, caller.principal))

    return router
