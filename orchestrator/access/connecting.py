"""How people connect their own accounts: sent to the vendor, back with a code, kept in the vault, withdrawn at will.

What is known of somebody on the way stands in a sealed ticket that their browser carries, so that any process can go on. A person's
own access token is renewed before it ends and whenever the vendor refuses it, by one of all processes.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from connectors.auth import MARGIN
from connectors.errors import SourceError, Unauthenticated
from connectors.oauth import new_verifier
from orchestrator.access.declined import Declined
from orchestrator.access.described import SelfDescribed
from orchestrator.access.tickets import WITHIN, BadTicket, Tickets, cookie_of
from orchestrator.sealing import CannotOpen
from storage.logs import log_of
from translators.records import record
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from connectors.oauth import Grant, Grantor, Vendor
    from orchestrator.access.described import ClientDocument
    from orchestrator.access.vault import Connection, Vault
    from orchestrator.sealing import Seal

    Noting = Callable[[Sequence[str]], Awaitable[None]]

log = log_of(__name__)

LONGEST = 4096  # characters of a code
CONNECTING = "connecting"
NO_CODE = Said("{vendor} sent no code along, since it was declined or failed there")
NO_ACCOUNT = Said("no account of {vendor} is connected")
AGAIN = Said("{problem}; begin again")
NONE_THERE = Said("people connect no accounts of their own there; they do to: {known}")
NONE = Said("none")


class NotConnected(Declined):
    """An account that could not be connected."""


@record
class Begun:
    """Where to send somebody, and what they must bring back: ``state`` through the vendor, ``ticket`` by themselves."""

    url: str
    state: str
    ticket: str
    within: timedelta = WITHIN


@record
class AccountStatus:
    """One source that people connect accounts to, and whether somebody has; ``problem``: why what is there is of no use."""

    source: str
    title: str
    since: datetime | None
    scopes: str = ""
    problem: str = ""


class Connecting:
    """``vendors`` by source. ``address``: of this server, as browsers reach it; ``document``: where vendors may read who we are; ``clock`` gives the aware moment.

    A ticket belongs to one person, one source and one state: nobody can end what another began (login CSRF), a code of
    one vendor is not shown to another (mix-up), and each ticket is good once and for ten minutes.
    """

    def __init__(
        self,
        vault: Vault,
        seal: Seal,
        vendors: Mapping[str, Grantor],
        address: str,
        clock: Callable[[], datetime],
        *,
        document: ClientDocument | None = None,
    ) -> None:
        self.vault = vault
        self._document = document
        self.address = address.rstrip("/")
        self._tickets = Tickets(seal, CONNECTING, clock)
        self._vendors = vendors
        self._clock = clock

    @property
    def document(self) -> Mapping[str, Any] | None:
        """Who we are, for vendors that read it where we publish it; nothing where no vendor can."""
        # It stands there for everybody, and names no source whose vendor would not read it.
        backs = [self.callback(name) for name, vendor in self._vendors.items() if isinstance(vendor, SelfDescribed)]
        return self._document.says(backs) if self._document else None

    async def begin(self, principal: str, source: str) -> Begun:
        """Send somebody to a vendor. Raises :class:`NotConnected`."""
        with self._tried(source):
            vendor = await self._vendor(source).leading(self.callback(source))
        verifier = new_verifier()
        state, ticket = self._tickets.issue((principal, source, verifier, vendor.client))
        return Begun(vendor.authorize_url(self.callback(source), state, verifier), state, ticket)

    async def finish(
        self,
        source: str,
        state: str,
        code: str,
        ticket: str,
        noted: Callable[[str], Awaitable[None]],
        *,
        principal: str | None = None,
        issuer: str = "",
    ) -> Connection:
        """Keep what somebody has allowed; ``noted`` is told whose it is before. ``principal``: who says so, where that is known; ``issuer``: who says to have sent them.

        Raises :class:`NotConnected`, with what the vendor found wrong too, and :class:`SourceError` where it cannot be kept.
        """
        grantor = self._vendor(source)
        with _told():
            owner, wanted, verifier, client = (*self._tickets.read(ticket, state), "")[:4]
        if wanted != source:
            raise NotConnected("wrong_state", Said("this is not what was begun here; begin again"))
        if principal is not None and principal != owner:
            raise NotConnected("not_yours", Said("somebody else began this; begin again yourself"))
        if not 0 < len(code) <= LONGEST:
            raise NotConnected("no_code", NO_CODE.filled(vendor=grantor.name))
        with _told():
            self._tickets.use(state)
        with self._tried(source):
            vendor = await grantor.remembered(client)
            if not vendor.has_sent(issuer):
                raise NotConnected("wrong_issuer", Said("this comes from another sign-in service; begin again"))
            grant = await vendor.redeem(code, self.callback(source), verifier, self._clock())
        await noted(owner)
        return await self.vault.put(owner, source, grant)

    async def accounts(self, principal: str) -> tuple[AccountStatus, ...]:
        """Every source that people connect accounts to, and how it is with somebody's. Raises :class:`SourceError`."""
        found, broken = await self.vault.of(principal)
        told = []
        for source, vendor in sorted(self._vendors.items()):
            held = found.get(source)
            since, scopes = (held.connected, held.grant.scopes) if held else (None, "")
            told.append(AccountStatus(source, vendor.name, since, scopes, broken.get(source, "")))
        return tuple(told)

    async def disconnect(self, principal: str, source: str, noted: Noting) -> bool:
        """Forget an account and end it at the vendor; whether the vendor has ended it too. ``noted`` as below.

        Raises :class:`NotConnected` where there is none, and :class:`SourceError` where it could not be forgotten.
        """
        vendor = self._vendor(source)
        ended = await self.forget(principal, source, noted)
        if source not in ended:
            raise NotConnected("no_account", NO_ACCOUNT.filled(vendor=vendor.name))
        return ended[source]

    async def forget(self, principal: str, source: str | None, noted: Noting) -> dict[str, bool]:
        """Forget somebody's accounts, all of them or one: by source, whether the vendor has ended it too. ``noted`` is told which before.

        Raises :class:`SourceError` where one could not be forgotten.
        """
        found, broken = await self.vault.of(principal)
        names = [name for name in (*found, *broken) if source in {None, name}]
        if names:
            await noted(names)
        for name in names:
            await self.vault.remove(principal, name)
        return {name: await self._withdrawn(name, found.get(name)) for name in names}

    async def _withdrawn(self, source: str, held: Connection | None) -> bool:
        """End a grant at its vendor, where that can be done; what is forgotten here stays forgotten."""
        if held is None or source not in self._vendors:
            return False
        try:
            vendor = await self._vendors[source].remembered(held.grant.client)
            return await vendor.withdraw(held.grant)
        except SourceError as failure:
            log.warning("grant not withdrawn", source=source, error=failure.code, said=failure.message)
            return False

    def title(self, source: str) -> str:
        """What people call a source. Raises :class:`NotConnected`."""
        return self._vendor(source).name

    @property
    def is_private(self) -> bool:
        """Whether browsers reach this server by https alone, so that a cookie may say so."""
        return self.address.startswith("https://")

    def cookie(self, state: str) -> str:
        """The name under which a browser carries a ticket."""
        return cookie_of(CONNECTING, state, private=self.is_private)

    def callback(self, source: str) -> str:
        """Where the vendor sends people back to; one for each source, as it is registered with its vendor."""
        return f"{self.address}/accounts/{source}/callback"

    @contextmanager
    def _tried(self, source: str) -> Iterator[None]:
        """What a vendor finds wrong, as what could not be connected."""
        try:
            yield
        except SourceError as failure:
            log.warning("account not connected", source=source, error=failure.code, said=failure.message)
            raise NotConnected(failure.code, AGAIN.filled(problem=failure.message)) from None

    def _vendor(self, source: str) -> Grantor:
        if source not in self._vendors:
            known = ", ".join(sorted(self._vendors)) or NONE
            raise NotConnected("no_such_source", NONE_THERE.filled(known=known))
        return self._vendors[source]


