"""Puts the routes together over the services.

Runs the API under uvicorn until it is told to stop; what was begun is finished first.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI
from starlette.routing import Route

from orchestrator.access import Scope
from orchestrator.surfaces.http.accounts import account_routes, callback_routes
from orchestrator.surfaces.http.digests import defining_routes, digest_routes
from orchestrator.surfaces.http.feedback import feedback_routes
from orchestrator.surfaces.http.guard import Guard
from orchestrator.surfaces.http.identity import Guarded
from orchestrator.surfaces.http.operating import operating_routes, source_routes
from orchestrator.surfaces.http.personal_data import personal_data_routes
from orchestrator.surfaces.http.prefork import LEAVING
from orchestrator.surfaces.http.problems import add_handlers, describe
from orchestrator.surfaces.http.protected import resource_routes
from orchestrator.surfaces.http.reranking import MOST_BYTES, PATHS, rerank_routes
from orchestrator.surfaces.http.searching import search_routes, stream_routes
from orchestrator.surfaces.http.state import ServerState
from orchestrator.surfaces.http.web import web_routes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from socket import socket
    from types import FrameType

    from fastapi import APIRouter

    from orchestrator.surfaces.http.services import Services

DRAIN = 10  # seconds that open requests have after SIGTERM
HEADERS = 16 * 1024  # bytes of all headers of a request


class _Server(uvicorn.Server):
    """Told to end by SIGTERM it first says that it is not ready, and answers whoever comes for a while all the same.

    Whoever balances load learns of that by asking. A door that closed at once would drop what stands before it.
    """

    def __init__(self, app: FastAPI) -> None:
        super().__init__(server_config(app))
        self._state: ServerState = app.state.server
        self._seconds: float = app.state.leaving
        self._loop = asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig != signal.SIGTERM or self._state.leaving or not self._seconds:
            super().handle_exit(sig, frame)
            return
        self._state.leaving = True
        end = partial(super().handle_exit, sig, frame)
        self._loop.call_soon_threadsafe(self._loop.call_later, self._seconds, end)


async def serve(app: FastAPI, door: socket) -> None:
    """Answer whoever connects to ``door`` until SIGINT or SIGTERM. Raises what kept the app from starting."""
    with door:
        try:
            await _Server(app).serve(sockets=[door])
        except SystemExit:  # with a code of uvicorn's own
            raise app.state.server.failure or RuntimeError("the server did not start") from None


def server_config(app: FastAPI) -> uvicorn.Config:
    """How the API is run: no banner, no trust in proxies' headers, bounded headers, time to finish."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=DRAIN,
        h11_max_incomplete_event_size=HEADERS,
    )


DESCRIPTION = (
    "Refusals are problem details (RFC 9457) with a stable `code`. Beside those of each operation: an address at which "
    "there is nothing is 404 `not_found`, and a method that an address does not take 405 `method_not_allowed`, with "
    "`Allow`."
)


def make_api(services: Services) -> FastAPI:
    """The whole API as an ASGI application; nothing is opened before it starts."""
    state = ServerState.of(services.limits, services.readiness, services.counted)
    mounts = services.mounts(state)

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as opened:
            opened.push(state.note)
            state.running = await opened.enter_async_context(services.open_engine())
            state.searching = await opened.enter_async_context(services.open_web())
            if services.connecting is not None:
                opened.push_async_callback(services.connecting.vault.aclose)
            opened.push_async_callback(services.rates.aclose)
            state.judging = services.open_reranker()
            opened.push_async_callback(state.judging.aclose)
            if services.digests is not None:
                state.digest_service = await opened.enter_async_context(services.digests(state.running))
            await opened.enter_async_context(services.beside())
            await opened.enter_async_context(services.following(state.running))
            for mount in mounts:
                await opened.enter_async_context(mount.running())
            preparing = asyncio.create_task(state.prepare())
            try:
                yield
            finally:
                state.readiness.tell(LEAVING)
                state.running = state.searching = state.judging = state.digest_service = None
                preparing.cancel()
                await asyncio.gather(preparing, return_exceptions=True)
                await state.broadcasts.aclose()

    app = FastAPI(
        title="fedsearch",
        summary="One question, every source, one cited answer.",
        description=DESCRIPTION,
        version=services.version,
        lifespan=running,
        docs_url=None,
        redoc_url=None,
    )
    app.state.server, app.state.leaving = state, services.limits.leaving
    add_handlers(app)
    # As they are: FastAPI makes each route anew for every router that includes it, when the first question comes.
    app.router.routes.extend(route for routes in _routers(services, state) for route in routes.routes)
    for mount in mounts:
        app.router.routes.append(Route(mount.path, Guarded(mount, Scope.SEARCH, services)))
    if services.resource is not None:
        app.router.routes.extend(resource_routes(services.resource))
    app.router.routes.extend(services.pages(services, state))
    describe(app)
    app.add_middleware(Guard, most=services.limits.body, metrics=state.metrics, larger=dict.fromkeys(PATHS, MOST_BYTES))
    return app


def _routers(services: Services, state: ServerState) -> Iterator[APIRouter]:
    yield search_routes(services, state)
    yield stream_routes(services, state)
    yield source_routes(services, state)
    yield web_routes(services, state)
    yield rerank_routes(services, state)
    yield feedback_routes(services)
    yield operating_routes(services, state)
    if services.personal_data is not None:
        yield personal_data_routes(services, services.personal_data)
    if services.digests is not None:
        yield defining_routes(services, state)
        yield digest_routes(services, state)
    if services.connecting is not None:
        yield account_routes(services, services.connecting)
        yield callback_routes(services, services.connecting)
