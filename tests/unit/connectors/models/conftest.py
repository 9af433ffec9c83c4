"""A service on a loopback socket that answers as a test says, and what was sent to it."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    Answering = Callable[[dict[str, Any]], Any]


@dataclass
class Service:
    """Where it listens, and each request's path, headers and body."""

    url: str = ""
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)


@asynccontextmanager
async def serving(answer: Answering) -> AsyncIterator[Service]:
    """``answer`` turns a body into JSON, or into a whole response."""
    service = Service()

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        service.paths.append(request.path)
        service.keys.append(request.headers.get("Authorization", ""))
        service.bodies.append(body)
        said = answer(body)
        if hasattr(said, "__await__"):
            said = await said
        if isinstance(said, web.StreamResponse):
            return said
        return web.Response(text=json.dumps(said), content_type="application/json")

    app = web.Application()
    app.router.add_post("/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.01)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    service.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield service
    finally:
        await runner.cleanup()


@pytest.fixture(name="serving")
def _serving() -> Any:
    return serving
