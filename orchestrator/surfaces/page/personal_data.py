"""The page on which readers see how much is kept of them, and have it forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.errors import SourceError
from orchestrator.access import STAYS
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response

    from orchestrator.access import PersonalData
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.visiting import Visit

FORGET = "forget"


async def show_kept(visit: Visit, services: PageServices) -> Response:
    """How much of the reader's is where."""
    caller = await visit.caller()
    try:
        async with services.personal_data() as data:
            return _page(visit, data, await data.kept(caller.principal.id))
    except (SourceError, OSError):
        return _away(visit)


async def forget_kept(visit: Visit, services: PageServices) -> Response:
    """Forget all of it, where the box beside the button is ticked as well."""
    caller, fields = await visit.caller(), await visit.form()
    if fields.get("do") != FORGET:
        heading, said = visit.words["problem"], visit.words["problem forged"]
        return visit.page("refused.html", 403, heading=heading, message=said, again="/kept")
    who = caller.principal.id
    try:
        async with services.personal_data() as data:
            if fields.get("sure") != "yes":
                return _page(visit, data, await data.kept(who), visit.words["kept unsure"], 409)
            gone = await data.forget(who, lambda: services.noted(visit.request, caller, "data forgotten", who))
            done = visit.words["kept forgotten" if any(gone.values()) else "kept nothing"]
            return _page(visit, data, await data.kept(who), done)
    except (SourceError, OSError):
        return _away(visit)


def _page(visit: Visit, data: PersonalData, kept: Mapping[str, int], message: str = "", status: int = 200) -> Response:
    rows = [(said_in(data.titles[name], visit.language), count) for name, count in kept.items() if count]
    return visit.page("kept.html", status, rows=rows, message=message, stays=said_in(STAYS, visit.language))


def _away(visit: Visit) -> Response:
    heading, said = visit.words["problem"], visit.words["kept away"]
    return visit.page("refused.html", 503, heading=heading, message=said, again="/kept")
