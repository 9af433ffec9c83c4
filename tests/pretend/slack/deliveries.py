"""How Slack tells an app: signed requests, repeated until one is answered in three seconds, or envelopes over a socket."""

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

PATIENCE = 3.0  # seconds
AFTER = (0.0, 60.0, 300.0)  # until an event is repeated, the first time nearly at once


@dataclass(slots=True)
class Delivery:
    """How one event got there: HTTP status (200 for an envelope that was acknowledged), seconds until it was, what the app
    said with it, and how often it was repeated.
    """

    status: int
    seconds: float
    said: Any = None
    repeated: int = 0


@dataclass(slots=True)
class Socket:
    """One connection of the app's."""

    socket: web.WebSocketResponse
    waiting: dict[str, asyncio.Future[Any]] = field(default_factory=dict)


class Deliveries:
    """`secret` signs requests to `request_url`; without an address, envelopes go out over whichever socket is open.

    `pauses` are the seconds before each repetition, Slack's own by default.
    """

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self.request_url = ""
        self.pauses = AFTER
        self.patience = PATIENCE
        self.sockets: list[Socket] = []
        self._turn = 0

    async def event(self, payload: Mapping[str, Any]) -> Delivery:
        """An event of the Events API; repeated where it is not acknowledged."""
        if not self.request_url:
            return await self._enveloped("events_api", payload)
        body = json.dumps(payload, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json"}
        delivery = await self.sent(body, headers)
        for repeated, pause in enumerate(self.pauses, 1):
            if 200 <= delivery.status < 300:
                break
            await asyncio.sleep(pause)
            reason = "http_timeout" if delivery.status == 0 else "http_error"
            again = {"X-Slack-Retry-Num": str(repeated), "X-Slack-Retry-Reason": reason}
            delivery = await self.sent(body, {**headers, **again})
            delivery.repeated = repeated
        return delivery

    async def interaction(self, kind: str, payload: Mapping[str, Any]) -> Delivery:
        """A slash command (`slash_commands`) or a button or shortcut (`interactive`); never repeated."""
        if not self.request_url:
            return await self._enveloped(kind, payload)
        form = payload if kind == "slash_commands" else {"payload": json.dumps(payload, ensure_ascii=False)}
        return await self.sent(urlencode(form).encode(), {"Content-Type": "application/x-www-form-urlencoded"})

    async def sent(
        self, body: bytes, headers: Mapping[str, str], *, at: int | None = None, signed: str = ""
    ) -> Delivery:
        """One signed request: `v0=` and the HMAC-SHA256 of `v0:{time}:{body}`."""
        moment = int(time.time()) if at is None else at
        mark = hmac.new(self.secret.encode(), f"v0:{moment}:".encode() + body, hashlib.sha256).hexdigest()
        proof = {"X-Slack-Request-Timestamp": str(moment), "X-Slack-Signature": signed or f"v0={mark}"}
        started = time.perf_counter()
        try:
            async with (
                asyncio.timeout(self.patience),
                aiohttp.ClientSession() as http,
                http.post(self.request_url, data=body, headers={**headers, **proof}) as reply,
            ):
                return Delivery(reply.status, time.perf_counter() - started, await reply.text())
        except (TimeoutError, aiohttp.ClientError):
            return Delivery(0, time.perf_counter() - started)

    # ---- Socket Mode

    async def connected(self, request: web.Request, hello: Mapping[str, Any]) -> web.WebSocketResponse:
        """Serve one connection until the app closes it."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        mine = Socket(socket)
        await socket.send_json(hello)
        self.sockets.append(mine)
        try:
            async for message in socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    said = json.loads(message.data)
                    waiting = mine.waiting.pop(str(said.get("envelope_id")), None)
                    if waiting is not None and not waiting.done():
                        waiting.set_result(said.get("payload"))
        finally:
            self.sockets.remove(mine)
        return socket

    async def _enveloped(self, kind: str, payload: Mapping[str, Any]) -> Delivery:
        """Over the open sockets in turn; again over another where the app does not acknowledge in time."""
        for repeated in range(len(self.pauses) + 1):
            if not self.sockets:
                return Delivery(0, 0.0, repeated=repeated)
            self._turn += 1
            over = self.sockets[self._turn % len(self.sockets)]
            name = secrets.token_hex(16)
            acknowledged = over.waiting[name] = asyncio.get_running_loop().create_future()
            envelope = {
                "envelope_id": name,
                "type": kind,
                "accepts_response_payload": kind != "events_api",
                "payload": payload,
                **(
                    {"retry_attempt": repeated, "retry_reason": "timeout" if repeated else ""}
                    if kind == "events_api"
                    else {}
                ),
            }
            started = time.perf_counter()
            try:
                await over.socket.send_json(envelope)
                async with asyncio.timeout(self.patience):
                    said = await acknowledged
                return Delivery(200, time.perf_counter() - started, said, repeated)
            except (TimeoutError, ConnectionError):
                over.waiting.pop(name, None)
        return Delivery(0, self.patience, repeated=len(self.pauses))
