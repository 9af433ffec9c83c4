"""Signing people in through the identity provider (single sign-on): the authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636; RFC 9207)."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from connectors.errors import BadReply, SourceError, Unauthenticated
from connectors.manifest import Application, SignIn
from connectors.oauth import Vendor, new_verifier
from orchestrator.access.declined import Declined
from orchestrator.access.signing_keys import address_in, discover
from orchestrator.access.tickets import BadTicket, Tickets, cookie_of
from orchestrator.access.tokens import BadToken
from storage.logs import log_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from orchestrator.access.keys import Caller
    from orchestrator.access.tokens import Tokens

log = log_of(__name__)

SIGN_IN = "sign-in"
CALLBACK = "/sign-in/callback"
NONCE_BYTES = 24
LONGEST_CODE = 4096  # characters
LONGEST_BACK = 1500  # characters of the address that somebody returns to: a cookie holds 4096
NOTHING_MORE: Mapping[str, str] = MappingProxyType({})
DOCS = "https://openid.net/specs/openid-connect-core-1_0.html"

NO_CODE = Said("{provider} has not signed you in; begin again")


class NotSignedIn(Declined):
    """Somebody who could not be signed in."""


@record
class Departure:
    """Where to send a browser; ``ticket`` it keeps under the name that ``state`` gives."""

    url: str
    state: str
    ticket: str = field(repr=False)


class ProviderSignIn:
    """``application``: our registration with ``issuer``, and what is asked for. ``tokens`` checks ID tokens: their audience is the client.
    ``address``: of this server, as browsers reach it.

    The provider's description is read at each sign-in, which is seldom, so that nothing of it grows old.
    """

    def __init__(
        self, issuer: str, application: Application, tokens: Tokens, address: str, tickets: Callable[[], Tickets]
    ) -> None:
        self._issuer = issuer
        self._application = application
        self._tokens = tokens
        self._address = address.rstrip("/")
        self._ask_tickets = tickets
        self._tickets: Tickets | None = None

    @property
    def provider(self) -> str:
        """What people know their provider by: its host."""
        return urlsplit(self._issuer).hostname or self._issuer

    @property
    def is_private(self) -> bool:
        """Whether browsers reach this server by https alone."""
        return self._address.startswith("https://")

    def cookie(self, state: str) -> str:
        """The name under which a browser carries its ticket."""
        return cookie_of(SIGN_IN, state, private=self.is_private)

    async def begin(self, back: str) -> Departure:
        """Send a browser to the provider; it returns to ``back``. Raises :class:`NotSignedIn`."""
        nonce, verifier = secrets.token_urlsafe(NONCE_BYTES), new_verifier()
        with _away():
            vendor = await self._vendor({"nonce": nonce})
        state, ticket = self._kept().issue((nonce, verifier, back if len(back) <= LONGEST_BACK else "/"))
        return Departure(vendor.authorize_url(self._callback, state, verifier), state, ticket)

    async def finish(self, state: str, code: str, ticket: str, issuer: str = "") -> tuple[Caller, str]:
        """Who has come back, and where to. ``issuer``: who says to have sent them, where it says so. Raises :class:`NotSignedIn`."""
        try:
            nonce, verifier, back = self._kept().read(ticket, state)
            self._check(code, issuer)
            self._kept().use(state)
            with _away():
                return await self._tokens.signed_in(await self._redeemed(code, verifier), nonce), back
        except (BadTicket, BadToken) as failure:
            raise NotSignedIn(failure.code, failure.message) from None

    def _check(self, code: str, issuer: str) -> None:
        if issuer not in {"", self._issuer}:  # RFC 9207: another provider's code
            raise BadTicket("wrong_issuer", Said("this comes from another identity provider; begin again"))
        if not 0 < len(code) <= LONGEST_CODE:
            raise BadTicket("no_code", NO_CODE.filled(provider=self.provider))

    async def _redeemed(self, code: str, verifier: str) -> str:
        """The ID token for a code. Raises :class:`SourceError`, which repeats nothing of what was sent."""
        vendor = await self._vendor()
        grant = await vendor.redeem(code, self._callback, verifier, datetime.now(UTC))
        if not grant.id_token:
            raise BadReply("the identity provider answered without an ID token")
        return grant.id_token

    @property
    def _callback(self) -> str:
        return self._address + CALLBACK

    async def _vendor(self, more: Mapping[str, str] = NOTHING_MORE) -> Vendor:
        """The provider as any vendor whom people sign in to, by what it says of itself; ``more``: goes along with them."""
        found = await discover(self._issuer)
        proofs = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        ways = SignIn(
            authorize_url=address_in(found, "authorization_endpoint", "its sign-in"),
            token_url=address_in(found, "token_endpoint", "its tokens"),
            proves_by="basic" if isinstance(proofs, list) and "client_secret_basic" in proofs else "form",
            more=dict(more),
            docs=DOCS,
        )
        return Vendor(self.provider, ways, self._application)

    def _kept(self) -> Tickets:
        if self._tickets is None:
            self._tickets = self._ask_tickets()
        return self._tickets


@contextmanager
def _away() -> Iterator[None]:
    """What is wrong with the provider is for the log; people are told that something is, and what to do."""
    try:
        yield
    except Unauthenticated:  # its word on a code: too old, used, another's
        raise NotSignedIn("not_taken", Said("the identity provider does not take this sign-in; begin again")) from None
    except SourceError as failure:
        log.warning("identity provider", error=failure.code, said=failure.message)
        message = Said("the identity provider does not answer as it should; try again, or tell whoever runs this")
        raise NotSignedIn("issuer_unavailable", message) from None
