"""Slack's own client, AsyncWebClient, as the transport: its retries off, its session bounded by us."""

from __future__ import annotations

import logging
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from connectors.errors import SILENT, SourceError, Unavailable
from connectors.http import Reply, describe_failure, plain_json, plain_params, reply_from_text
from connectors.transport import in_turn, open_session, read_body, send_together
from storage.loading import load
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    import aiohttp
    from slack_sdk.web.async_client import AsyncWebClient
    from slack_sdk.web.async_slack_response import AsyncSlackResponse

    from connectors.contract import Call
    from connectors.http import HttpRequest

CLIENT = ("aiohttp", "slack_sdk.web.async_client")

# The client writes whole messages to its log at DEBUG; what people wrote to one another does not belong there.
CLIENT_LOG = logging.getLogger("connectors.slack.client")
CLIENT_LOG.setLevel(logging.WARNING)


class SlackTransport:
    """Sends through :class:`slack_sdk.web.async_client.AsyncWebClient`; ``ok: false`` is a reply as well."""

    def __init__(self, base_url: str, concurrency: int) -> None:
        self._base_url = base_url
        self._concurrency = concurrency
        self._session: aiohttp.ClientSession | None = None

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """One method call; ``path`` is the method's name. Raises :class:`Unavailable`."""
        await load(*CLIENT)
        import aiohttp

        try:
            response = await self._call(request, call)
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None
        except aiohttp.ClientError as failure:
            raise Unavailable(describe_failure(failure, self._base_url)) from None
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.status_code, response.data, headers)

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """All at once, as many in flight as the source allows."""
        return await send_together(self.send, requests, call, self._concurrency)

    async def aclose(self) -> None:
        """Close the session and its connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _call(self, request: HttpRequest, call: Call) -> AsyncSlackResponse:
        from slack_sdk.errors import SlackApiError

        headers = dict(request.headers)
        if call.credential is not None:
            headers["Authorization"] = f"Bearer {call.credential.secret}"
        try:
            return await self._client(request, call).api_call(
                request.path,
                http_verb=request.method,
                params=plain_params(request.params),
                json=cast("dict[str, Any] | None", plain_json(request.json)),
                headers=headers,
            )
        except SlackApiError as failure:
            return cast("AsyncSlackResponse", failure.response)

    def _client(self, request: HttpRequest, call: Call) -> AsyncWebClient:
        """A client is a few fields around the session, so each call has its own and with it its own time-out."""
        from slack_sdk.web.async_client import AsyncWebClient

        if self._session is None:
            self._session = open_session(self._concurrency)
        session = cast("aiohttp.ClientSession", BoundedSession(self._session, call.timeout, in_turn(request, call)))
        client = AsyncWebClient(base_url=self._base_url, session=session, retry_handlers=[], logger=CLIENT_LOG)
        client.proxy = None  # the client looks at the environment by itself; settings decide here
        return client


class BoundedSession:
    """What Slack's client uses of a session. No redirects, a time-out on the whole exchange, a limit on its size."""

    closed = False

    def __init__(self, session: aiohttp.ClientSession, timeout: float, turns: aiohttp.ClientMiddlewareType) -> None:
        self._session = session
        self._timeout = timeout
        self._turns = turns

    def request(self, method: str, url: str, **options: Any) -> AbstractAsyncContextManager[BoundedSlackResponse]:
        """One exchange with the body read and parsed."""
        return self._exchange(method, url, options)

    @asynccontextmanager
    async def _exchange(self, method: str, url: str, options: Mapping[str, Any]) -> AsyncIterator[BoundedSlackResponse]:
        import aiohttp

        options = {**options, "timeout": aiohttp.ClientTimeout(total=self._timeout), "middlewares": (self._turns,)}
        async with self._session.request(method, url, allow_redirects=False, **options) as response:
            reply = reply_from_text(response.status, await read_body(response), response.headers)
        # The client asks a success whether it is "ok" and can only ask an object.
        data = reply.data if isinstance(reply.data, dict) or not reply.ok else None
        yield BoundedSlackResponse(reply.status, reply.headers, data)


@record
class BoundedSlackResponse:
    """What Slack's client uses of a response."""

    status: int
    headers: Mapping[str, str]
    data: object
    content_type: str = "application/json"

    async def json(self) -> object:
        """The parsed body."""
        return self.data
