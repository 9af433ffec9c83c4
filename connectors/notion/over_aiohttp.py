"""How Notion's client reaches the network: by aiohttp, as everybody here does, which takes a third of what httpx's own way takes; imported when Notion is first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import httpx

from connectors.http import reply_from_text
from connectors.transport import open_session, read_body

if TYPE_CHECKING:
    from contextvars import ContextVar

OURS = frozenset({"host", "connection", "accept-encoding", "content-length"})  # aiohttp says these for itself
# aiohttp has unpacked the body by then, and its length is another.
OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})
NO_END = aiohttp.ClientTimeout()  # who asks ends it


class HttpxOverAiohttp(httpx.AsyncBaseTransport):
    """Raises :class:`connectors.errors.BadReply` for a reply that is too large; a success that is not JSON becomes none.

    ``turns``: of the exchange that is under way. Notion's client hands nothing of ours on.
    """

    def __init__(self, concurrency: int, turns: ContextVar[aiohttp.ClientMiddlewareType]) -> None:
        self._session = open_session(concurrency)
        self._turns = turns

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One exchange, its body read. Redirects are not followed."""
        async with self._session.request(
            request.method,
            str(request.url),
            data=request.content or None,
            headers=[(name, value) for name, value in request.headers.items() if name not in OURS],
            allow_redirects=False,
            timeout=NO_END,
            middlewares=(self._turns.get(),),
        ) as response:
            body = await read_body(response)
            if reply_from_text(response.status, body, response.headers).data is None:
                body = b"null"  # Notion's client parses every body, an empty one too
            headers = [(name, value) for name, value in response.headers.items() if name.lower() not in OF_THE_WIRE]
            return httpx.Response(response.status, headers=headers, content=body, request=request)

    async def aclose(self) -> None:
        """Close the session and its connections."""
        await self._session.close()
