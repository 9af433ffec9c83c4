"""Runs the API under uvicorn until it is told to stop; what was begun is finished first."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from socket import socket
    from types import FrameType

    from fastapi import FastAPI

    from orchestrator.surfaces.http.state import ServerState

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
