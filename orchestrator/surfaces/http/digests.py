"""``/v1/digests``: a caller's own digests and saved searches, as the settings define them: listed, previewed, run."""

from collections.abc import Awaitable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Response
from typing_extensions import TypedDict

from connectors.errors import SourceError
from orchestrator.access import Caller, Scope
from orchestrator.digests import Alert, Digest, as_data, from_data, message_of
from orchestrator.digests.listing import outgoing_document, standing_document
from orchestrator.settings.digests import DigestSettings, Planned
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import Refused
from orchestrator.surfaces.http.refusals import REFUSALS
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import State

T = TypeVar("T")
Since = Annotated[
    str,
    Query(max_length=200, description="From then on: `yesterday`, `지난주`, `2026-11-16`; empty: since the last run"),
]


class DigestList(TypedDict):
    """Definitions, when they are due, what could not be delivered."""

    digests: list[dict[str, Any]]


class DigestShown(TypedDict):
    """A digest or an alert: ``content`` for programs, ``markdown`` for people."""

    content: dict[str, Any]
    markdown: str


class DigestRun(DigestShown):
    """What was made, and how its deliveries stand."""

    deliveries: list[dict[str, Any]]


def digest_routes(services: Services, state: State) -> APIRouter:
    """``/v1/digests``."""
    missing: dict[int | str, dict[str, Any]] = {
        404: {**REFUSALS[400], "description": "You have no digest of that name."}
    }
    router = APIRouter(prefix="/v1/digests", tags=["digests"], responses=REFUSALS | missing)
    reading = Annotated[Caller, Depends(wants(Scope.DIGESTS, services))]

    @router.get("", response_model=DigestList)
    async def list_digests(caller: reading) -> Response:
        """Your digests and saved searches."""
        found = await _told(state.digests.standings([caller.principal.id]))
        return json_reply({"digests": [standing_document(each) for each in found]})

    @router.get("/{name}", response_model=DigestShown)
    async def preview_digest(name: str, caller: reading, since: Since = "") -> Response:
        """What would be sent now, or what happened since some time; nothing is kept or sent."""
        desk, wished = state.digests, _own(name, caller, state)
        if since and not isinstance(wished, DigestSettings):
            raise Refused(422, "no_since", "a saved search has no `since`; leave it out, or ask /v1/search")
        if since and isinstance(wished, DigestSettings):
            return json_reply(_shown(await _told(desk.since(since, wished, name))))
        return json_reply(_shown(await _told(desk.runs.preview(name))))

    @router.post("/{name}/run", response_model=DigestRun)
    async def run_digest(name: str, caller: reading) -> Response:
        """Make it now and deliver it; what it tells is not told again."""
        _own(name, caller, state)
        kept = await _told(state.digests.runs.now(name))
        sent = await _told(state.digests.deliver(kept.digest, kept.due))
        shown = _shown(from_data(kept.content))
        return json_reply({**shown, "deliveries": [outgoing_document(each) for each in sent]})

    return router


def _own(name: str, caller: Caller, state: State) -> Planned:
    """A definition of the caller's: it is read with their rights, and nobody else's."""
    wished = state.digests.book.owned(name, caller.principal.id)
    if wished is None:
        raise Refused(404, "no_digest", f"you have no digest called {name!r}; GET /v1/digests lists those you have")
    return wished


async def _told(work: Awaitable[T]) -> T:
    try:
        return await work
    except SourceError as failure:
        raise Refused(503, failure.code, failure.message, {"Retry-After": "5"}) from None


def _shown(content: Digest | Alert) -> DigestShown:
    return {"content": as_data(content), "markdown": message_of(content).markdown}
