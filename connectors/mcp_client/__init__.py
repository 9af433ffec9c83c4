"""Any MCP server with a search tool, started as a command or reached at an address, in either generation of the protocol.

Specification: https://modelcontextprotocol.io/specification; spoken by the official SDK.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.auth import signer_for
from connectors.contract import Call, Health, HitPage, SourceDirectory
from connectors.errors import (
    BAD_TOKEN,
    NO_TOKEN,
    SILENT,
    BadReply,
    Misconfigured,
    Rejected,
    SourceError,
    Unauthenticated,
    Unavailable,
)
from connectors.http import Page
from connectors.json_api.asking import following, given
from connectors.json_api.reading import read_page
from connectors.json_api.template import fill
from connectors.manifest import load_manifest
from connectors.mcp_client import markdown
from connectors.mcp_client.settings import McpSettings
from connectors.text import quote, sendable
from connectors.transport import load
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from mcp.types import CallToolResult, Tool

    from connectors.mcp_client.session import Opened, Session
    from translators.translator import NativeQuery

MOST_SESSIONS = 8  # people whose own credentials keep a connection open
NO_WORDS = Said(
    "it can only be asked for words, and the question leaves none for it",
    "낱말로만 물을 수 있는데 질문에 물을 낱말이 남아 있지 않습니다",
)


class McpSource:
    """One search tool of one MCP server, as its settings declare it. What it answers is trusted with nothing."""

    manifest = load_manifest("connectors.mcp_client")
    settings_type = McpSettings

    def __init__(self, name: str, settings: McpSettings) -> None:
        self.name = name
        self.settings = settings
        self.manifest = settings.described(type(self).manifest)
        self._signer = signer_for(name, self.manifest, settings)
        self._sessions: dict[str, Session] = {}
        self._leaving: set[Session] = set()

    async def prepare(self) -> None:
        """Import the SDK, which takes a second or two, off the event loop."""
        await load("mcp", "mcp.client.stdio", "mcp.client.streamable_http", "connectors.mcp_client.bounded", "jsonpath")

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """One call of the tool."""
        if not (native.text or self.settings.listing):
            return HitPage(notes=(NO_WORDS,))
        limit = max(1, min(call.limit, self.manifest.limits.page))
        values = given(self.settings, native, Page(limit, call.cursor))
        arguments = fill(self.settings.arguments, {name: _sendable(value) for name, value in values.items()})
        assert isinstance(arguments, dict)
        async with self._asking(call) as opened:
            await call.turn()
            result = await opened.client.call_tool(self.settings.tool, arguments)
            if result.is_error:
                raise Rejected(
                    Said("{title} refused: {said}", "{title}에서 거절했습니다: {said}").filled(
                        title=self.manifest.title,
                        said=quote(_text(result)) or Said("no reason given", "이유를 밝히지 않음"),
                    ),
                    str(native),
                )
            return self._page(result, call.cursor, limit)

    async def directory(self, call: Call) -> SourceDirectory:  # noqa: ARG002 — tools list nobody
        """Nobody is known by name."""
        return SourceDirectory()

    async def probe(self, call: Call) -> Health:
        """Its tools: the one that is set must be there and take what it is to be given."""
        async with self._asking(call) as opened:
            server = opened.client.server_info
            spoken = f"protocol {opened.client.protocol_version}"
        return Health(ok=True, detail=quote(f"{server.name}, {spoken}" if server else spoken))

    async def aclose(self) -> None:
        """End all connections and whatever was started for them."""
        sessions, self._sessions = {*self._sessions.values(), *self._leaving}, {}
        await asyncio.gather(*(session.ended() for session in sessions))
        self._leaving.clear()

    # ---- connections

    @asynccontextmanager
    async def _asking(self, call: Call) -> AsyncIterator[Opened]:
        """A connection, within the time there is. One that was given up on alone is ended: it may hang for good."""
        secret = await self._secret(call)
        await self.prepare()
        key = hashlib.sha256(secret.encode()).hexdigest()
        if key not in self._sessions or self._sessions[key].over:
            await call.turn()
        session = self._session(key, secret)
        session.users += 1
        finished = False
        try:
            async with asyncio.timeout(call.timeout):
                yield await self._opened(session)
            finished = True
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None
        except SourceError as failure:
            finished = isinstance(failure, Rejected | Misconfigured)
            raise self._advised(failure).without(secret) from None
        except Exception as failure:  # noqa: BLE001 — whatever the SDK raises, one by one or in groups
            raise self._advised(self._explained(failure, session)).without(secret) from None
        finally:
            session.users -= 1
            if not finished and not session.users:
                self._drop(session)

    async def _opened(self, session: Session) -> Opened:
        opened = await session.opened()
        self._check(opened.tools)
        if opened.http is not None:
            opened.http.refused = opened.http.broken = None
        return opened

    def _explained(self, failure: Exception, session: Session) -> SourceError:
        from connectors.mcp_client.session import explained

        return explained(failure, session.http, self.settings.base_url)

    def _advised(self, failure: SourceError) -> SourceError:
        if isinstance(failure, Unauthenticated):
            return Unauthenticated(joined("; ", (failure.message, self.manifest.auth.help)))
        return failure

    def _session(self, key: str, secret: str) -> Session:
        from connectors.mcp_client.session import Session

        if key not in self._sessions or self._sessions[key].over:
            self._sessions.pop(key, None)
            idle = next((each for each in self._sessions.values() if not each.users), None)
            if idle is not None and len(self._sessions) >= MOST_SESSIONS:
                self._drop(idle)
            self._sessions[key] = Session(self.settings, self.settings.base_url, secret)
        return self._sessions[key]

    def _drop(self, session: Session) -> None:
        for key in [key for key, each in self._sessions.items() if each is session]:
            del self._sessions[key]
        session.end()
        self._leaving = {each for each in self._leaving if not each.gone} | {session}

    async def _secret(self, call: Call) -> str:
        if not (self.settings.command or self.settings.base_url):
            raise Misconfigured(
                Said(
                    "source {name}: set base_url, the address of the server, or command, which starts it",
                    "소스 {name}: 서버의 주소인 base_url이나 서버를 실행하는 command를 설정하세요",
                ).filled(name=self.name)
            )
        secret = call.credential.secret if call.credential else await self._signer.secret() if self._signer else ""
        if not secret and self.settings.needs_token:
            raise Unauthenticated(NO_TOKEN.filled(name=self.name, help=self.manifest.auth.help))
        if not secret.isascii() or (secret and not secret.isprintable()) or " " in secret:  # it goes into a header
            raise Unauthenticated(BAD_TOKEN.filled(name=self.name))
        return secret

    # ---- tools

    def _check(self, tools: Sequence[Tool]) -> None:
        """Raises :class:`Misconfigured` that names what there is, where the declaration does not fit."""
        wanted = self.settings.tool
        tool = next((each for each in tools if each.name == wanted), None)
        if tool is None:
            there = quote(", ".join(each.name for each in tools) or Said("none at all", "하나도 없음"))
            raise Misconfigured(
                Said(
                    "source {name}: tool: the server has no tool called {wanted}; there are: {there}",
                    "소스 {name}: tool: 서버에 {wanted} 도구가 없습니다. 있는 도구: {there}",
                ).filled(name=self.name, wanted=wanted, there=there)
            )
        known, required = tool.input_schema.get("properties"), tool.input_schema.get("required")
        names = list(known) if isinstance(known, dict) else []
        takes = Said("{wanted} takes: {said}", "{wanted} 인자: {said}").filled(
            wanted=wanted, said=quote(", ".join(map(str, names)) or "nothing")
        )
        for name in self.settings.arguments:
            if isinstance(known, dict) and name not in known and not tool.input_schema.get("additionalProperties"):
                raise Misconfigured(
                    Said(
                        "source {name}: arguments.{name_}: there is no such argument; {takes}",
                        "소스 {name}: arguments.{name_}: 이런 인자가 없습니다. {takes}",
                    ).filled(name=self.name, name_=name, takes=takes)
                )
        for name in required if isinstance(required, list) else ():
            if name not in self.settings.arguments:
                raise Misconfigured(
                    Said(
                        "source {name}: arguments: {said} is missing; {takes}",
                        "소스 {name}: arguments: {said} 인자가 없습니다. {takes}",
                    ).filled(name=self.name, said=quote(name), takes=takes)
                )

    # ---- results

    def _page(self, result: CallToolResult, cursor: str | None, limit: int) -> HitPage:
        structured = result.structured_content
        found = self._read(structured) if isinstance(structured, dict) else self._from_text(_text(result))
        distinct = {hit.id: hit for hit in reversed(found.hits)}
        kept = [distinct[hit_id] for hit_id in dict.fromkeys(hit.id for hit in found.hits)][:limit]
        ranked = tuple(replace(hit, source=self.name, rank=rank) for rank, hit in enumerate(kept, 1))
        after = found.cursor if self.settings.reply.next else following(self.settings, found, cursor, limit)
        return replace(found, hits=ranked, cursor=after)

    def _read(self, data: object) -> HitPage:
        return read_page(self.settings, data, self.manifest.title)

    def _from_text(self, text: str) -> HitPage:
        """JSON, or a Markdown list; prose says why there is nothing."""
        if self.settings.format != "markdown":
            try:
                data = json.loads(text)
            except (ValueError, RecursionError):
                if self.settings.format == "json":
                    raise BadReply(
                        Said("{title} answered with text that is not JSON", "{title}: 응답이 JSON이 아닙니다").filled(
                            title=self.manifest.title
                        )
                    ) from None
            else:
                return self._read(data)
        items = markdown.results(text)
        if not items:
            return HitPage(
                cursor="0",
                notes=(
                    Said("{title} said: {said}", "{title}의 답: {said}").filled(
                        title=self.manifest.title, said=quote(text)
                    ),
                )
                if text.strip()
                else (),
            )
        listed = self.settings.model_copy(update={"reply": LISTED, "hit": ITEMS})
        return read_page(listed, {"results": items}, self.manifest.title)

    def __repr__(self) -> str:
        return f"McpSource({self.name!r}, {self.settings.tool!r})"


def _text(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


def _sendable(value: str | int) -> str | int:
    return sendable(value) if isinstance(value, str) else value


LISTED = McpSettings.model_fields["reply"].default
ITEMS = McpSettings.model_fields["hit"].default.model_copy(update={"markup": "markdown"})
SOURCE = McpSource
