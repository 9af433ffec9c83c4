"""The workspace behind a loopback server, and what people do in it."""

import asyncio
import secrets
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

from aiohttp import web

from orchestrator.sandbox.corpus import Corpus
from orchestrator.sandbox.slack.errors import SlackError
from orchestrator.sandbox.slack.store import TEAM_ID

from .blocks import checked
from .deliveries import Deliveries, Delivery
from .methods import APP_TOKEN, BOT_TOKEN, Methods
from .state import APP_ID, BOT_ID, BOT_USER, Life, Post

HOST = "127.0.0.1"
REPLIES = 5  # uses of a reply address, in half an hour


class LiveSlack:
    """Slack over a corpus's channels and people, to be used with `async with`. The app connects to `base_url`, or is sent
    requests signed with `signing_secret` once `deliveries.request_url` is set.
    """

    bot_token = BOT_TOKEN
    app_token = APP_TOKEN
    bot_user = BOT_USER

    def __init__(self, corpus: Corpus, *, timezone: str = "Asia/Seoul") -> None:
        self.life = Life(corpus)
        self.signing_secret = secrets.token_hex(16)
        self.deliveries = Deliveries(self.signing_secret)
        self.methods = Methods(self.life, ZoneInfo(timezone), self._socket_address)
        self.calls: list[tuple[str, Mapping[str, Any]]] = []
        self.limits: dict[str, int] = {}
        """By method, how many calls are refused with 429 from now on."""
        self._replies: dict[str, tuple[str, str, str]] = {}
        self._used: dict[str, int] = {}
        self._tickets: set[str] = set()
        self._runner: web.AppRunner | None = None
        self._address = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/api/{method}", self._called)
        app.router.add_post("/reply/{name}", self._replied)
        app.router.add_get("/link", self._linked)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, 0).start()
        self._address = f"{HOST}:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in list(self.deliveries.sockets):
            await each.socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        """Where the app's client finds the Web API."""
        return f"http://{self._address}/api/"

    # ---- what people do

    async def say(self, user: str, channel: str, text: str, *, thread: str = "") -> tuple[str, list[Delivery]]:
        """Somebody says something; the app hears it as the events that it subscribes to, each by itself."""
        ts = self.life.stamp()
        event: dict[str, Any] = {
            "user": user,
            "text": text,
            "ts": ts,
            "channel": channel,
            "team": TEAM_ID,
            "event_ts": ts,
        }
        if thread:
            event |= {"thread_ts": thread}
        direct = channel in self.life.directs
        heard = [{**event, "type": "message", "channel_type": "im" if direct else self._channel_type(channel)}]
        if not direct and f"<@{BOT_USER}>" in text:
            heard.insert(0, {**event, "type": "app_mention"})
        told = [self.deliveries.event(self.wrapped(each)) for each in heard]
        return ts, list(await asyncio.gather(*told))

    def wrapped(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """An event as the Events API wraps it."""
        return {
            "token": "verification-is-deprecated",
            "team_id": TEAM_ID,
            "api_app_id": APP_ID,
            "event": dict(event),
            "type": "event_callback",
            "event_id": f"Ev{secrets.token_hex(5).upper()}",
            "event_time": int(float(str(event["ts"]))),
            "authorizations": [{"team_id": TEAM_ID, "user_id": BOT_USER, "is_bot": True, "enterprise_id": None}],
            "is_ext_shared_channel": event["channel"] in self.life.shared,
        }

    async def command(self, user: str, channel: str, text: str, name: str = "/fedsearch") -> Delivery:
        """Somebody types a slash command."""
        return await self.deliveries.interaction(
            "slash_commands",
            {
                "token": "verification-is-deprecated",
                "team_id": TEAM_ID,
                "team_domain": "acme",
                "channel_id": channel,
                "channel_name": self.life.channels[channel].name if channel in self.life.channels else "directmessage",
                "user_id": user,
                "user_name": self.life.person(user).handle,
                "command": name,
                "text": text,
                "api_app_id": APP_ID,
                "is_enterprise_install": "false",
                "response_url": self._reply_address(channel, user, ""),
                "trigger_id": self.methods.trigger(),
            },
        )

    async def shortcut(self, user: str, channel: str, text: str, callback: str = "fedsearch_ask") -> Delivery:
        """Somebody uses a shortcut on a message."""
        ts = self.life.stamp()
        message = {"type": "message", "user": user, "ts": ts, "text": text}
        more = {"type": "message_action", "callback_id": callback, "message_ts": ts, "message": message}
        return await self.deliveries.interaction("interactive", {**self._pressing(user, channel, ""), **more})

    async def press(self, user: str, post: Post, action: str) -> Delivery:
        """Somebody presses a button of a message, by its action id."""
        button = next(each for each in buttons(post) if each["action_id"] == action)
        ts = self.life.stamp()
        container = {
            "type": "message",
            "message_ts": post.ts,
            "channel_id": post.channel,
            "is_ephemeral": bool(post.only),
            **({"thread_ts": post.thread} if post.thread else {}),
        }
        more: dict[str, Any] = {
            "type": "block_actions",
            "container": container,
            "actions": [{**button, "block_id": "b", "action_ts": ts}],
            "message": {}
            if post.only
            else {"ts": post.ts, "bot_id": BOT_ID, **({"thread_ts": post.thread} if post.thread else {})},
        }
        return await self.deliveries.interaction("interactive", {**self._pressing(user, post.channel, post.ts), **more})

    def _pressing(self, user: str, channel: str, original: str) -> dict[str, Any]:
        return {
            "token": "verification-is-deprecated",
            "team": {"id": TEAM_ID, "domain": "acme"},
            "user": {"id": user, "username": self.life.person(user).handle, "team_id": TEAM_ID},
            "channel": {"id": channel, "name": "directmessage" if channel in self.life.directs else "channel"},
            "api_app_id": APP_ID,
            "is_enterprise_install": False,
            "response_url": self._reply_address(channel, user, original),
            "trigger_id": self.methods.trigger(),
        }

    def _channel_type(self, channel: str) -> str:
        return "group" if self.life.channels[channel].private else "channel"

    # ---- what the app does

    async def _called(self, request: web.Request) -> web.Response:
        name = request.match_info["method"]
        arguments = await _arguments(request)
        scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
        token = bearer.strip() if scheme.casefold() == "bearer" else ""
        self.calls.append((name, arguments))
        if self.limits.get(name, 0) > 0:
            self.limits[name] -= 1
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": "1"})
        try:
            return web.json_response({"ok": True, **self.methods.answer(name, arguments, token)})
        except SlackError as error:
            return web.json_response({"ok": False, "error": error.code, **error.details})

    async def _replied(self, request: web.Request) -> web.Response:
        """A reply address: an ephemeral message, or a new version of the last one that came by it."""
        name = request.match_info["name"]
        if name not in self._replies or self._used.get(name, 0) >= REPLIES:
            return web.Response(status=404, text="used_url")
        channel, user, original = self._replies[name]
        self._used[name] = self._used.get(name, 0) + 1
        said = await request.json()
        try:
            checked(said)
        except SlackError as error:
            return web.Response(status=400, text=error.code)
        known = next((each for each in self.life.posts if each.ts == original), None)
        if said.get("replace_original") and known is not None:
            known.versions.append(said)
        else:
            post = Post(channel, self.life.stamp(), "", only=user, versions=[said])
            self.life.posts.append(post)
            self._replies[name] = channel, user, post.ts
        return web.Response(text="ok")

    async def _linked(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=401)
        self._tickets.discard(ticket)  # each opens one connection
        hello = {
            "type": "hello",
            "num_connections": 1 + len(self.deliveries.sockets),
            "connection_info": {"app_id": APP_ID},
        }
        return await self.deliveries.connected(request, hello)

    def _socket_address(self) -> str:
        ticket = secrets.token_hex(8)
        self._tickets.add(ticket)
        return f"ws://{self._address}/link?ticket={ticket}&app_id={APP_ID}"

    def _reply_address(self, channel: str, user: str, original: str) -> str:
        name = secrets.token_hex(12)
        self._replies[name] = channel, user, original
        return f"http://{self._address}/reply/{name}"


def buttons(post: Post) -> list[Mapping[str, Any]]:
    """The buttons of a message as it stands."""
    blocks = post.shown.get("blocks") or []
    return [each for block in blocks if block.get("type") == "actions" for each in block["elements"]]


async def _arguments(request: web.Request) -> dict[str, Any]:
    if request.content_type == "application/json":
        body = await request.json()
        return dict(body) if isinstance(body, dict) else {}
    return dict(request.query) | dict(parse_qsl(await request.text(), keep_blank_values=True))
