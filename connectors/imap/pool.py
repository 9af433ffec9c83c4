"""A few signed-in connections, kept for the next question and for nobody else's."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from connectors.contract import Call, Credential
    from connectors.imap.connection import ImapConnection

LONGEST_REST = 120.0  # seconds after which something on the way may have forgotten a connection without a word


@dataclass(frozen=True, slots=True, eq=False)
class _Resting:
    connection: ImapConnection
    credential: Credential
    since: float


class Pool:
    """At most ``size`` connections at once, resting ones included."""

    def __init__(self, connect: Callable[[Credential, Call], Awaitable[ImapConnection]], size: int) -> None:
        self._connect = connect
        self._size = size
        self._turns = asyncio.Semaphore(size)
        self._resting: list[_Resting] = []
        self._busy: set[ImapConnection] = set()
        self._wanted = 0  # connections that somebody has or is about to have

    @asynccontextmanager
    async def connection(self, credential: Credential, call: Call) -> AsyncIterator[ImapConnection]:
        """A connection for as long as the context lasts. One that is left in the middle of a command is broken off."""
        async with self._turns:
            self._wanted += 1
            try:
                connection = self._rested(credential) or await self._new(credential, call)
                async with self._lent(connection, credential):
                    yield connection
            finally:
                self._wanted -= 1

    @asynccontextmanager
    async def _lent(self, connection: ImapConnection, credential: Credential) -> AsyncIterator[None]:
        self._busy.add(connection)
        try:
            yield
        finally:
            self._busy.discard(connection)
            if connection.alive:
                self._resting.append(_Resting(connection, credential, asyncio.get_running_loop().time()))
            else:
                connection.abort()

    def _rested(self, credential: Credential) -> ImapConnection | None:
        """The connection that rested last of those that were signed in with the same credential."""
        self._drop_stale()
        found = next((each for each in reversed(self._resting) if each.credential == credential), None)
        if found is None:
            return None
        self._resting.remove(found)
        found.connection.rested = True
        return found.connection

    def _drop_stale(self) -> None:
        oldest = asyncio.get_running_loop().time() - LONGEST_REST
        for each in tuple(self._resting):
            if not each.connection.alive or each.since < oldest:
                self._resting.remove(each)
                each.connection.abort()

    async def _new(self, credential: Credential, call: Call) -> ImapConnection:
        while len(self._resting) + self._wanted > self._size:
            self._resting.pop(0).connection.abort()
        return await self._connect(credential, call)

    def drop_rested(self) -> None:
        """Break off what rests: a connection like these turned out to be dead."""
        while self._resting:
            self._resting.pop().connection.abort()

    async def aclose(self) -> None:
        """Take leave of what rests, break off what does not."""
        resting, self._resting = self._resting, []
        for connection in self._busy:
            connection.abort()
        await asyncio.gather(*(each.connection.logout() for each in resting))
