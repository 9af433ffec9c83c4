"""The workspaces behind a loopback server."""

import secrets
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

from aiohttp import web

from orchestrator.sandbox.corpus import Corpus
from orchestrator.sandbox.slack.arguments import SlackError
from orchestrator.sandbox.slack.store import TEAM_ID
from tests.pretend.slack.blocks import checked
from tests.pretend.slack.deliveries import Deliveries
from tests.pretend.slack.inhabited import Inhabited
from tests.pretend.slack.installing import Installing
from tests.pretend.slack.state import APP_ID, Post

HOST = "127.0.0.1"
REPLIES = 5  # uses of a reply address, in half an hour
BOT_TOKEN = "xoxb-sandbox-app"
APP_TOKEN = "xapp-sandbox"


class LiveSlack(Inhabited):
    """Slack over a corpus's channels and people, to be used with `async with`. The app connects to `base_url`, or is sent
    requests signed with `signing_secret` once `deliveries.request_url` is set.

    The app is in this workspace by `bot_token` from the beginning, and in `another` once it is installed there.
    """

    bot_token = BOT_TOKEN
    app_token = APP_TOKEN

    def __init__(self, corpus: Corpus, *, timezone: str = "Asia/Seoul", rotating: bool = False) -> None:
        self.signing_secret = secrets.token_hex(16)
        self.installing = Installing(rotating=rotating)
        self._zone = ZoneInfo(timezone)
        super().__init__(corpus, TEAM_ID, Deliveries(self.signing_secret), self._new_reply_address, self._zone)
        self._workspaces: dict[str, Inhabited] = {TEAM_ID: self}
        self.calls: list[tuple[str, Mapping[str, Any]]] = []
        self.limits: dict[str, int] = {}
        """By method, how many calls are refused with 429 from now on."""
        self._replies: dict[str, tuple[Inhabited, str, str, str]] = {}
        self._used: dict[str, int] = {}
        self._tickets: set[str] = set()
        self._runner: web.AppRunner | None = None
        self._address = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/api/{method}", self._called)
        app.router.add_get("/oauth/v2/authorize", self._asked_to_install)
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

    def another(self, corpus: Corpus, team: str) -> Inhabited:
        """One more workspace, in which the app is not."""
        made = self._workspaces[team] = Inhabited(corpus, team, self.deliveries, self._new_reply_address, self._zone)
        return made

    async def uninstall(self, team: str) -> None:
        """Somebody takes the app out of a workspace; its tokens end, and the app is told, in either order."""
        self.installing.end(team)
        workspace = self._workspaces[team]
        revoked = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [workspace.bot_user]}}
        for event in ({"type": "app_uninstalled"}, revoked):
            await self.deliveries.event(workspace.wrapped(event))

    # ---- what the app does

    async def _called(self, request: web.Request) -> web.Response:
        name = request.match_info["method"]
        arguments = await _arguments(request)
        self.calls.append((name, {} if name in ("oauth.v2.access", "apps.uninstall") else arguments))
        if self.limits.get(name, 0) > 0:
            self.limits[name] -= 1
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": "1"})
        try:
            return web.json_response({"ok": True, **await self._answer(name, arguments, request)})
        except SlackError as error:
            return web.json_response({"ok": False, "error": error.code, **error.details})

    async def _answer(self, name: str, arguments: Mapping[str, Any], request: web.Request) -> Mapping[str, Any]:
        authorization = request.headers.get("Authorization", "")
        if name == "oauth.v2.access":
            return self.installing.access(arguments, authorization)
        scheme, _, bearer = authorization.partition(" ")
        token = bearer.strip() if scheme.casefold() == "bearer" else ""
        if not token:
            raise SlackError("not_authed")
        if name == "apps.connections.open":
            if token != APP_TOKEN:
                raise SlackError("not_allowed_token_type" if token.startswith("xoxb-") else "invalid_auth")
            return {"url": self._socket_address()}
        team = TEAM_ID if token == BOT_TOKEN else self.installing.team_of(token)
        if name == "apps.uninstall":
            self.installing.check_uninstall(arguments)
            self.installing.end(team)
            return {}
        return self._workspaces[team].methods.answer(name, arguments)

    async def _asked_to_install(self, request: web.Request) -> web.Response:
        """The page that asks for consent. `sandbox_team` says in which workspace it is given, by whom `sandbox_person`."""
        asked = dict(request.query)
        try:
            back = self.installing.consented(asked, asked.get("sandbox_team", ""), asked.get("sandbox_person", ""))
        except SlackError as error:
            return web.Response(status=400, text=error.code)
        return web.Response(status=302, headers={"Location": back})

    async def _replied(self, request: web.Request) -> web.Response:
        """A reply address: an ephemeral message, or a new version of the last one that came by it."""
        name = request.match_info["name"]
        if name not in self._replies or self._used.get(name, 0) >= REPLIES:
            return web.Response(status=404, text="used_url")
        workspace, channel, user, original = self._replies[name]
        self._used[name] = self._used.get(name, 0) + 1
        said = await request.json()
        try:
            checked(said)
        except SlackError as error:
            return web.Response(status=400, text=error.code)
        life = workspace.life
        known = next((each for each in life.posts if each.ts == original), None)
        if said.get("replace_original") and known is not None:
            known.versions.append(said)
        else:
            post = Post(channel, life.stamp(), "", only=user, versions=[said])
            life.posts.append(post)
            self._replies[name] = workspace, channel, user, post.ts
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

    def _new_reply_address(self, workspace: Inhabited, channel: str, user: str, original: str) -> str:
        name = secrets.token_hex(12)
        self._replies[name] = workspace, channel, user, original
        return f"http://{self._address}/reply/{name}"


async def _arguments(request: web.Request) -> dict[str, Any]:
    if request.content_type == "application/json":
        body = await request.json()
        return dict(body) if isinstance(body, dict) else {}
    return dict(request.query) | dict(parse_qsl(await request.text(), keep_blank_values=True))
