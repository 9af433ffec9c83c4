"""``/v1/digests``: a caller's own digests and saved searches: listed, previewed, run; made, read, changed and removed."""

import math
from collections.abc import Awaitable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import ConfigDict, Field, JsonValue, SecretStr, StringConstraints
from typing_extensions import TypedDict

from connectors.errors import SourceError, Throttled
from orchestrator.access import Caller, Scope
from orchestrator.digests import Alert, Digest, Maker, NotDefined, as_data, from_data, message_of
from orchestrator.digests.definitions import short_name
from orchestrator.digests.service import definition_document, outgoing_document, standing_document
from orchestrator.settings.digests import DefinitionSettings, DigestSettings
from orchestrator.surfaces.http.bodies import Body, Text
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS, Refused
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState
from translators.said import LanguageCode, Said, joined, quoting

T = TypeVar("T")
NO_SINCE = Said("a saved search has no `since`; leave it out, or ask /v1/search")
NO_DIGEST = Said("you have no digest called {name}; GET /v1/digests lists those you have")
AGAIN = 5  # seconds after which what did not answer may
Since = Annotated[
    str,
    Query(max_length=200, description="From then on: `yesterday`, `지난주`, `2026-11-16`; empty: since the last run"),
]
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


class DigestList(TypedDict):
    """Definitions, when they are due, what could not be delivered."""

    digests: list[dict[str, Any]]


class DigestDefined(TypedDict):
    """How a definition stands, with what it says under ``settings``: without secrets, a webhook by its host only.

    ``origin``: ``settings`` of this installation, or the ``person``.
    """

    name: str
    origin: Literal["settings", "person"]
    person: str
    kind: Literal["digest", "search"]
    title: str
    schedule: str
    zone: str
    paused: bool
    due: str | None
    last: dict[str, Any] | None
    waiting: list[dict[str, Any]]
    dead: list[dict[str, Any]]
    settings: dict[str, Any]


class DigestShown(TypedDict):
    """A digest or an alert: ``content`` for programs, ``markdown`` for people."""

    content: dict[str, Any]
    markdown: str


class DigestRun(DigestShown):
    """What was made, and how its deliveries stand."""

    deliveries: list[dict[str, Any]]


def digest_routes(services: Services, state: ServerState) -> APIRouter:
    """``/v1/digests``. A saved search is listed as ``search/NAME``: a name may hold a slash."""
    missing: dict[int | str, dict[str, Any]] = {
        404: {**REFUSALS[400], "description": "You have no digest of that name."}
    }
    router = APIRouter(prefix="/v1/digests", tags=["digests"], responses=REFUSALS | missing)
    reading = Annotated[Caller, Depends(wants(Scope.DIGESTS, services))]

    @router.get("", response_model=DigestList)
    async def list_digests(caller: reading) -> Response:
        """Your digests and saved searches."""
        found = await told(state.digests.standings([caller.principal.id]))
        return json_reply({"digests": [standing_document(each) for each in found]})

    @router.get("/{name:path}", response_model=DigestShown)
    async def preview_digest(name: str, caller: reading, since: Since = "") -> Response:
        """What would be sent now, or what happened since some time; nothing is kept or sent."""
        digest_service, (full, wished) = state.digests, await own_digest(name, caller, state)
        if since and not isinstance(wished, DigestSettings):
            raise Refused(422, "no_since", NO_SINCE)
        if since and isinstance(wished, DigestSettings):
            return json_reply(_shown(await told(digest_service.since(since, wished, short_name(full)))))
        return json_reply(_shown(await told(digest_service.runs.preview(full))))

    @router.post("/{name:path}/run", response_model=DigestRun)
    async def run_digest(name: str, caller: reading) -> Response:
        """Make it now and deliver it; what it tells is not told again."""
        full, _ = await own_digest(name, caller, state)
        kept = await told(state.digests.runs.now(full))
        sent = await told(state.digests.deliver(kept.digest, kept.due))
        shown = _shown(from_data(kept.content))
        return json_reply({**shown, "deliveries": [outgoing_document(each) for each in sent]})

    return router


async def own_digest(name: str, caller: Caller, state: ServerState) -> tuple[str, DefinitionSettings]:
    """A definition of the caller's with its full name: it is read with their rights, and nobody else's."""
    who = caller.principal.id
    found = (await told(state.digests.catalogue.definitions([who]))).owned(name, who)
    if found is None:
        raise Refused(404, "no_digest", NO_DIGEST.filled(name=repr(name)))
    return found


async def told(work: Awaitable[T]) -> T:
    """What ``work`` comes to. Raises :class:`Refused` where the database or the sources do not answer."""
    try:
        return await work
    except Throttled as failure:
        wait = math.ceil(failure.retry_after or AGAIN)
        raise Refused(429, "too_many_requests", quoting(failure.message), {"Retry-After": str(wait)}) from None
    except SourceError as failure:
        raise Refused(503, failure.code, quoting(failure.message), {"Retry-After": str(AGAIN)}) from None


def _shown(content: Digest | Alert) -> DigestShown:
    return {"content": as_data(content), "markdown": message_of(content).markdown}


class DigestChanges(Body):
    """What is to be changed; the rest stays. The settings are those of a file, and mean the same."""

    title: Line = ""
    called: Line = Field(default="", description="What the sources call you, if not what your key or token does")
    aliases: Lines = Field(default_factory=list, description="Other names that the sources have for you")
    language: LanguageCode = "en"
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

    def maker(request: Request, caller: Caller, action: str, name: str) -> Maker:
        async def noted() -> None:
            who, at = caller.principal.id, services.clock()
            await services.audit.noted(who, f"digest {action}", name, at, request.scope["request_id"])

        return Maker(caller.principal, noted=noted)

    @router.post("", status_code=201, response_model=DigestDefined)
    async def create_digest(body: NewDigest, request: Request, caller: making) -> Response:
        """Define a digest or a saved search of your own; it runs on its schedule from now on."""
        who = maker(request, caller, "defined", body.name)
        full = await _taken(state.digests.defining.create(who, body.name, body.kind, body.said()))
        return await shown(full, 201)

    @router.get("/{name:path}/definition", response_model=DigestDefined)
    async def read_definition(name: Name, caller: reading) -> Response:
        """What one of yours says, wherever it was defined, and how it stands."""
        full, _ = await own_digest(name, caller, state)
        return await shown(full)

    @router.patch("/{name:path}", response_model=DigestDefined)
    async def change_digest(name: Name, body: DigestChanges, request: Request, caller: making) -> Response:
        """Change what you send of a digest, and leave the rest."""
        who = maker(request, caller, "changed", name)
        full = await _taken(state.digests.defining.change(who, name, body.said()))
        return await shown(full)

    @router.delete("/{name:path}", status_code=204, response_class=Response)
    async def remove_digest(name: Name, request: Request, caller: making) -> Response:
        """Remove one of yours, with all that was kept of its runs."""
        await _taken(state.digests.defining.remove(maker(request, caller, "removed", name), name))
        return Response(status_code=204)

    return router


async def _taken(work: Awaitable[T]) -> T:
    try:
        return await told(work)
    except NotDefined as failure:
        at = f"/body/{failure.field.replace('.', '/')}: " if failure.field else ""
        said = joined("", (at, failure.message))
        raise Refused(STATUSES.get(failure.code, OTHERWISE), failure.code, said) from None
