"""Our registrations with vendors that take them by a request (RFC 7591), sealed, beside the grants that were given to them."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from connectors.errors import Unauthenticated
from connectors.manifest import Application, ClientId, SignIn
from orchestrator.sealing import CannotOpen
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from orchestrator.sealing import Seal
    from storage.database import Database

# For so long others are led to a vendor by the same one. A vendor that has forgotten it tells people, not us, so that it must
# not last; and an office that begins on a Monday morning is to be a handful of registrations.
SHARED = timedelta(hours=1)
NEWEST = "SELECT * FROM vault_clients WHERE source = $1 AND made > now() - $2::interval ORDER BY made DESC LIMIT 20"
GONE = Said("our registration there is known no longer")


class Registration(BaseModel):
    """How a vendor described itself, and what it calls us. ``back``: where it sends people back to."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    issuer: str
    names_itself: bool = False
    ways: SignIn
    client_id: ClientId
    client_secret: str = Field(default="", repr=False)
    scopes: tuple[str, ...] = ()
    back: str

    @property
    def application(self) -> Application:
        """The same as a registration that was made by hand."""
        secret = SecretStr(self.client_secret) if self.client_secret else None
        return Application(client_id=self.client_id, client_secret=secret, scopes=self.scopes)


@record
class KeptRegistration:
    """A registration under the name by which grants know it."""

    id: str
    registration: Registration


class Registrations:
    """Of every source whose vendor describes itself. Raises only :class:`connectors.errors.SourceError`."""

    def __init__(self, database: Database, seal: Seal) -> None:
        self._database = database
        self._seal = seal

    async def keep(self, source: str, registration: Registration) -> KeptRegistration:
        """Keep one for good."""
        name = secrets.token_hex(8)
        sealed = self._sealed(source, name, registration)
        put = "INSERT INTO vault_clients (id, source, sealed) VALUES ($1, $2, $3)"
        await self._database.run(lambda each: each.execute(put, name, source, sealed))
        return KeptRegistration(name, registration)

    async def of(self, source: str, name: str) -> KeptRegistration:
        """One by its name. Raises :class:`Unauthenticated` where it is no longer to be had."""
        one = "SELECT * FROM vault_clients WHERE id = $1 AND source = $2"
        row = await self._database.run(lambda each: each.fetchrow(one, name, source))
        try:
            if row is not None:
                return self._opened(row)
        except CannotOpen as failure:
            raise Unauthenticated(failure.message) from None
        raise Unauthenticated(GONE)

    async def recent(self, source: str) -> AsyncIterator[KeptRegistration]:
        """Those that others may be led by as well, the newest first."""
        for row in await self._database.run(lambda each: each.fetch(NEWEST, source, SHARED)):
            try:
                yield self._opened(row)
            except CannotOpen:
                continue

    async def seal_again(self) -> tuple[int, int]:
        """Seal everything with the newest key; how much was not yet, and how much could not be opened."""
        rows = await self._database.run(lambda each: each.fetch("SELECT * FROM vault_clients"))
        return await self._seal.again(rows, self._seal_again)

    async def _seal_again(self, row: Any) -> None:
        sealed = self._sealed(row["source"], row["id"], self._opened(row).registration)
        change = "UPDATE vault_clients SET sealed = $2 WHERE id = $1"
        await self._database.run(lambda each: each.execute(change, row["id"], sealed))

    def _sealed(self, source: str, name: str, registration: Registration) -> bytes:
        return self._seal.seal(registration.model_dump_json().encode(), "client", source, name)

    def _opened(self, row: Any) -> KeptRegistration:
        said = self._seal.open(row["sealed"], "client", row["source"], row["id"])
        return KeptRegistration(row["id"], Registration.model_validate_json(said))
