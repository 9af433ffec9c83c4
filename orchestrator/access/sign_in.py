"""Signing people in through the identity provider: the authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636; RFC 9207)."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

import structlog

from connectors.auth import basic, exchange
from connectors.errors import BadReply, SourceError, Unavailable
from connectors.oauth import challenge, new_verifier
from orchestrator.access.discovery import address_in, discover
from orchestrator.access.tickets import BadTicket, Tickets, cookie_of
from orchestrator.access.tokens import BadToken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connectors.auth import FormFields
    from orchestrator.access.keys import Caller
    from orchestrator.access.tokens import Tokens

log = structlog.get_logger(__name__)

SIGN_IN = "sign-in"
CALLBACK = "/sign-in/callback"
NONCE_BYTES = 24
LONGEST_CODE = 4096  # characters
LONGEST_BACK = 1500  # characters of the address that somebody returns to: a cookie holds 4096
BROKEN = 500


class NotSignedIn(Exception):
    """Somebody who could not be signed in. ``code`` is stable; the message says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class OidcClient:
    """A program at its provider. ``secret``: empty for a public client; ``scopes``: what is asked for."""

    issuer: str
    client_id: str
    secret: str = field(default="", repr=False)
    scopes: tuple[str, ...] = ("openid", "profile", "email")


@dataclass(frozen=True, slots=True)
class Departure:
    """Where to send a browser; ``ticket`` it keeps under the name that ``state`` gives."""

    url: str
    state: str
    ticket: str = field(repr=False)


class ProviderSignIn:
    """``tokens`` checks ID tokens: their audience is the client. ``address``: of this server, as browsers reach it.

    The provider's description is read at each sign-in, which is seldom, so that nothing of it grows old.
    """

    def __init__(self, client: OidcClient, tokens: Tokens, address: str, tickets: Callable[[], Tickets]) -> None:
        self._client = client
        self._tokens = tokens
        self._address = address.rstrip("/")
        self._ask_tickets = tickets
        self._tickets: Tickets | None = None

    @property
    def provider(self) -> str:
        """What people know their provider by: its host."""
        return urlsplit(self._client.issuer).hostname or self._client.issuer

    @property
    def is_private(self) -> bool:
        """Whether browsers reach this server by https alone."""
        return self._address.startswith("https://")

    def cookie(self, state: str) -> str:
        """The name under which a browser carries its ticket."""
        return cookie_of(SIGN_IN, state, private=self.is_private)

    async def begin(self, back: str) -> Departure:
        """Send a browser to the provider; it returns to ``back``. Raises :class:`NotSignedIn`."""
        with _away():
            where = address_in(await discover(self._client.issuer), "authorization_endpoint", "its sign-in")
        nonce, verifier = secrets.token_urlsafe(NONCE_BYTES), new_verifier()
        state, ticket = self._kept().issue((nonce, verifier, back if len(back) <= LONGEST_BACK else "/"))
        asked = {
            "response_type": "code",
            "client_id": self._client.client_id,
            "redirect_uri": self._address + CALLBACK,
            "scope": " ".join(self._client.scopes),
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge(verifier),
            "code_challenge_method": "S256",
        }
        return Departure(f"{where}{'&' if '?' in where else '?'}{urlencode(asked, quote_via=quote)}", state, ticket)

    async def finish(self, state: str, code: str, ticket: str, issuer: str = "") -> tuple[Caller, str]:
        """Who has come back, and where to. ``issuer``: who says to have sent them, where it says so. Raises :class:`NotSignedIn`."""
        try:
            nonce, verifier, back = self._kept().read(ticket, state)
            self._check(code, issuer)
            self._kept().use(state)
            with _away():
                return await self._tokens.signed_in(await self._redeemed(code, verifier), nonce), back
        except (BadTicket, BadToken) as failure:
            raise NotSignedIn(failure.code, str(failure)) from None

    def _check(self, code: str, issuer: str) -> None:
        if issuer not in {"", self._client.issuer}:  # RFC 9207: another provider's code
            raise BadTicket("wrong_issuer", "this comes from another identity provider; begin again")
        if not 0 < len(code) <= LONGEST_CODE:
            raise BadTicket("no_code", f"{self.provider} has not signed you in; begin again")

    async def _redeemed(self, code: str, verifier: str) -> str:
        """The ID token for a code. Raises :class:`SourceError`, which repeats nothing of what was sent."""
        found = await discover(self._client.issuer)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._address + CALLBACK,
            "code_verifier": verifier,
        }
        ways = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        in_header = bool(self._client.secret) and isinstance(ways, list) and "client_secret_basic" in ways
        reply = await exchange(
            address_in(found, "token_endpoint", "its tokens"),
            {**form, **({} if in_header else self._in_form())},
            self._in_header() if in_header else {},
        )
        if reply.status >= BROKEN:
            raise Unavailable(f"the identity provider answered HTTP {reply.status}")
        token = reply.data.get("id_token") if reply.ok and isinstance(reply.data, dict) else None
        if not isinstance(token, str):
            said = reply.data.get("error", "") if isinstance(reply.data, dict) else ""
            known = said if isinstance(said, str) and said.isascii() and said.replace("_", "").isalnum() else ""
            raise BadReply(f"the identity provider takes no sign-in of ours (HTTP {reply.status} {known[:40]})")
        return token

    def _in_form(self) -> FormFields:
        own = {"client_id": self._client.client_id}
        return {**own, "client_secret": self._client.secret} if self._client.secret else own

    def _in_header(self) -> dict[str, str]:
        """RFC 6749, 2.3.1: each part encoded, then joined."""
        return dict(basic(f"{quote(self._client.client_id, safe='')}:{quote(self._client.secret, safe='')}"))

    def _kept(self) -> Tickets:
        if self._tickets is None:
            self._tickets = self._ask_tickets()
        return self._tickets


@contextmanager
def _away() -> Iterator[None]:
    """What is wrong with the provider is for the log; people are told that something is, and what to do."""
    try:
        yield
    except SourceError as failure:
        log.warning("identity provider", error=failure.code, said=failure.message)
        message = "the identity provider does not answer as it should; try again, or tell whoever runs this"
        raise NotSignedIn("issuer_unavailable", message) from None
