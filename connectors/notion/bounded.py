"""An httpx transport that reads whole replies of a reasonable size and only JSON; imported when Notion is first asked."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import httpx

from connectors.http import MAX_REPLY_BYTES, reply_from_text
from connectors.transport import oversized

if TYPE_CHECKING:
    from ssl import SSLContext

# httpx has unpacked the body by then, and its length is another.
OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class BoundedTransport(httpx.AsyncHTTPTransport):
    """Raises :class:`connectors.errors.BadReply` for a reply that is too large or a success that is not JSON."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One exchange, its body read."""
        response = await super().handle_async_request(request)
        try:
            body = await _read(response)
        finally:
            await response.aclose()
        if reply_from_text(response.status_code, body, response.headers).data is None:
            body = b"null"  # Notion's client parses every body, an empty one too
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in OF_THE_WIRE]
        return httpx.Response(response.status_code, headers=headers, content=body, request=request)


async def _read(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            raise oversized()
    return bytes(body)


def open_client(connections: int) -> httpx.AsyncClient:
    """A client of ours for Notion's: bounded, without redirects, deaf to the environment."""
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    transport = BoundedTransport(verify=_trusted(), limits=limits, trust_env=False)
    return httpx.AsyncClient(transport=transport, trust_env=False)


@cache
def _trusted() -> SSLContext:
    """Whom to trust, read once a process: all certificates together take 20 ms."""
    return httpx.create_ssl_context(trust_env=False)
