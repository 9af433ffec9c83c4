"""Signing in to the page, with a key or through the identity provider, and out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.responses import RedirectResponse

from connectors.errors import SourceError
from orchestrator.access import NotSignedIn, TooMuchSaid
from orchestrator.surfaces.page.visiting import local

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response

    from orchestrator.access import Caller
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.visiting import Visit

STATUSES = {"issuer_unavailable": 503}
OTHERWISE = 409  # begun in another way, too late, or done already


async def show_sign_in(visit: Visit, services: PageServices) -> Response:  # noqa: ARG001 - every address takes both
    """The ways in; whoever is in goes on."""
    return visit.redirect("/") if visit.is_known else ask_to_sign_in(visit, 200, "", {})


async def enter(visit: Visit, services: PageServices) -> Response:
    """Sign in with a key. The browser gets a new session: one that somebody has put there before is worth nothing."""
    fields = await visit.form()
    if not fields:
        return forged(visit)
    session = services.sessions.enter(fields.get("key", "").strip())
    if session is None:
        return ask_to_sign_in(visit, 401, "bad key", {}, fields.get("back", "/"))
    visit.enter(session)
    return visit.redirect(fields.get("back", "/"))


async def leave_for_provider(visit: Visit, services: PageServices) -> Response:
    """Off to the identity provider, with a ticket that this browser alone carries."""
    if services.sign_in is None:
        return visit.redirect("/sign-in")
    try:
        departure = await services.sign_in.begin(local(visit.request.query_params.get("back", "/")))
    except NotSignedIn as failure:
        return _not_signed_in(visit, failure)
    reply = visit.dressed(RedirectResponse(departure.url, 303))
    # A lax cookie comes along when the provider sends the browser back, and with no form of another site.
    name, private = services.sign_in.cookie(departure.state), services.sign_in.is_private
    reply.set_cookie(name, departure.ticket, 600, path="/", secure=private, httponly=True, samesite="lax")
    return reply


async def return_from_provider(visit: Visit, services: PageServices) -> Response:
    """Back from the identity provider: a new session, then on to where they were going, or to their accounts if they are new."""
    if services.sign_in is None:
        return visit.redirect("/sign-in")
    told = visit.request.query_params
    state, code = told.get("state", ""), "" if "error" in told else told.get("code", "")
    name = services.sign_in.cookie(state)
    try:
        ticket = visit.request.cookies.get(name, "")
        person, back = await services.sign_in.finish(state, code, ticket, told.get("iss", ""))
        session = services.sessions.enter_as(person)
    except NotSignedIn as failure:
        return _not_signed_in(visit, failure)
    except TooMuchSaid:
        message = visit.words["problem too_many_groups"]
        return visit.page("refused.html", OTHERWISE, heading=visit.words["problem"], message=message, again="/sign-in")
    await services.noted(visit.request, person, "signed in", "")
    visit.enter(session)
    reply = visit.redirect(await _first_to(services, person, back))
    reply.delete_cookie(name, path="/", secure=services.sign_in.is_private, httponly=True, samesite="lax")
    return reply


async def _first_to(services: PageServices, person: Caller, back: str) -> str:
    """Where somebody goes who has just come in: who has connected nothing yet is shown what they can."""
    if services.connecting is None:
        return back
    try:
        accounts = await services.connecting.accounts(person.principal.id)
    except SourceError:
        return back  # the page of accounts says what is wrong with them
    is_new = bool(accounts) and not any(each.since for each in accounts)
    return f"/accounts?{urlencode({'back': back})}" if is_new else back


async def leave(visit: Visit, services: PageServices) -> Response:
    """Sign out. The cookie is replaced; the one before lasts until its hours are over, or its key is revoked."""
    if not await visit.form():
        return forged(visit)
    visit.enter(services.sessions.fresh())
    return ask_to_sign_in(visit, 200, "signed out", {})


def ask_to_sign_in(visit: Visit, status: int, said: str, headers: Mapping[str, str], back: str = "") -> Response:
    """The page with the ways in."""
    message = visit.words[said] if said else ""
    told: dict[str, Any] = {"message": message, "wrong": said == "bad key", "is_first": visit.is_first}
    told |= {"back": back} if back else {}
    reply = visit.page("sign_in.html", status, **told)
    reply.headers.update(headers)
    return reply


def forged(visit: Visit) -> Response:
    """A form that was not sent by this page."""
    heading, message = visit.words["problem"], visit.words["problem forged"]
    return visit.page("refused.html", 403, heading=heading, message=message, again="/")


def _not_signed_in(visit: Visit, failure: NotSignedIn) -> Response:
    away = failure.code in STATUSES
    message = visit.words["problem provider away" if away else "problem sign_in"]
    status = STATUSES.get(failure.code, OTHERWISE)
    return visit.page("refused.html", status, heading=visit.words["sign in failed"], message=message, again="/sign-in")
