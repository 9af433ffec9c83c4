"""Where digests go in tests: a program behind HTTP that checks what is signed, remembers it, and is away when told to be."""

import base64
import hashlib
import hmac
from contextlib import asynccontextmanager

from aiohttp import web

SECRET = "s3cret-s3cret"
KEY = SECRET.encode()


class Hook:
    """Somebody's program. ``away``: asked before each reply, whether it is none; else it is ``status`` with ``headers``."""

    def __init__(self):
        self.came, self.status, self.headers, self.url = [], 204, {}, ""
        self.away = lambda: False

    async def handle(self, request):
        body = await request.read()
        if self.away():
            return web.Response(status=503)
        self.came.append((request.headers, body))
        return web.Response(status=self.status, headers=self.headers)


@asynccontextmanager
async def listening_hook():
    """A hook on a free port of this machine, under a path that is nobody's business."""
    it = Hook()
    app = web.Application()
    app.router.add_post("/{secret}", it.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    it.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/t0psecretpath"
    yield it
    await runner.cleanup()


def is_signed(headers, body, key=KEY):
    """Whether it is ours, as https://www.standardwebhooks.com has it."""
    said = b".".join((headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body))
    mac = base64.b64encode(hmac.new(key, said, hashlib.sha256).digest()).decode()
    return headers["webhook-signature"] == f"v1,{mac}"