@contextmanager
def _told() -> Iterator[None]:
    """A ticket that is no good, as what could not be connected."""
    try:
        yield
    except BadTicket as failure:
        raise NotConnected(failure.code, failure.message) from None


DISCONNECTED = Said("this account of {vendor} was disconnected; {advice}")


class PersonalToken:
    """Signs with what one person has allowed (:class:`connectors.auth.Signer`).

    ``advice``: what to do where it has ended, for that person; ``clock`` gives the aware moment.
    """

    def __init__(
        self, vault: Vault, grantor: Grantor, held: Connection, advice: Said, clock: Callable[[], datetime]
    ) -> None:
        self._vault = vault
        self._grantor = grantor
        self._held = held
        self._advice = advice
        self._clock = clock
        self._renewing: asyncio.Task[None] | None = None

    async def secret(self) -> str:
        """The token to use now. Raises :class:`Unauthenticated` and :class:`Unavailable`."""
        ends = self._held.grant.expires
        if ends is not None and self._held.grant.refresh_token and self._clock() >= ends - timedelta(seconds=MARGIN):
            await self._renew()
        return self._held.grant.access_token

    async def after(self, refused: str) -> str | None:
        """A new token, unless somebody has just fetched one. Raises :class:`Unauthenticated` where there is none."""
        if self._held.grant.access_token == refused:
            await self._renew()
        return self._held.grant.access_token

    async def _renew(self) -> None:
        """Once for all who wait. Whoever leaves, leaves alone: a token that the vendor has given and nobody keeps is lost."""
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew_held())
            self._renewing.add_done_callback(self._over)
        await asyncio.shield(self._renewing)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._renewing = None
        if not task.cancelled():
            task.exception()  # looked at, since all who waited for it may have left

    async def _renew_held(self) -> None:
        try:
            vendor = await self._grantor.remembered(self._held.grant.client)
            renewed = await self._vault.renew(self._held, lambda grant: self._renewed(vendor, grant))
        except (Unauthenticated, CannotOpen) as failure:
            raise Unauthenticated(joined("; ", (failure.message, self._advice))) from None
        if renewed is None:
            raise Unauthenticated(DISCONNECTED.filled(vendor=self._grantor.name, advice=self._advice))
        self._held = renewed

    async def _renewed(self, vendor: Vendor, grant: Grant) -> Grant:
        return await vendor.renew(grant, self._clock())

    def __repr__(self) -> str:
        return f"PersonalToken({self._held.source!r})"
