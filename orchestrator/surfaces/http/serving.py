"""Runs the API under uvicorn until it is told to stop; what was begun is finished first."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

DRAIN = 10  # seconds that open requests have after SIGTERM
HEADERS = 16 * 1024  # bytes of all headers of a request


async def serve(app: FastAPI, host: str, port: int, listening: Callable[[str], None]) -> None:
    """Answer on ``host``:``port`` until SIGINT or SIGTERM. ``listening`` is told the address once the port is ours.

    Raises ``OSError`` where the port is taken.
    """
    door = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048)
    # asyncio sees no TCP in a socket made so, and would leave Nagle's algorithm on: 40 ms for every reply.
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with door:
        bound = door.getsockname()[1]
        listening(f"http://[{host}]:{bound}" if ":" in host else f"http://{host}:{bound}")
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
