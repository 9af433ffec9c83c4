"""A person's own access token: renewed before it ends and whenever the vendor refuses it, by one of all processes."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from connectors.auth import MARGIN
from connectors.errors import Unauthenticated
from orchestrator.sealing import CannotOpen
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from connectors.oauth import Grant, Grantor, Vendor
    from orchestrator.access.vault import Connection, Vault

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
