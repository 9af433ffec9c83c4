"""Runs the API under uvicorn until it is told to stop; what was begun is finished first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from socket import socket

    from fastapi import FastAPI

DRAIN = 10  # seconds that open requests have after SIGTERM
HEADERS = 16 * 1024  # bytes of all headers of a request


async def serve(app: FastAPI, door: socket) -> None:
    """Answer whoever connects to ``door`` until SIGINT or SIGTERM."""
    with door:
        await uvicorn.Server(server_config(app)).serve(sockets=[door])


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
