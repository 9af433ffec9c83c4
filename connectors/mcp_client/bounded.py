"""The HTTP client under the SDK: a bounded reply, no redirects to elsewhere, and the last refusal kept for its status."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import httpx2

from connectors.errors import BadReply
from connectors.http import MAX_REPLY_BYTES, Reply
from connectors.text import quote
from connectors.transport import oversized
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from ssl import SSLContext

    from connectors.errors import SourceError

REFUSED = 300
SPOKEN = frozenset({"application/json", "text/event-stream"})


class _Counted(httpx2.AsyncByteStream):
    """A body that breaks off where it is larger than anybody should hold in memory."""

    def __init__(self, body: httpx2.AsyncByteStream, told: Callable[[SourceError], None]) -> None:
        self._body = body
        self._told = told

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._body:
            size += len(chunk)
            if size > MAX_REPLY_BYTES:
                self._told(oversized())
                raise httpx2.ReadError(Said("the reply is too large"))
            yield chunk

    async def aclose(self) -> None:
        await self._body.aclose()


class Bounded(httpx2.AsyncBaseTransport):
    """``refused``: the last reply that was no success. ``broken``: what was wrong with a reply before the SDK saw it."""

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport(verify=_trusted())
        self.refused: Reply | None = None
        self.broken: SourceError | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One exchange."""
        response = await self._inner.handle_async_request(request)
        if request.method == "POST":
            failed = response.status_code >= REFUSED
            headers = {name.lower(): value for name, value in response.headers.items()}
            self.refused = Reply(response.status_code, None, headers) if failed else None
            kind = headers.get("content-type", "").partition(";")[0].strip()
            if not failed and kind not in {"", *SPOKEN}:
                self._tell(
                    BadReply(
                        Said("the reply is {said}, which no MCP server sends; is base_url right?").filled(
                            said=quote(kind)
                        )
                    )
                )
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Counted(response.stream, self._tell)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _tell(self, failure: SourceError) -> None:
        self.broken = failure


def client(headers: Mapping[str, str], transport: Bounded) -> httpx2.AsyncClient:
    """A client that goes nowhere by itself: no redirects, no proxies of the environment. Deadlines are the caller's."""
    return httpx2.AsyncClient(headers=dict(headers), transport=transport, timeout=None, trust_env=False)


@cache
def _trusted() -> SSLContext:
    """Whom to trust, read once a process: all certificates together take 20 ms."""
    return httpx2.create_ssl_context()
