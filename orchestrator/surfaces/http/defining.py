"""``/v1/digests``: callers make, read, change and remove digests and saved searches of their own."""

from collections.abc import Awaitable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import ConfigDict, Field, JsonValue, SecretStr, StringConstraints

from orchestrator.access import Caller, Scope
from orchestrator.digests import Maker, NotDefined
from orchestrator.digests.listing import definition_document
from orchestrator.surfaces.http.bodies import Body, Text
from orchestrator.surfaces.http.digests import DigestDefined, own_digest, told
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import Refused
from orchestrator.surfaces.http.refusals import REFUSALS
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState

T = TypeVar("T")
MOST = 50  # of each list
STATUSES = {"no_digest": 404, "name_taken": 409, "of_the_settings": 409, "too_many": 409}
OTHERWISE = 422
EXAMPLE: dict[str, JsonValue] = {
    "name": "week",
    "period": "weekly",
    "language": "ko",
    "schedule": "0 9 * * 1",
    "zone": "Asia/Seoul",
    "deliver": ["mailto:jihyun@acme.example"],
}

Line = Annotated[str, StringConstraints(max_length=500)]
Lines = Annotated[list[Line], Field(max_length=MOST)]
Name = Annotated[str, Path(min_length=1, max_length=100, description="As `GET /v1/digests` says it")]


class DigestChanges(Body):
    """What is to be changed; the rest stays. The settings are those of a file, and mean the same."""

    title: Line = ""
    called: Line = Field(default="", description="What the sources call you, if not what your key or token does")
    aliases: Lines = Field(default_factory=list, description="Other names that the sources have for you")
    language: Literal["en", "ko"] = "en"
    zone: Annotated[str, StringConstraints(max_length=64)] = Field(default="", description="IANA time zone")
    schedule: Line = Field(default="", description="Cron: minute hour day month weekday; empty: by hand only")
    misfire: Literal["once", "skip"] = "once"
    grace: float = Field(default=3600.0, ge=0, le=31_536_000, description="Seconds after which a run is too late")
    sources: Lines = Field(default_factory=list, description="Only these; empty: all")
    deliver: Lines = Field(default_factory=list, description="`mailto:` your own address, or what is allowed here")
    secret: SecretStr | None = Field(default=None, max_length=500, description="Signs webhooks; never shown again")
    paused: bool = False
    period: Literal["daily", "weekly"] = "daily"
    about: Line = ""
    places: Lines = Field(default_factory=list, description="Only these channels, projects, spaces")
    mine: bool = False
    quiet: bool = False
    ahead: int = Field(default=7, ge=1, le=366, description="Days before a due date at which it is told")
    question: Text | None = Field(default=None, description="Of a saved search, which has none of period … ahead")

    def said(self) -> dict[str, Any]:
        """What was sent, by the names that settings have."""
        sent = {name: getattr(self, name) for name in self.model_fields_set - {"kind", "name"}}
        return {"name" if name == "called" else name: value for name, value in sent.items()}


class NewDigest(DigestChanges):
    """A digest or a saved search."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    kind: Literal["digest", "search"] = "digest"
    name: Annotated[str, StringConstraints(min_length=1, max_length=64)]


def defining_routes(services: Services, state: ServerState) -> APIRouter:
    """``POST /v1/digests``; ``GET``, ``PATCH`` and ``DELETE`` of one."""
    said = {404: "You have no digest of that name.", 409: "It is taken, or not yours to change; the detail says why."}
    more: dict[int | str, dict[str, Any]] = {
        status: {**REFUSALS[400], "description": why} for status, why in said.items()
    }
    router = APIRouter(prefix="/v1/digests", tags=["digests"], responses=REFUSALS | more)
    reading = Annotated[Caller, Depends(wants(Scope.DIGESTS, services))]
    making = Annotated[Caller, Depends(wants(Scope.DEFINE, services))]

    async def shown(full: str, status: int = 200) -> Response:
        return json_reply(definition_document(await told(state.digests.standing(full))), status)

    async def noted(request: Request, caller: Caller, action: str, name: str) -> None:
        who, at = caller.principal.id, services.clock()
        await services.audit.noted(who, f"digest {action}", name, at, request.scope["request_id"])

    @router.post("", status_code=201, response_model=DigestDefined)
    async def create_digest(body: NewDigest, request: Request, caller: making) -> Response:
        """Define a digest or a saved search of your own; it runs on its schedule from now on."""
        work = state.digests.defining.create(Maker(caller.principal), body.name, body.kind, body.said())
        full = await _taken(work)
        await noted(request, caller, "defined", body.name)
        return await shown(full, 201)

    @router.get("/{name:path}/definition", response_model=DigestDefined)
    async def read_definition(name: Name, caller: reading) -> Response:
        """What one of yours says, wherever it was defined, and how it stands."""
        full, _ = await own_digest(name, caller, state)
        return await shown(full)

    @router.patch("/{name:path}", response_model=DigestDefined)
    async def change_digest(name: Name, body: DigestChanges, request: Request, caller: making) -> Response:
        """Change what you send of a digest, and leave the rest."""
        full = await _taken(state.digests.defining.change(Maker(caller.principal), name, body.said()))
        await noted(request, caller, "changed", name)
        return await shown(full)

    @router.delete("/{name:path}", status_code=204, response_class=Response)
    async def remove_digest(name: Name, request: Request, caller: making) -> Response:
        """Remove one of yours, with all that was kept of its runs."""
        await _taken(state.digests.defining.remove(Maker(caller.principal), name))
        await noted(request, caller, "removed", name)
        return Response(status_code=204)

    return router


async def _taken(work: Awaitable[T]) -> T:
    try:
        return await told(work)
    except NotDefined as failure:
        at = f"/body/{failure.field.replace('.', '/')}: " if failure.field else ""
        raise Refused(STATUSES.get(failure.code, OTHERWISE), failure.code, f"{at}{failure}") from None
