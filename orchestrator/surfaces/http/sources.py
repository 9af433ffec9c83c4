"""``/v1/sources``: what is configured, whether it answers, and what to do where it does not."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from typing_extensions import TypedDict

from orchestrator.access import Scope
from orchestrator.surfaces.http.identity import Caller, wants
from orchestrator.surfaces.http.refusals import REFUSALS
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import State


class SourceState(TypedDict):
    """One configured source. ``status``: ok, failed or not connected; ``standing``: what is left of its rate."""

    name: str
    title: str
    category: str
    status: str
    account: str
    advice: str
    standing: str


class SourceStates(TypedDict):
    """Every configured source."""

    sources: list[SourceState]


def source_routes(services: Services, state: State) -> APIRouter:
    """``/v1/sources``."""
    router = APIRouter(prefix="/v1", tags=["sources"], responses=REFUSALS)
    seeing = Annotated[Caller, Depends(wants(Scope.SOURCES, services))]

    @router.get("/sources", response_model=SourceStates)
    async def sources(caller: seeing) -> Response:  # noqa: ARG001
        """Ask every connected source whether it answers."""
        engine = state.engine
        health, standing = await engine.health(), await engine.standing()
        states: list[SourceState] = []
        for profile in engine.profiles:
            found = health.get(profile.name)
            status = "not connected" if found is None else ("ok" if found.ok else "failed")
            states.append(
                {
                    "name": profile.name,
                    "title": profile.title,
                    "category": str(profile.category),
                    "status": status,
                    "account": found.account if found else "",
                    "advice": found.detail if found else profile.missing,
                    "standing": standing.get(profile.name, ""),
                }
            )
        return json_reply({"sources": states})

    return router
