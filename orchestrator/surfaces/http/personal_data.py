"""``/v1/kept``: people see how much is kept of them, and have it forgotten."""

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from typing_extensions import TypedDict

from connectors.errors import SourceError
from orchestrator.access import STAYS, Caller, PersonalData, Scope
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS, Refused, accepted
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from storage.logs import log_of
from translators.said import Said, said_in

UNREACHED = Said("what is kept of you cannot be reached just now; try again")
AGAIN = {"Retry-After": "5"}
log = log_of(__name__)


class KeptOfCaller(TypedDict):
    """How much of the caller's is in each place, by its stable name."""

    kept: dict[str, int]


class ForgottenOfCaller(TypedDict):
    """How much was forgotten in each place, and what ``stays``, in a sentence."""

    forgotten: dict[str, int]
    stays: str


def personal_data_routes(
    services: Services, opened: Callable[[], AbstractAsyncContextManager[PersonalData]]
) -> APIRouter:
    """``GET`` and ``DELETE`` of what is kept of the caller."""
    router = APIRouter(prefix="/v1/kept", tags=["people"], responses=REFUSALS)
    being = Annotated[Caller, Depends(wants(Scope.SEARCH, services))]
    forgetting = Annotated[Caller, Depends(wants(Scope.DEFINE, services))]  # digests go, too

    @router.get("", response_model=KeptOfCaller)
    async def show_kept(caller: being) -> Response:
        """How much is kept of the caller, and where."""
        with reaching():
            async with opened() as data:
                return json_reply({"kept": dict(await data.kept(caller.principal.id))})

    @router.delete("", response_model=ForgottenOfCaller)
    async def forget_kept(request: Request, caller: forgetting) -> Response:
        """Forget all of it: accounts are ended at their vendors, digests are sent no more."""
        who = caller.principal.id

        async def noted() -> None:
            await services.audit.noted(who, "data forgotten", who, services.clock(), request.scope["request_id"])

        with reaching():
            async with opened() as data:
                gone = await data.forget(who, noted)
        return json_reply({"forgotten": dict(gone), "stays": said_in(STAYS, accepted(request))})

    return router


@contextmanager
def reaching() -> Iterator[None]:
    """A place that cannot be reached, as :class:`Refused`; which one it is, the log knows."""
    try:
        yield
    except (SourceError, OSError) as failure:
        log.warning("what is kept of somebody", error=type(failure).__name__, said=str(failure))
        raise Refused(503, "not_reached", UNREACHED, AGAIN) from None
