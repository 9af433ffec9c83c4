"""The page on which people connect their own accounts at the sources, and withdraw them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectors.errors import SourceError
from orchestrator.access import NotConnected
from orchestrator.surfaces.page.visiting import local
from translators.said import said_in

if TYPE_CHECKING:
    from starlette.responses import Response

    from orchestrator.access import AccountStatus, Begun, Connecting
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.visiting import Visit


async def show_accounts(visit: Visit, services: PageServices) -> Response:
    """Where an account can be connected, and where the reader has."""
    caller = await visit.caller()
    reply = await _shown(visit, services.connecting, caller.principal.id, "")
    if "back" in visit.request.query_params:
        visit.remember(reply, local(visit.request.query_params["back"]))
    return reply


async def change_account(visit: Visit, services: PageServices) -> Response:
    """Begin to connect an account, or forget one."""
    caller, fields = await visit.caller(), await visit.form()
    wish, source = fields.get("do", ""), fields.get("source", "")
    if services.connecting is None or wish not in {"connect", "disconnect"}:
        return _refused(visit, 403, visit.words["problem forged"])
    who = caller.principal.id
    try:
        if wish == "connect":
            return _leaving(visit, services.connecting, source, await services.connecting.begin(who, source))
        withdrawn = await services.connecting.disconnect(
            who, source, lambda _: services.noted(visit.request, caller, "disconnected", source)
        )
    except NotConnected as failure:
        return _refused(visit, 409, said_in(failure.message, visit.language))
    except SourceError:
        return _refused(visit, 503, visit.words["accounts away"])
    said = visit.words["accounts ended" if withdrawn else "accounts forgotten"]
    return await _shown(visit, services.connecting, who, said)


def _leaving(visit: Visit, connecting: Connecting, source: str, begun: Begun) -> Response:
    """A link to follow: browsers that are told to send forms to this host alone follow no redirect of one elsewhere."""
    told = {"url": begun.url, "title": connecting.title(source)}
    reply = visit.page("accounts.html", leaving=told, accounts=(), message="")
    seconds = int(begun.within.total_seconds())
    private = connecting.is_private
    reply.set_cookie(
        connecting.cookie(begun.state), begun.ticket, seconds, secure=private, httponly=True, samesite="lax"
    )
    return reply


async def _shown(visit: Visit, connecting: Connecting | None, principal: str, message: str) -> Response:
    try:
        accounts = await connecting.accounts(principal) if connecting is not None else ()
    except SourceError:
        return _refused(visit, 503, visit.words["accounts away"])
    on = local(visit.request.query_params.get("back", "") or visit.going_to)
    told: dict[str, Any] = {"message": message, "on": on if on != "/" else ""}
    return visit.page("accounts.html", leaving=None, accounts=[_row(each, visit.language) for each in accounts], **told)


def _row(account: AccountStatus, language: str) -> dict[str, Any]:
    state = ("bad", "failed") if account.problem else ("good", "ok") if account.since else ("quiet", "not connected")
    since = account.since.date().isoformat() if account.since else ""
    row = {
        "source": account.source,
        "title": account.title,
        "problem": said_in(account.problem, language),
        "since": since,
    }
    return {**row, "tone": state[0], "status": state[1]}


def _refused(visit: Visit, status: int, message: str) -> Response:
    return visit.page("refused.html", status, heading=visit.words["problem"], message=message, again="/accounts")
