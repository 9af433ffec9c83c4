"""What every request passes first: an id, a bound on its body, headers that make browsers careful, a line in the log.

Plain ASGI: a middleware that wraps requests and replies in objects of its own costs more than all of this.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from orchestrator.surfaces.http.problems import MEDIA_TYPE, TOO_LARGE, problem_body, told_in
from storage.logs import log_of
from translators.said import preferred

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from orchestrator.surfaces.http.metrics import Metrics

log = log_of(__name__)

REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
RATE_LIMIT = "rate_limit"  # where a request's scope has the headers that say what is left of its caller's rate
API_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
READ_ON = 4 * 1_048_576  # bytes of a body that is refused which are still read
READING_ON = 2.0  # seconds for that


class TooLarge(Exception):
    """A body that has become longer than it may be."""


class Guard:
    """Wraps the whole application. ``most``: bytes of a body; ``larger``: where single paths take more."""

    def __init__(self, app: ASGIApp, most: int, metrics: Metrics, larger: Mapping[str, int]) -> None:
        self._app = app
        self._most = most
        self._larger = larger
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI 3."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        request_id = given.decode() if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope["request_id"] = request_id
        started, status, begun = time.perf_counter(), 500, False
        most = max(self._most, self._larger.get(scope["path"], 0))
        body = CountedBody(receive, most)

        async def reply(message: Message) -> None:
            nonlocal status, begun
            if body.too_large and not begun:
                return  # whatever the application makes of the broken body, the refusal below is the reply
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                message = {**message, "headers": _dressed(message.get("headers", ()), request_id, scope)}
            await send(message)

        try:
            if _length(headers) <= most:
                await self._app(scope, body.receive, reply)
            if (body.too_large or _length(headers) > most) and not begun:
                status = 413
                await _let_finish(receive)
                await _refuse(send, request_id, most, preferred(headers.get(b"accept-language", b"").decode("latin-1")))
        finally:
            took = time.perf_counter() - started
            path = _pattern(scope)
            self._metrics.requested(scope["method"], path, status, took)
            log.info(
                "request", request=request_id, method=scope["method"], path=path, status=status, took=round(took, 4)
            )


class CountedBody:
    """A body that is counted as it comes: it may say no length, or lie. ``most``: its bytes."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most
        self.too_large = False

    async def receive(self) -> Message:
        """ASGI receive. Raises :class:`TooLarge` as soon as it is."""
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.too_large = True
            raise TooLarge
        return message


def _length(headers: dict[bytes, bytes]) -> int:
    said = headers.get(b"content-length", b"0")
    return int(said) if said.isdigit() else 0


def _pattern(scope: Scope) -> str:
    """The route and not the path: what callers put into a path must not become a label or a log line."""
    return getattr(scope.get("route"), "path", "unknown")


def _dressed(headers: Iterable[tuple[bytes, bytes]], request_id: str, scope: Scope) -> list[tuple[bytes, bytes]]:
    given = [*headers, *scope.get(RATE_LIMIT, ())]
    names = {name.lower() for name, _ in given}
    more = [pair for pair in (*SECURITY, API_POLICY) if pair[0] not in names]
    return [*given, *more, (b"x-request-id", request_id.encode())]


async def _let_finish(receive: Receive) -> None:
    """Read on, for a while, and keep nothing: of a connection that is closed while they still send most clients never see the reply."""
    left = READ_ON
    with suppress(TimeoutError):
        async with asyncio.timeout(READING_ON):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


async def _refuse(send: Send, request_id: str, most: int, language: str) -> None:
    body = problem_body(language, 413, "too_large", TOO_LARGE.filled(most=most), request_id)
    sent = json.dumps(body, ensure_ascii=False).encode()
    told = {"content-type": MEDIA_TYPE, "content-length": str(len(sent)), "connection": "close", **told_in(language)}
    headers = _dressed([(name.lower().encode(), text.encode()) for name, text in told.items()], request_id, {})
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": sent})
