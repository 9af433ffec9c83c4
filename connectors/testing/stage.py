"""The stage for exemplars: a loopback server that plays a vendor's replies and compares every request it gets.

Sources that speak in lines have one that holds one side of a conversation.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from dataclasses import dataclass, field
from email.parser import BytesParser
from http import HTTPStatus
from itertools import zip_longest
from typing import TYPE_CHECKING, Self
from urllib.parse import parse_qs, urlsplit

from aiohttp import web
from aiohttp.log import access_logger

from connectors.testing.exemplar import Counted
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from connectors.testing.exemplar import CannedReply, Exchange, ExpectedRequest, LineExchange

UNEXPECTED = 599  # the status for a request that no exchange of the exemplar expects
BOUNDARY = "batch_of_replies"


@record
class SeenRequest:
    """A request as it arrived; ``parts`` are those of a multipart batch."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes = b""
    parts: tuple[SeenRequest, ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path} {dict(self.query)} {self.body.decode('utf-8', 'replace')}"


@dataclass
class ExchangePlayer:
    """Plays ``exchanges``, each once, in whichever order they are asked for.

    ``stall_at``: the request, counted from 1, that gets no answer at all. ``surprises``: what was not as expected.
    ``requests``: how many came.
    """

    exchanges: Sequence[Exchange]
    token: str
    stall_at: int = 0
    surprises: list[str] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    strays: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.unplayed = list(self.exchanges)
        self.requests = 0
        self._runners: list[web.AppRunner] = []
        self.url = self._elsewhere = ""

    async def __aenter__(self) -> Self:
        self._elsewhere = await self._listen(self._stray)
        self.url = await self._listen(self._play)
        return self

    async def __aexit__(self, *_: object) -> None:
        for runner in self._runners:
            await runner.cleanup()

    @property
    def open_connections(self) -> int:
        """How many connections are open now."""
        servers = (runner.server for runner in self._runners)
        return sum(len(server.connections) for server in servers if server is not None)

    async def _listen(self, handler: Callable[[web.Request], Awaitable[web.Response]]) -> str:
        app = web.Application(client_max_size=1 << 24)
        app.router.add_route("*", "/{path:.*}", handler)
        # Its log shows addresses, and so a credential that has no business there; some vendors take it nowhere else.
        keyed = any("{token}" in str(each.request.query) for each in self.exchanges)
        log = None if keyed else access_logger
        runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True, access_log=log)
        await runner.setup()
        self._runners.append(runner)
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        return f"http://{host}:{port}"

    async def _stray(self, request: web.Request) -> web.Response:
        self.strays.append(f"{request.method} {request.path}")
        return web.json_response({})

    async def _play(self, request: web.Request) -> web.Response:
        seen = await seen_request(request)
        self.requests += 1
        if self.requests == self.stall_at:
            self.arrived.set()
            await asyncio.Event().wait()
        exchange = next((each for each in self.unplayed if not self._differences(each, seen)), None)
        if exchange is None:
            self.surprises.append(self._surprise(seen))
            return web.json_response({}, status=UNEXPECTED)
        self.unplayed.remove(exchange)
        if exchange.parts and exchange.reply.status == HTTPStatus.OK and exchange.reply.text is None:
            return _batch_response(seen.parts, [part.reply for part in exchange.parts])
        return self._response(exchange.reply)

    def _surprise(self, seen: SeenRequest) -> str:
        if not self.unplayed:
            return f"nobody expected {seen}"
        return "; ".join(self._differences(self.unplayed[0], seen))

    def _differences(self, exchange: Exchange, seen: SeenRequest) -> list[str]:
        found = list(differences(exchange.request, seen, self.token, compare_body=not exchange.parts))
        if len(exchange.parts) != len(seen.parts):
            return [*found, f"{len(exchange.parts)} parts were expected, {len(seen.parts)} came"]
        for expected, part in zip(exchange.parts, seen.parts, strict=True):
            found += differences(expected.request, part, self.token)
        return found

    def _response(self, reply: CannedReply) -> web.Response:
        headers = {name: value.replace("{elsewhere}", self._elsewhere) for name, value in reply.headers.items()}
        headers.setdefault("Content-Type", "application/json" if reply.text is None else "text/html")
        return web.Response(status=reply.status, headers=headers, body=_body(reply))


async def seen_request(request: web.Request) -> SeenRequest:
    """What arrived, a batch taken apart."""
    body = await request.read()
    return SeenRequest(
        request.method,
        request.path,
        {name: request.query.getall(name) for name in request.query},
        {name.lower(): value for name, value in request.headers.items()},
        body,
        tuple(_parts(request.headers.get("Content-Type", ""), body)),
    )


def differences(
    expected: ExpectedRequest, seen: SeenRequest, token: str, *, compare_body: bool = True
) -> Iterable[str]:
    """Everything in which a request is not the expected one, method included."""
    query = {
        name: [each.replace("{token}", token) for each in (value if isinstance(value, tuple) else (value,))]
        for name, value in expected.query.items()
    }
    pairs: list[tuple[str, object, object]] = [
        ("method", expected.method, seen.method),
        ("path", expected.path, seen.path),
        ("query", query, dict(seen.query)),
    ]
    for name, value in expected.headers.items():
        pairs.append((f"header {name}", value.replace("{token}", token), seen.headers.get(name.lower())))
    if compare_body:
        pairs.append(("body", expected.body, _json_of(seen.body)))
    return [f"{what}: {wanted!r} was expected, {got!r} came" for what, wanted, got in pairs if wanted != got]


