"""``/v1/accounts``: people connect their own accounts at the sources, see which they have, and withdraw them."""

import html
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from connectors.errors import SourceError
from orchestrator.access import CLIENT_DOCUMENT, AccountStatus, Caller, Connecting, NotConnected, NotKept, Scope
from orchestrator.surfaces.http.bodies import Body
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS, Refused, accepted, told_in
from orchestrator.surfaces.http.searching import json_reply
from orchestrator.surfaces.http.services import Services
from storage.logs import log_of
from translators.said import Said, failure_message, said_in

STATUSES = {
    "no_such_source": 404,
    "no_account": 404,
    "not_yours": 403,
    "unauthenticated": 409,
    "unavailable": 503,
    "bad_reply": 503,
    "misconfigured": 500,
}
CONNECTED = Said("Connected")
NOT_CONNECTED = Said("Not connected")
CLOSE = Said("The account is connected. You can close this window.")
NO_STORE = Said("the store of people's accounts does not answer as it should; try again")
OTHERWISE = 409  # begun in another way, too late, or done already
AWAY, RETRY = 503, {"Retry-After": "5"}

log = log_of(__name__)

Source = Annotated[str, Path(min_length=1, max_length=100, description="The source's name")]
Told = Annotated[str, Query(max_length=4096)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=4096)]


class AccountState(TypedDict):
    """One source that people connect accounts to. ``since``: when the caller did (ISO 8601), else null.

    ``problem`` says what to do where a connected account is of no use.
    """

    source: str
    title: str
    connected: bool
    since: str | None
    scopes: str
    problem: str


class AccountStates(TypedDict):
    """Every source that people connect accounts to."""

    accounts: list[AccountState]


class Leaving(TypedDict):
    """``url``: where to send the person; ``ticket`` goes back with what they bring from there, within ``seconds``."""

    url: str
    state: str
    ticket: str
    seconds: int


class Withdrawn(TypedDict):
    """``withdrawn``: whether the vendor has ended the grant too; else the person ends it there."""

    withdrawn: bool


class Return(Body):
    """What somebody brings back from a vendor, where no browser of theirs goes through ``/accounts/…/callback``."""

    state: Text
    code: Text
    ticket: Text = Field(description="As it was given when this began")
    iss: Annotated[str, StringConstraints(max_length=4096)] = Field(
        "", description="Who says to have sent them back, where the address they came back by says so (RFC 9207)"
    )


def account_routes(services: Services, connecting: Connecting) -> APIRouter:
    """``/v1/accounts``."""
    more = {404: "No such source, or no account there.", 409: "It cannot be connected like this; the detail says why."}
    said: dict[int | str, dict[str, Any]] = {
        status: {**REFUSALS[400], "description": why} for status, why in more.items()
    }
    router = APIRouter(prefix="/v1/accounts", tags=["accounts"], responses=REFUSALS | said)
    being = Annotated[Caller, Depends(wants(Scope.SEARCH, services))]

    @router.get("", response_model=AccountStates)
    async def list_accounts(caller: being) -> Response:
        """Where the caller can connect an account, and where they have."""
        with refusing():
            found = await connecting.accounts(caller.principal.id)
        return json_reply({"accounts": [_state(account) for account in found]})

    @router.post("/{source}", response_model=Leaving)
    async def connect_account(source: Source, caller: being) -> Response:
        """Begin to connect an account: send the person to ``url`` in the browser that made this request."""
        with refusing():
            begun = await connecting.begin(caller.principal.id, source)
        seconds = int(begun.within.total_seconds())
        reply = json_reply({"url": begun.url, "state": begun.state, "ticket": begun.ticket, "seconds": seconds})
        keep_ticket(reply, begun.state, begun.ticket, connecting, seconds)
        return reply

    @router.post("/{source}/finish", response_model=AccountState)
    async def finish_account(source: Source, body: Return, request: Request, caller: being) -> Response:
        """Hand over what the vendor sent the person back with, in their own name."""
        who = caller.principal.id
        keep = noting(services, request, "connected", source)
        with refusing():
            held = await connecting.finish(
                source, body.state, body.code, body.ticket, keep, principal=who, issuer=body.iss
            )
        return json_reply(_state(AccountStatus(source, connecting.title(source), held.connected, held.grant.scopes)))

    @router.delete("/{source}", response_model=Withdrawn)
    async def disconnect_account(source: Source, request: Request, caller: being) -> Response:
        """Forget an account, and end at the vendor what was allowed."""
        who = caller.principal.id
        keep = noting(services, request, "disconnected", source)
        with refusing():
            withdrawn = await connecting.disconnect(who, source, lambda _: keep(who))
        return json_reply({"withdrawn": withdrawn})

    return router


