"""A connection to one MCP server, held open by a task of its own: the SDK's contexts end in the task they began in."""

from __future__ import annotations

import asyncio
import math
import os
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.errors import Misconfigured, SourceError, Unavailable
from connectors.http import describe_failure, error_for
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio import CancelScope
    from mcp import Client, Tool

    from connectors.mcp_client.bounded import Bounded
    from connectors.mcp_client.settings import McpSettings

GRACE = 0.5  # seconds in which a session may take its leave
STARTING = 60.0  # seconds that a server has to start and to say what it can; a package may be downloaded first
ALIVE = 10.0  # seconds in which a server that let a search wait must still list its tools
VERSION = "1"
MOST_PAGES = 10  # of tools


GIVEN_UP = Said("the connection was given up while it was opening")
NOT_STARTED = Said("the server did not say what it can within {most:.0f} s; run it by hand to see what it waits for")


@dataclass(slots=True)
class OpenedSession:
    """A client that has shaken hands, the tools there are, and the HTTP below it (``None`` where a server was started)."""

    client: Client
    tools: tuple[Tool, ...]
    http: Bounded | None


class McpSession:
    """Opens in the background; ``users``: how many calls are under way."""

    def __init__(self, settings: McpSettings, address: str, secret: str) -> None:
        self._settings = settings
        self._address = address
        self._secret = secret
        self.users = 0
        self.doubted = False
        self._http: Bounded | None = None
        self._scope: CancelScope | None = None
        self._ready: asyncio.Future[OpenedSession] = asyncio.get_running_loop().create_future()
        self._ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())
        self._closing = asyncio.Event()
        self._task = asyncio.create_task(self._hold())

    @property
    def gone(self) -> bool:
        """Whether nothing of it is left."""
        return self._task.done()

    @property
    def http(self) -> Bounded | None:
        """The HTTP below it, if it has come to that."""
        return self._http

    @property
    def over(self) -> bool:
        """Whether nothing can be asked in it any more."""
        return self._closing.is_set() or self._task.done()

    @property
    def opening(self) -> bool:
        """Whether it is still on its way."""
        return not self._ready.done()

    async def answers(self) -> bool:
        """Whether the server still does, for :data:`ALIVE` seconds."""
        try:
            async with asyncio.timeout(ALIVE):
                await (await self.opened()).client.list_tools()
        except Exception:  # noqa: BLE001 — whatever the SDK raises, one by one or in groups
            return False
        return True

    async def opened(self) -> OpenedSession:
        """The connection, once it is there. Raises what kept it from opening."""
        return await asyncio.shield(self._ready)

    def end(self) -> None:
        """Let it go: at once where it is still opening, else after its leave. Whoever started the server stops it."""
        self._closing.set()
        if self._scope is not None and not self._ready.done():
            self._scope.cancel()

    async def ended(self) -> None:
        """End it and wait until nothing is left; a server that does not go is killed by the SDK."""
        self.end()
        await asyncio.wait({self._task}, timeout=GRACE)
        if self._scope is not None:
            self._scope.cancel()
        await asyncio.wait({self._task})

    async def _hold(self) -> None:
        import anyio

        try:
            with anyio.move_on_after(STARTING) as self._scope:
                if self._closing.is_set():
                    return
                async with self._connected() as client:
                    self._ready.set_result(OpenedSession(client, await _tools(client), self._http))
                    self._scope.deadline = math.inf
                    await self._closing.wait()
        except Exception as failure:  # noqa: BLE001 — groups of whatever the SDK's tasks raised
            if not self._ready.done():
                self._ready.set_exception(self._explained(failure))
        finally:
            given_up = self._closing.is_set()
            self._closing.set()
            if not self._ready.done():
                self._ready.set_exception(Unavailable(GIVEN_UP if given_up else NOT_STARTED.filled(most=STARTING)))

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        from mcp import Client, Implementation
        from mcp.client.stdio import StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client

        settings = self._settings
        async with AsyncExitStack() as stack:
            if settings.command:
                # What it writes to standard error is not for our terminal, and may hold what it was given.
                nowhere = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))  # noqa: ASYNC230, SIM115 — the stack closes it
                secret = {settings.token_env: self._secret} if settings.token_env and self._secret else {}
                command, *args = settings.command
                started = StdioServerParameters(command=command, args=args, env={**settings.env, **secret})
                transport = stdio_client(started, errlog=nowhere)
            else:
                from connectors.mcp_client.bounded import Bounded, client

                self._http = Bounded()
                headers = {"Authorization": f"Bearer {self._secret}"} if self._secret else {}
                http = await stack.enter_async_context(client(headers, self._http))
                transport = streamable_http_client(self._address, http_client=http)
            who = Implementation(name="fedsearch", version=VERSION)
            yield await stack.enter_async_context(Client(transport, client_info=who, cache=None))

    def _explained(self, failure: BaseException) -> SourceError:
        said = explained(failure, self._http, self._address)
        if self._settings.command and isinstance(root(failure), OSError):
            program = self._settings.command[0]
            return Misconfigured(
                Said("command: {program} cannot be started ({failure})").filled(
                    program=program, failure=type(root(failure)).__name__
                )
            )
        return said


async def _tools(client: Client) -> tuple[Tool, ...]:
    """All tools, within reason."""
    tools: list[Tool] = []
    cursor = None
    for _ in range(MOST_PAGES):
        listed = await client.list_tools(cursor=cursor)
        tools += listed.tools
        if (cursor := listed.next_cursor) is None:
            break
    return tuple(tools)


def root(failure: BaseException) -> BaseException:
    """The first failure in groups of failures."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure


def explained(failure: BaseException, http: Bounded | None, address: str) -> SourceError:
    """What went wrong, by the HTTP reply where there was one, else by what the SDK says."""
    from mcp import MCPError
    from pydantic import ValidationError

    from connectors.errors import BadReply, Rejected
    from connectors.text import quote

    cause = root(failure)
    if isinstance(cause, SourceError):
        return cause
    if http is not None and http.broken is not None:
        return http.broken
    if http is not None and http.refused is not None:
        answered = error_for(
            http.refused,
            Said("the MCP server answered HTTP {status}").filled(status=http.refused.status),
        )
        if answered is not None:
            return answered
    if isinstance(cause, ValidationError) or (isinstance(cause, MCPError) and cause.error.code == UNREADABLE):
        return BadReply(Said("the MCP server answered with something that is no message of the protocol"))
    if isinstance(cause, MCPError):
        refused = cause.error.code in REJECTED
        said = Said("the MCP server says: {why}").filled(why=quote(cause.error.message))
        return Rejected(said) if refused else Unavailable(said)
    return Unavailable(describe_failure(cause, address))


UNREADABLE = -32700
REJECTED = frozenset({-32600, -32601, -32602})  # JSON-RPC 2.0: the request, the method or its parameters are wrong
