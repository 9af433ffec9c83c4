"""Notion's own client, notion_client.AsyncClient, as the transport: its retries off, its connections bounded by us."""

from __future__ import annotations

import asyncio
import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast

from connectors.errors import SILENT, SourceError, Unavailable
from connectors.http import Reply, describe_failure, plain_json, plain_params, reply_from_text
from connectors.transport import in_turn, send_together
from storage.loading import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import aiohttp
    from notion_client import AsyncClient

    from connectors.contract import Call
    from connectors.http import HttpRequest

CLIENT = ("aiohttp", "httpx", "notion_client", "notion_client.errors")
CLIENT_LOG = logging.getLogger("connectors.notion.client")
TURNS: ContextVar[aiohttp.ClientMiddlewareType] = ContextVar("turns")


class NotionTransport:
    """Sends through :class:`notion_client.AsyncClient`; HTTP errors are replies."""

    def __init__(self, base_url: str, version: str, concurrency: int) -> None:
        self._base_url = base_url
        self._version = version
        self._concurrency = concurrency
        self._client: AsyncClient | None = None

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """One exchange within the time that is left. Raises :class:`Unavailable`."""
        await load(*CLIENT)
        import aiohttp
        import httpx
        from notion_client.errors import HTTPResponseError

        TURNS.set(in_turn(request, call))
        try:
            async with asyncio.timeout(call.timeout):
                return Reply(200, await self._request(request, call))
        except HTTPResponseError as failure:
            return reply_from_text(failure.status, failure.body, failure.headers)
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None
        except (aiohttp.ClientError, httpx.HTTPError) as failure:
            raise Unavailable(describe_failure(failure, self._base_url)) from None

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """All at once, as many in flight as Notion's pace allows."""
        return await send_together(self.send, requests, call, self._concurrency)

    async def aclose(self) -> None:
        """Close the client and its connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _request(self, request: HttpRequest, call: Call) -> object:
        reply: object = await self._open().request(
            request.path.removeprefix("/v1/"),
            request.method,
            query=plain_params(request.params) or None,
            body=cast("dict[Any, Any] | None", plain_json(request.json)),
            auth=call.credential.secret if call.credential else None,
        )
        return reply

    def _open(self) -> AsyncClient:
        if self._client is None:
            self._client = self._build()
        return self._client

    def _build(self) -> AsyncClient:
        import httpx
        from notion_client import AsyncClient
        from notion_client.client import ClientOptions

        from connectors.notion.over_aiohttp import HttpxOverAiohttp

        options = ClientOptions(
            base_url=self._base_url.rstrip("/"),
            notion_version=self._version,
            retry=False,
            logger=CLIENT_LOG,
            log_level=logging.CRITICAL,  # what it would log is in the error that we raise
        )
        beneath = HttpxOverAiohttp(self._concurrency, TURNS)
        return AsyncClient(options, client=httpx.AsyncClient(transport=beneath, trust_env=False))