def callback_routes(services: Services, connecting: Connecting) -> APIRouter:
    """Where vendors send people back to."""
    router = APIRouter(include_in_schema=False)

    @router.get("/accounts/{source}/callback")
    async def callback(
        source: Source, request: Request, *, state: Told = "", code: Told = "", error: Told = "", iss: Told = ""
    ) -> Response:
        """Whose it is stands in the ticket that this browser was given."""
        name, language = connecting.cookie(state), accepted(request)
        try:
            with refusing():
                ticket = request.cookies.get(name, "")
                keep = noting(services, request, "connected", source)
                await connecting.finish(source, state, "" if error else code, ticket, keep, issuer=iss)
        except Refused as refusal:
            page = _page(NOT_CONNECTED, refusal.detail, connecting, language, refusal.status)
            return _forgotten(page, name, connecting)
        except NotKept as failure:
            return _forgotten(
                _page(NOT_CONNECTED, failure_message(failure), connecting, language, AWAY), name, connecting
            )
        return _forgotten(_page(CONNECTED, CLOSE, connecting, language), name, connecting)

    if (document := connecting.document) is not None:

        @router.get(CLIENT_DOCUMENT)
        async def client_document() -> Response:
            """Who we are, for vendors that read it (draft-ietf-oauth-client-id-metadata-document)."""
            return json_reply(document)

    return router


def keep_ticket(reply: Response, state: str, ticket: str, connecting: Connecting, seconds: int) -> None:
    """Let this browser, and no other, end what it has begun."""
    reply.set_cookie(
        connecting.cookie(state),
        ticket,
        seconds,
        path="/",
        secure=connecting.is_private,
        httponly=True,
        samesite="lax",
    )


@contextmanager
def refusing() -> Iterator[None]:
    """What cannot be done, as :class:`Refused`. Of the store's own troubles nothing is told outside; the log knows."""
    try:
        yield
    except NotConnected as failure:
        status = STATUSES.get(failure.code, OTHERWISE)
        raise Refused(status, failure.code, failure.message, RETRY if status == AWAY else None) from None
    except SourceError as failure:
        log.warning("accounts", error=failure.code, said=failure.message)
        raise Refused(AWAY, "accounts_unavailable", NO_STORE, RETRY) from None


def noting(services: Services, request: Request, action: str, source: str) -> Callable[[str], Awaitable[None]]:
    """Writes down whose account of ``source`` it is that is dealt with so."""

    async def keep(principal: str) -> None:
        await services.audit.noted(principal, action, source, services.clock(), request.scope["request_id"])

    return keep


def _state(account: AccountStatus) -> AccountState:
    return {
        "source": account.source,
        "title": account.title,
        "connected": account.since is not None,
        "since": account.since.isoformat() if account.since else None,
        "scopes": account.scopes,
        "problem": account.problem,
    }


def _page(title: str, text: str, connecting: Connecting, language: str, status: int = 200) -> Response:
    title, text = said_in(title, language), said_in(text, language)
    body = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<h1>{html.escape(title)}</h1><p>{html.escape(text)}</p><p><a href="{html.escape(connecting.address)}/accounts">fedsearch</a></p>'
    )
    return HTMLResponse(body, status, told_in(language))


def _forgotten(reply: Response, name: str, connecting: Connecting) -> Response:
    reply.delete_cookie(name, path="/", secure=connecting.is_private, httponly=True, samesite="lax")
    return reply