def _json_of(body: bytes) -> object:
    try:
        return json.loads(body) if body.strip() else None
    except ValueError:
        return body.decode("utf-8", "replace")


def _body(reply: CannedReply) -> bytes:
    if reply.filler:
        return b" " * reply.filler
    if reply.text is not None:
        return reply.text.encode()
    return b"" if reply.body is None else json.dumps(reply.body).encode()


def _parts(content_type: str, body: bytes) -> Iterable[SeenRequest]:
    """The requests in a multipart/mixed batch, each an ``application/http`` part (RFC 2046, RFC 9112 section 10.2)."""
    if not content_type.startswith("multipart/mixed"):
        return
    message = BytesParser().parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    for part in message.walk():
        if part.get_content_type() != "application/http":
            continue
        line, _, rest = str(part.get_payload()).lstrip().partition("\n")
        method, target, _ = line.split(" ", 2)
        inner = BytesParser().parsebytes(rest.encode())
        headers = {name.lower(): value for name, value in inner.items()} | {"content-id": part["Content-ID"]}
        url = urlsplit(target)
        yield SeenRequest(method, url.path, parse_qs(url.query), headers, str(inner.get_payload()).encode())


def _batch_response(asked: Sequence[SeenRequest], replies: Sequence[CannedReply]) -> web.Response:
    """The replies as Google sends them: each names the part it answers in its Content-ID."""
    body = b""
    for request, reply in zip(asked, replies, strict=True):
        number = request.headers["content-id"].removeprefix("<")
        lines = [f"{name}: {value}" for name, value in reply.headers.items()]
        status = f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}"
        inner = "\r\n".join([status, "Content-Type: application/json", *lines]).encode() + b"\r\n\r\n" + _body(reply)
        head = f"--{BOUNDARY}\r\nContent-Type: application/http\r\nContent-ID: <response-{number}\r\n\r\n"
        body += head.encode() + inner + b"\r\n"
    body += f"--{BOUNDARY}--".encode()
    return web.Response(body=body, headers={"Content-Type": f"multipart/mixed; boundary={BOUNDARY}"})


LONGEST_LINE = 1 << 24
ENCODED = re.compile(r"\{base64:(.*?)\}", re.DOTALL)


@dataclass
class LineStage:
    """Plays ``lines`` in order: each is a line that must come next and what is answered to it.

    The first is answered as soon as somebody connects, and so is every other that expects nothing. ``scheme`` is
    that of the address. ``stall_at``: the exchange, counted from 1, that gets no answer at all. ``surprises``: what
    was not as expected.
    """

    lines: Sequence[LineExchange]
    token: str
    scheme: str
    stall_at: int = 0
    surprises: list[str] = field(default_factory=list)
    requests: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    strays: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.unplayed = list(self.lines)
        self._conversations: dict[asyncio.StreamWriter, asyncio.Task[object] | None] = {}
        self._servers: list[asyncio.Server] = []
        self.url = self._elsewhere = ""

    async def __aenter__(self) -> Self:
        self._elsewhere = await self._listen(self._stray)
        self.url = await self._listen(self._converse)
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in self._servers:
            server.close()
        for writer in self._conversations:
            writer.transport.abort()
        await asyncio.gather(*filter(None, self._conversations.values()))
        for server in self._servers:
            await server.wait_closed()

    @property
    def open_connections(self) -> int:
        """How many connections are open now."""
        return len(self._conversations)

    async def _listen(self, serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> str:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._conversations[writer] = asyncio.current_task()
            try:
                await serve(reader, writer)
            except ConnectionError:
                pass
            finally:
                writer.transport.abort()
                del self._conversations[writer]

        server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=LONGEST_LINE)
        self._servers.append(server)
        host, port = server.sockets[0].getsockname()[:2]
        return f"{self.scheme}://{host}:{port}"

    async def _stray(self, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        self.strays.append("a connection")
        await reader.read()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came = ""
        while await self._answer(came, reader, writer):
            line = await reader.readline()
            if not line:
                return
            came = line.decode("utf-8", "backslashreplace").removesuffix("\n").removesuffix("\r")

    async def _answer(self, came: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer a line, if it is the one to come; whether the conversation goes on."""
        self.requests += bool(came)
        if len(self.lines) - len(self.unplayed) + 1 == self.stall_at:
            self.arrived.set()
            await reader.read()
            return False
        wanted = self._wanted(self.unplayed[0]) if self.unplayed else None
        if wanted != came:
            self.surprises.append(
                f"nobody expected {came!r}" if wanted is None else f"{wanted!r} was expected, {came!r} came"
            )
            return False
        exchange = self.unplayed.pop(0)
        writer.write(self._said(exchange))
        await writer.drain()
        return not exchange.hang_up

    def _wanted(self, exchange: LineExchange) -> str:
        said = exchange.send.replace("{token}", self.token)
        return ENCODED.sub(lambda part: base64.b64encode(part[1].encode()).decode("ascii"), said)

    def _said(self, exchange: LineExchange) -> bytes:
        """The reply as bytes: a counted text stands between the string before it and the one after it."""
        said = b""
        for piece, following in zip_longest(exchange.reply, exchange.reply[1:]):
            if isinstance(piece, Counted):
                data = piece.literal.replace("\n", "\r\n").encode(piece.charset)
                said += b"{%d}\r\n%s" % (len(data), data)
            else:
                said += piece.replace("{elsewhere}", self._elsewhere).encode()
                said += b"" if isinstance(following, Counted) else b"\r\n"
        return said + b" " * exchange.filler
