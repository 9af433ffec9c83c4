"""Where digests are delivered to: notes whatever comes, and takes it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from aiohttp import web

if TYPE_CHECKING:
    from tests.chaos.journal import Journal


class Hook:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def listen(self) -> None:
        app = web.Application()
        app.router.add_post("/{name}", self._came)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _came(self, request: web.Request) -> web.Response:
        body = await request.read()
        told = json.loads(body)
        self._journal.note(
            "delivered",
            name=request.match_info["name"],
            key=request.headers.get("webhook-id", ""),
            due=told.get("at", ""),
            body=hashlib.sha256(body).hexdigest()[:16],
            ids=sorted(_ids(told.get("data"))) if told.get("type") == "fedsearch.digest" else [],
        )
        return web.Response(status=204)


def _ids(data: Any) -> set[str]:
    """Source and id of everything that is told of."""
    if isinstance(data, list):
        return {found for each in data for found in _ids(each)}
    if not isinstance(data, dict):
        return set()
    here = {f"{data['source']} {data['id']}"} if data.get("source") and data.get("id") else set()
    return here | {found for each in data.values() for found in _ids(each)}
