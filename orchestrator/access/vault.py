"""What people have allowed us at the sources, each sealed for its owner and source, in the database of the local index."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any, Self

from connectors.oauth import Grant
from orchestrator.access.registrations import Registrations
from orchestrator.sealing import CannotOpen
from storage.migrations import Migrations
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from orchestrator.sealing import Seal
    from storage.database import Database
    from translators.said import Said

VAULT = Migrations("vault", "orchestrator.access")
RENEWALS = 2  # at once: each holds a connection while a vendor thinks, and looking people up must not wait for that
PUT = """
    INSERT INTO vault (principal, source, id, sealed) VALUES ($1, $2, $3, $4)
    ON CONFLICT (principal, source) DO UPDATE
    SET id = excluded.id, version = vault.version + 1, sealed = excluded.sealed, connected = now(), renewed = now()
"""
CHANGE = "UPDATE vault SET sealed = $3, version = version + 1, renewed = now() WHERE principal = $1 AND source = $2"
SEAL_AGAIN = "UPDATE vault SET sealed = $4 WHERE principal = $1 AND source = $2 AND version = $3"
ONE = "SELECT * FROM vault WHERE principal = $1 AND source = $2"
ALL = "SELECT principal, source, connected, renewed FROM vault ORDER BY principal, source"


@record
class Connection:
    """One account of one person. ``id`` is of one signing in: another id may be another account.

    ``version`` goes up whenever the grant is renewed.
    """

    principal: str
    source: str
    id: str
    version: int
    grant: Grant
    connected: datetime


@record
class ConnectedAccount:
    """That somebody has connected an account, and when; nothing of what was allowed. Moments are aware."""

    principal: str
    source: str
    connected: datetime
    renewed: datetime


class Vault:
    """Every person's grants. Raises only :class:`connectors.errors.SourceError` and :class:`CannotOpen`.

    A row is sealed together with its principal (issuer and subject) and source: one that is moved to another does not
    open. Nothing is kept here between two calls, so that what one process removes is gone for all.
    """

    def __init__(self, database: Database, seal: Seal) -> None:
        database.register(VAULT)
        self._database = database
        self._seal = seal
        self._renewals = asyncio.Semaphore(RENEWALS)
        self.registrations = Registrations(database, seal)

    async def open(self) -> None:
        """Reach the database, which may have to be started, so that no question waits for that."""
        await self._database.run(lambda connection: connection.fetchval("SELECT 1"))

    async def put(self, principal: str, source: str, grant: Grant) -> Connection:
        """Keep what a person has allowed, in place of what was there."""
        name, sealed = secrets.token_hex(8), self._sealed(principal, source, grant)
        await self._database.run(lambda each: each.execute(PUT, principal, source, name, sealed))
        row = await self._database.run(lambda each: each.fetchrow(ONE, principal, source))
        return self._opened(row)

    async def of(self, principal: str) -> tuple[Mapping[str, Connection], Mapping[str, Said]]:
        """A person's accounts by source, and why one that is there cannot be used."""
        rows = await self._database.run(lambda each: each.fetch("SELECT * FROM vault WHERE principal = $1", principal))
        found: dict[str, Connection] = {}
        broken: dict[str, Said] = {}
        for row in rows:
            try:
                found[row["source"]] = self._opened(row)
            except CannotOpen as failure:
                broken[row["source"]] = failure.message
        return found, broken

    async def remove(self, principal: str, source: str) -> bool:
        """Forget an account; whether there was one."""
        told = await self._database.run(
            lambda each: each.execute("DELETE FROM vault WHERE principal = $1 AND source = $2", principal, source)
        )
        return not str(told).endswith(" 0")

    async def renew(self, held: Connection, renewing: Callable[[Grant], Awaitable[Grant]]) -> Connection | None:
        """``held`` with a new grant, ``None`` where it is gone or another account's.

        One at a time among all processes, since many vendors take a refresh token once: whoever waited gets what the
        other was given. What ``renewing`` raises passes, and nothing is changed.
        """
        await self.open()
        async with self._renewals, self._database.connection() as connection, connection.transaction():
            row = await connection.fetchrow(f"{ONE} FOR UPDATE", held.principal, held.source)
            if row is None or row["id"] != held.id:
                return None
            current = self._opened(row)
            if current.version != held.version:
                return current
            granted = await renewing(current.grant)
            sealed = self._sealed(held.principal, held.source, granted)
            await connection.execute(CHANGE, held.principal, held.source, sealed)
            return Connection(held.principal, held.source, held.id, held.version + 1, granted, held.connected)

    async def listed(self) -> tuple[ConnectedAccount, ...]:
        """Who has connected what, without opening anything."""
        return tuple(ConnectedAccount(*row) for row in await self._database.run(lambda each: each.fetch(ALL)))

    async def seal_again(self) -> tuple[int, int]:
        """Seal everything with the newest key; how much was not yet, and how much could not be opened."""
        clients, broken_clients = await self.registrations.seal_again()
        rows = await self._database.run(lambda each: each.fetch("SELECT * FROM vault"))
        grants, broken_grants = await self._seal.again(rows, self._seal_again)
        return clients + grants, broken_clients + broken_grants

    async def _seal_again(self, row: Any) -> None:
        """Where it was renewed meanwhile, that was done with the newest key of whoever did it."""
        held = self._opened(row)
        sealed = self._sealed(held.principal, held.source, held.grant)
        await self._database.run(
            lambda each: each.execute(SEAL_AGAIN, held.principal, held.source, held.version, sealed)
        )

    async def aclose(self) -> None:
        """Give the connections back."""
        await self._database.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _sealed(self, principal: str, source: str, grant: Grant) -> bytes:
        return self._seal.seal(grant.model_dump_json().encode(), "vault", principal, source)

    def _opened(self, row: Any) -> Connection:
        said = self._seal.open(row["sealed"], "vault", row["principal"], row["source"])
        grant = Grant.model_validate_json(said)
        return Connection(row["principal"], row["source"], row["id"], row["version"], grant, row["connected"])

    def __repr__(self) -> str:
        return f"Vault({self._database!r})"
