"""``/v1/digests``: a caller's own digests and saved searches: listed, previewed, run."""

import math
from collections.abc import Awaitable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Query, Response
from typing_extensions import TypedDict

from connectors.errors import SourceError, Throttled
from orchestrator.access import Caller, Scope
from orchestrator.digests import Alert, Digest, as_data, from_data, message_of
from orchestrator.digests.definitions import short_name
from orchestrator.digests.listing import outgoing_document, standing_document
from orchestrator.settings.digests import DefinitionSettings, DigestSettings
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import Refused
from orchestrator.surfaces.http.refusals import REFUSALS
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState

T = TypeVar("T")
AGAIN = 5  # seconds after which what did not answer may
Since = Annotated[
    str,
    Query(max_length=200, description="From then on: `yesterday`, `지난주`, `2026-11-16`; empty: since the last run"),
]


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
        desk, (full, wished) = state.digests, await own_digest(name, caller, state)
        if since and not isinstance(wished, DigestSettings):
            raise Refused(422, "no_since", "a saved search has no `since`; leave it out, or ask /v1/search")
        if since and isinstance(wished, DigestSettings):
            return json_reply(_shown(await told(desk.since(since, wished, short_name(full)))))
        return json_reply(_shown(await told(desk.runs.preview(full))))

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
    found = (await told(state.digests.library.book([who]))).owned(name, who)
    if found is None:
        raise Refused(404, "no_digest", f"you have no digest called {name!r}; GET /v1/digests lists those you have")
    return found


async def told(work: Awaitable[T]) -> T:
    """What ``work`` comes to. Raises :class:`Refused` where the database or the sources do not answer."""
    try:
        return await work
    except Throttled as failure:
        wait = math.ceil(failure.retry_after or AGAIN)
        raise Refused(429, "too_many_requests", failure.message, {"Retry-After": str(wait)}) from None
    except SourceError as failure:
        raise Refused(503, failure.code, failure.message, {"Retry-After": str(AGAIN)}) from None


def _shown(content: Digest | Alert) -> DigestShown:
    return {"content": as_data(content), "markdown": message_of(content).markdown}
