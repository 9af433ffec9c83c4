"""Any MCP server with a search tool, started as a command or reached at an address, in either generation of the protocol.

Specification: https://modelcontextprotocol.io/specification; spoken by the official SDK.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from connectors.auth import signer_for
from connectors.contract import Call, Health, HitPage, SourceDirectory
from connectors.errors import (
    BAD_TOKEN,
    NO_TOKEN,
    SILENT,
    Misconfigured,
    Rejected,
    SourceError,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.exchange import UNSPECIFIED
from connectors.http import Page
from connectors.json_api.asking import following, given
from connectors.json_api.template import fill
from connectors.manifest import load_manifest
from connectors.mcp_client.reading import page_of, texts
from connectors.mcp_client.settings import McpSettings
from connectors.text import quote, sendable
from storage.loading import load
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from mcp.types import CallToolResult, Tool

    from connectors.auth import Signer
    from connectors.mcp_client.session import McpSession, OpenedSession
    from translators.translator import NativeQuery

    ResultT = TypeVar("ResultT")

MODULES = ("mcp", "mcp.client.stdio", "mcp.client.streamable_http", "connectors.mcp_client.bounded", "jsonpath")
IN_TIME = 0.9  # of the time there is, after which a server that is still starting is not waited for
MOST_SESSIONS = 8  # people whose own credentials keep a connection open
NO_WORDS = Said("it can only be asked for words, and the question leaves none for it")


STILL = Said("the server is still starting after {seconds:.1f} s; it goes on, ask again in a moment")


class Starting(Unavailable):
    """The server is on its way; that says nothing of how it does, so it is not held against it."""

    code = "not_ready"


class McpSource:
    """One search tool of one MCP server, as its settings declare it. What it answers is trusted with nothing."""

    manifest = load_manifest("connectors.mcp_client")
    settings_type = McpSettings

    def __init__(self, name: str, settings: McpSettings) -> None:
        self.name = name
        self.settings = settings
        self.manifest = settings.described(type(self).manifest)
        self._signer: Signer | None = signer_for(name, self.manifest, settings)
        self._own_key = ""  # of the connection by the signer's own secret
        self._sessions: dict[str, McpSession] = {}
        self._leaving: set[McpSession] = set()
        self._doubts: set[asyncio.Task[None]] = set()
        self._borrows = False

    def declared_as(self, settings: McpSettings) -> McpSource:
        """The same server asked otherwise, over the connections of this one, which alone ends them."""
        other = copy(self)
        other.settings, other.manifest = settings, settings.described(type(self).manifest)
        other._borrows = True  # noqa: SLF001 — it is one of us
        return other

    async def prepare(self) -> None:
        """Import the SDK, and start the server where it is a command: that may take longer than any question has."""
        await load(*MODULES)
        if self.settings.command:
            secret = await self._secret(Call())
            session = self._session(_key(secret), secret)
            try:
                self._check((await session.opened()).tools)
            except SourceError as failure:
                raise failure.without(secret) from None

    def signed_by(self, signer: Signer) -> None:
        """Sign by another than the settings say: a person's own, renewed as they allowed."""
        self._signer = signer

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """One call of the tool."""
        if not (native.text or self.settings.listing):
            return HitPage(notes=(NO_WORDS,))
        limit = self.manifest.limits.hits(call.limit)
        values = given(self.settings, native, Page(limit, call.cursor))
        arguments = fill(self.settings.arguments, {name: _sendable(value) for name, value in values.items()})
        assert isinstance(arguments, dict)

        async def ask(opened: OpenedSession) -> HitPage:
            await call.turn()
            result = await opened.client.call_tool(self.settings.tool, arguments)
            if result.is_error:
                raise Rejected(
                    Said("{title} refused: {said}").filled(
                        title=self.manifest.title,
                        said=quote("\n".join(texts(result))) or UNSPECIFIED,
                    ),
                    str(native),
                )
            return self._page(result, call.cursor, limit)

        return await self._signed(call, ask)

    async def directory(self, call: Call) -> SourceDirectory:  # noqa: ARG002 — tools list nobody
        """Nobody is known by name."""
        return SourceDirectory()

    async def probe(self, call: Call) -> Health:
        """Its tools: the one that is set must be there and take what it is to be given."""

        async def look(opened: OpenedSession) -> Health:
            server = opened.client.server_info
            spoken = f"protocol {opened.client.protocol_version}"
            return Health(ok=True, detail=quote(f"{server.name}, {spoken}" if server else spoken))

        return await self._signed(call, look)

    async def arguments(self, call: Call) -> tuple[str, ...]:
        """What the tool may be given, as it says itself."""

        async def look(opened: OpenedSession) -> tuple[str, ...]:
            tool = next(each for each in opened.tools if each.name == self.settings.tool)
            known = tool.input_schema.get("properties")
            return tuple(map(str, known)) if isinstance(known, dict) else ()

        return await self._signed(call, look)

    async def aclose(self) -> None:
        """End all connections and whatever was started for them, unless they are another's."""
        if self._borrows:
            return
        for task in (doubts := tuple(self._doubts)):
            task.cancel()
        await asyncio.gather(*doubts, return_exceptions=True)
        sessions = {*self._sessions.values(), *self._leaving}
        self._sessions.clear()
        await asyncio.gather(*(session.ended() for session in sessions))
        self._leaving.clear()

    # ---- connections

    async def _signed(self, call: Call, work: Callable[[OpenedSession], Awaitable[ResultT]]) -> ResultT:
        """What is done in a connection, and once more by a new token where the server takes the old one no longer."""
        secret = await self._secret(call)
        try:
            async with self._asking(call, secret) as opened:
                return await work(opened)
        except Unauthenticated:
            signer = None if call.credential else self._signer
            if signer is None or await signer.after(secret) is None:
                raise
        async with self._asking(call, await self._secret(call)) as opened:
            return await work(opened)

    @asynccontextmanager
    async def _asking(self, call: Call, secret: str) -> AsyncIterator[OpenedSession]:
        """A connection, within the time there is. It outlives whoever gives up: starting goes on, and a slow search ends alone.

        Only a server that does not even say what it can is ended, and another one started: it may hang for good.
        """
        await load(*MODULES)
        key = _key(secret)
        if key not in self._sessions or self._sessions[key].over:
            await call.turn()
        session = self._session(key, secret)
        session.users += 1
        finished = False
        try:
            async with asyncio.timeout(call.timeout):
                yield await self._opened(session, call.timeout * IN_TIME)
            finished = True
        except TimeoutError:
            if session.opening:
                raise Starting(STILL.filled(seconds=call.timeout)) from None
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None
        except SourceError as failure:
            finished = not isinstance(failure, Unavailable)
            raise self._advised(failure).without(secret) from None
        except Exception as failure:  # noqa: BLE001 — whatever the SDK raises, one by one or in groups
            explained = self._explained(failure, session)
            finished = not isinstance(explained, Unavailable)
            raise self._advised(explained).without(secret) from None
        finally:
            session.users -= 1
            if not (finished or session.opening or session.over or session.doubted):
                self._doubt(session, key, secret)

    async def _opened(self, session: McpSession, patience: float) -> OpenedSession:
        """The connection; raises :class:`Starting` a little before the caller gives up, who could not tell why."""
        try:
            async with asyncio.timeout(patience):
                opened = await session.opened()
        except TimeoutError:
            raise Starting(STILL.filled(seconds=patience)) from None
        self._check(opened.tools)
        if opened.http is not None:
            opened.http.refused = opened.http.broken = None
        return opened

    def _explained(self, failure: Exception, session: McpSession) -> SourceError:
        from connectors.mcp_client.session import explained

        return explained(failure, session.http, self.settings.base_url)

    def _advised(self, failure: SourceError) -> SourceError:
        if isinstance(failure, Unauthenticated):
            return Unauthenticated(advised(failure.message, self.manifest.auth.help))
        return failure

    def _session(self, key: str, secret: str) -> McpSession:
        from connectors.mcp_client.session import McpSession

        if key not in self._sessions or self._sessions[key].over:
            self._sessions.pop(key, None)
            idle = next((each for each in self._sessions.values() if not each.users), None)
            if idle is not None and len(self._sessions) >= MOST_SESSIONS:
                self._drop(idle)
            self._sessions[key] = McpSession(self.settings, self.settings.base_url, secret)
        return self._sessions[key]

    def _doubt(self, session: McpSession, key: str, secret: str) -> None:
        """Look in the background whether the server still answers; another takes the place of one that does not."""

        async def look() -> None:
            if not await session.answers():
                current = self._sessions.get(key) is session
                self._drop(session)
                if current:
                    self._session(key, secret)
            session.doubted = False

        session.doubted = True
        task = asyncio.create_task(look(), name=f"does {self.name} answer")
        self._doubts.add(task)
        task.add_done_callback(self._doubts.discard)

    def _drop(self, session: McpSession) -> None:
        for key in [key for key, each in self._sessions.items() if each is session]:
            del self._sessions[key]
        session.end()
        self._leaving -= {each for each in self._leaving if each.gone}
        self._leaving.add(session)

    async def _secret(self, call: Call) -> str:
        if not (self.settings.command or self.settings.base_url):
            raise Misconfigured(
                Said("source {name}: set base_url, the address of the server, or command, which starts it").filled(
                    name=self.name
                )
            )
        secret = call.credential.secret if call.credential else await self._signer.secret() if self._signer else ""
        if not secret and self.settings.needs_token:
            raise Unauthenticated(NO_TOKEN.filled(name=self.name, help=self.manifest.auth.help))
        if not secret.isascii() or (secret and not secret.isprintable()) or " " in secret:  # it goes into a header
            raise Unauthenticated(BAD_TOKEN.filled(name=self.name))
        if not call.credential and self._own_key != (key := _key(secret)):
            old, self._own_key = self._sessions.get(self._own_key), key
            if old is not None and not old.users:  # the token has been renewed
                self._drop(old)
        return secret

    # ---- tools

    def _check(self, tools: Sequence[Tool]) -> None:
        """Raises :class:`Misconfigured` that names what there is, where the declaration does not fit."""
        wanted = self.settings.tool
        tool = next((each for each in tools if each.name == wanted), None)
        if tool is None:
            there = quote(", ".join(each.name for each in tools) or Said("none at all"))
            raise Misconfigured(
                Said("source {name}: tool: the server has no tool called {wanted}; there are: {there}").filled(
                    name=self.name, wanted=wanted, there=there
                )
            )
        known, required = tool.input_schema.get("properties"), tool.input_schema.get("required")
        names = list(known) if isinstance(known, dict) else []
        takes = Said("{wanted} takes: {said}").filled(
            wanted=wanted, said=quote(", ".join(map(str, names)) or "nothing")
        )
        for name in self.settings.arguments:
            if isinstance(known, dict) and name not in known and not tool.input_schema.get("additionalProperties"):
                raise Misconfigured(
                    Said("source {name}: arguments.{name_}: there is no such argument; {takes}").filled(
                        name=self.name, name_=name, takes=takes
                    )
                )
        for name in required if isinstance(required, list) else ():
            if name not in self.settings.arguments:
                raise Misconfigured(
                    Said("source {name}: arguments: {said} is missing; {takes}").filled(
                        name=self.name, said=quote(name), takes=takes
                    )
                )

    # ---- results

    def _page(self, result: CallToolResult, cursor: str | None, limit: int) -> HitPage:
        found = self._read(result)
        distinct = {hit.id: hit for hit in reversed(found.hits)}
        kept = [distinct[hit_id] for hit_id in dict.fromkeys(hit.id for hit in found.hits)][:limit]
        ranked = tuple(replace(hit, source=self.name, rank=rank) for rank, hit in enumerate(kept, 1))
        after = found.cursor if self.settings.reply.next else following(self.settings, found, cursor, limit)
        return replace(found, hits=ranked, cursor=after)

    def _read(self, result: CallToolResult) -> HitPage:
        return page_of(self.settings, result, self.manifest.title)

    def __repr__(self) -> str:
        return f"McpSource({self.name!r}, {self.settings.tool!r})"


def _key(secret: str) -> str:
    """What the connection with a credential is kept under."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _sendable(value: str | int) -> str | int:
    return sendable(value) if isinstance(value, str) else value


SOURCE = McpSource
