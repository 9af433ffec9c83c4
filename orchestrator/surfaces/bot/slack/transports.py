"""How Slack's events reach the bot: by a socket that the bot opens, or by requests that Slack sends."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from connectors.errors import Misconfigured
from orchestrator.surfaces.bot.slack.installations import CALLBACK, INSTALL
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from slack_bolt.request.async_request import AsyncBoltRequest
    from slack_bolt.response import BoltResponse

    from orchestrator.surfaces.bot.slack.app import SlackBot

PATH = "/slack/events"  # of events, commands, shortcuts and buttons alike
BODY = 800_000  # bytes


@asynccontextmanager
async def serve_socket(slack: SlackBot) -> AsyncIterator[str]:
    """Hear over Socket Mode for as long as the context lasts; a connection that breaks is made anew by Slack's client."""
    if not slack.secrets.app:
        raise Misconfigured(Said("Socket Mode needs bot.app_token, an app-level token with connections:write (xapp-…)"))
    handler = AsyncSocketModeHandler(slack.app, slack.secrets.app)
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]
        yield "Socket Mode"
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def serve_http(slack: SlackBot, host: str, port: int) -> AsyncIterator[str]:
    """Hear over HTTP; what is not signed by Slack, or more than five minutes ago, is refused. Raises ``OSError``."""
    if not slack.secrets.signing:
        raise Misconfigured(Said("events over HTTP need bot.signing_secret, from the app's page at Slack"))
    async with _listening(_pages(slack, events=True), host, port) as address:
        yield address + PATH


@asynccontextmanager
async def serve_pages(slack: SlackBot, host: str, port: int) -> AsyncIterator[str]:
    """The pages by which workspaces install the app, for a bot that hears by a socket. Raises ``OSError``."""
    async with _listening(_pages(slack, events=False), host, port) as address:
        yield address + INSTALL


def _pages(slack: SlackBot, *, events: bool) -> web.Application:
    app = web.Application(client_max_size=BODY)
    app.router.add_get("/healthz", partial(_lives, slack))
    if events:
        app.router.add_post(PATH, _answered_by(slack.app.async_dispatch))
    if slack.installing is not None:
        app.router.add_get(INSTALL, _answered_by(slack.installing.handle_installation))
        app.router.add_get(CALLBACK, _answered_by(slack.installing.handle_callback))
    return app


def _answered_by(
    dispatch: Callable[[AsyncBoltRequest], Awaitable[BoltResponse]],
) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(request: web.Request) -> web.Response:
        try:
            asked = await to_bolt_request(request)
        except (ValueError, LookupError, AttributeError):  # the framework reads a body before it looks at the signature
            raise web.HTTPBadRequest(text="this is nothing that Slack sends\n") from None
        return await to_aiohttp_response(await dispatch(asked))

    return answer


async def _lives(slack: SlackBot, _: web.Request) -> web.Response:
    trouble = slack.services.memory.trouble
    return web.Response(text=f"ok, but {trouble}\n" if trouble else "ok\n")


@asynccontextmanager
async def _listening(app: web.Application, host: str, port: int) -> AsyncIterator[str]:
    runner = web.AppRunner(app, access_log=None, handle_signals=False)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield f"http://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
