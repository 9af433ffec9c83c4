"""Requests over aiohttp, and what every transport needs: bounded sessions, fan-out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from connectors.errors import LATE, SILENT, BadReply, SourceError, Unavailable
from connectors.exchange import (
    MAX_REPLY_BYTES,
    AuthorizationHeaders,
    HttpRequest,
    Reply,
    describe_failure,
    plain_json,
    plain_params,
    reply_from_text,
)
from storage.loading import load
from translators.said import Said

if TYPE_CHECKING:
    import aiohttp

    from connectors.contract import Call

__all__ = ["AiohttpTransport", "Send", "in_turn", "open_session", "oversized", "read_body", "send_together"]

Send = Callable[[HttpRequest, "Call"], Awaitable[Reply]]


async def send_together(
    send: Send, requests: Sequence[HttpRequest], call: Call, concurrency: int
) -> list[Reply | SourceError]:
    """Send all, at most ``concurrency`` in flight, each in its turn; a failure is a value.

    What has not come within ``call.timeout`` is cancelled and becomes :class:`Unavailable`; what has, is kept.
    """
    gate = asyncio.Semaphore(concurrency)

    async def one(request: HttpRequest) -> Reply | SourceError:
        async with gate:
            try:
                await call.turn(request.bucket)
                return await send(request, call)
            except SourceError as failure:
                return failure

    tasks = [asyncio.create_task(one(request)) for request in requests]
    try:
        await asyncio.wait(tasks, timeout=call.timeout)
    finally:
        late = [task for task in tasks if task.cancel()]
        await asyncio.gather(*late, return_exceptions=True)
    return [task.result() if not task.cancelled() else Unavailable(LATE) for task in tasks]


def in_turn(request: HttpRequest, call: Call) -> aiohttp.ClientMiddlewareType:
    """For one exchange: aiohttp sends once more what met a connection that was just being closed, and a vendor counts both."""
    is_sent = False

    async def sending(asked: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
        nonlocal is_sent
        if is_sent:
            await call.turn(request.bucket)
        is_sent = True
        return await send(asked)

    return sending


def open_session(concurrency: int) -> aiohttp.ClientSession:
    """A session without cookies and with as many connections as ``concurrency`` askers of one source may need."""
    import aiohttp

    connector = aiohttp.TCPConnector(limit=max(8, concurrency * 8), ttl_dns_cache=300)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


async def read_body(response: aiohttp.ClientResponse) -> bytes:
    """The body, unpacked, as long as it is not unreasonably large."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(1 << 16):
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            response.close()
            raise oversized()
    return bytes(body)


def oversized() -> BadReply:
    """The error for a reply that nobody should hold in memory."""
    return BadReply(Said("the reply is larger than {what} MiB").filled(what=MAX_REPLY_BYTES >> 20))


class AiohttpTransport:
    """One aiohttp session for one source: bounded connections and reply size, no redirects, cancelled at once."""

    def __init__(
        self, base_url: str, authorization: AuthorizationHeaders, concurrency: int, *, key_parameter: str = ""
    ) -> None:
        self._base_url = base_url
        self._authorization = authorization
        self._concurrency = concurrency
        self._key_parameter = key_parameter
        self._session: aiohttp.ClientSession | None = None

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """Redirects are not followed: a credential goes to the configured host or nowhere."""
        await load("aiohttp")
        import aiohttp

        try:
            async with self._open().request(
                request.method,
                self._url(request.path),
                params=plain_params({**request.params, **self._key(call)}),
                json=plain_json(request.json),
                headers=self._headers(request, call),
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=call.timeout),
                middlewares=(in_turn(request, call),),
            ) as response:
                return reply_from_text(response.status, await read_body(response), response.headers)
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None
        except aiohttp.ClientError as failure:
            raise Unavailable(describe_failure(failure, self._base_url)) from None

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """All at once, as many in flight as the source allows."""
        return await send_together(self.send, requests, call, self._concurrency)

    async def aclose(self) -> None:
        """Close the session and its connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _headers(self, request: HttpRequest, call: Call) -> Mapping[str, str]:
        signature = self._authorization(call.credential.secret) if call.credential else {}
        return {"Accept": "application/json", **request.headers, **signature}

    def _key(self, call: Call) -> Mapping[str, str]:
        """For vendors who take it as a parameter only: put in here, so that no request of ours ever holds it."""
        return {self._key_parameter: call.credential.secret} if self._key_parameter and call.credential else {}

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = open_session(self._concurrency)
        return self._session

    def _url(self, path: str) -> str:
        return f"{self._base_url.rstrip('/')}/{path.lstrip('/')}" if path else self._base_url
