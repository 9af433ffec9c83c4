"""Which workspaces have installed the app, and by which token each is spoken to: sealed, in the vault.

The store is the one that Slack's framework asks for; tokens that end (token rotation) are renewed by whoever comes first.
https://docs.slack.dev/authentication/using-token-rotation

How a workspace installs it: sent to Slack, back with a code, kept. Slack's framework does the walking.
https://docs.slack.dev/authentication/installing-with-oauth. No PKCE: Slack has it for apps that can keep no secret, and an
app that turns it on counts as such a one for good (https://docs.slack.dev/authentication/using-pkce).
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import secrets
import time
from contextlib import suppress
from dataclasses import field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import aiohttp
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from connectors.errors import SourceError, Unauthenticated
from connectors.oauth import Grant
from orchestrator.access import CannotOpen
from orchestrator.surfaces.bot.slack.quiet import quiet_logger
from orchestrator.surfaces.bot.words import MESSAGES
from storage.logs import log_of
from translators.records import record
from translators.said import ENGLISH, in_every_language

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Collection, Sequence

    from slack_bolt.oauth.async_callback_options import AsyncFailureArgs, AsyncSuccessArgs
    from slack_bolt.request.async_request import AsyncBoltRequest
    from slack_sdk.oauth.installation_store import Installation
    from slack_sdk.web.async_client import AsyncWebClient

    from orchestrator.access import Connection, Seal, Vault
    from orchestrator.surfaces.bot.memory import Memory

BOT = "bot"  # what a workspace's token stands under in the vault, beside people's sources
EARLY = timedelta(hours=2)  # before its end a token is renewed; Slack's last twelve
UNREACHABLE = (SlackClientError, aiohttp.ClientError, TimeoutError, OSError)  # or it refuses

log = log_of(__name__)


class NotInstalled(BoltError):
    """An installation that is not kept. ``code`` is stable."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@record
class SlackApp:
    """The app as Slack registered it."""

    client_id: str
    client_secret: str = field(repr=False)


class Installations(AsyncInstallationStore):
    """``teams``: the workspaces that are let in, by id; nobody else's installation is kept, or used if it was.

    ``client``: makes Slack's client by a token or none. While the database is away, workspaces that are known are spoken
    to by the token they had.
    """

    def __init__(
        self,
        vault: Vault,
        teams: Collection[str],
        application: SlackApp,
        client: Callable[[str | None], AsyncWebClient],
    ) -> None:
        self._vault = vault
        self._teams = frozenset(teams)
        self._application = application
        self._client = client
        self._known: dict[str, str] = {}

    @property
    def logger(self) -> logging.Logger:
        return quiet_logger()

    async def async_save(self, installation: Installation) -> None:
        """Keep a workspace's token in place of the one that was there. Raises :class:`NotInstalled`."""
        team, token, ends = installation.team_id, installation.bot_token, installation.bot_token_expires_at
        if installation.is_enterprise_install or not team:
            raise NotInstalled("whole_organization")
        if team not in self._teams:
            raise NotInstalled("not_let_in")
        if not token:
            raise NotInstalled("no_bot_token")
        grant = Grant(
            access_token=token,
            refresh_token=installation.bot_refresh_token or "",
            expires=datetime.fromtimestamp(ends, UTC) if ends else None,
            scopes=",".join(installation.bot_scopes or ()),
        )
        try:
            await self._vault.put(_principal(team), BOT, grant)
        except SourceError as failure:
            log.warning("bot installation", said=failure.message)
            raise NotInstalled("nowhere_to_keep") from None
        log.info("bot installed", team=team)

    async def token_of(self, team: str) -> str | None:
        """A workspace's token, good for a while yet; ``None`` where the app is not in it."""
        if team not in self._teams:
            return None
        try:
            found, broken = await self._vault.of(_principal(team))
            held = found.get(BOT)
            if problem := broken.get(BOT):
                log.warning("bot installation", team=team, said=problem)
            token = await self._renewed(held) if held else None
        except SourceError as failure:
            log.warning("bot installation", team=team, said=failure.message)
            return self._known.get(team)
        if token is None:
            self._known.pop(team, None)
        else:
            self._known[team] = token
        return token

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:  # noqa: ARG002
        """Forget a workspace's token where it is of no use any more.

        Slack tells of an end in any order, perhaps after the app was installed anew: the token itself is tried.
        """
        team = team_id or ""
        token = await self.token_of(team)
        if token is None or not await self._works(token):
            await self._vault.remove(_principal(team), BOT)
            self._known.pop(team, None)
            log.info("bot uninstalled", team=team)

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        """Tokens of people are never asked for, so there is none to forget."""

    async def async_delete_all(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        """Forget all of a workspace."""
        await self.async_delete_bot(enterprise_id=enterprise_id, team_id=team_id)

    async def _works(self, token: str) -> bool:
        try:
            await self._client(token).auth_test()
        except UNREACHABLE:
            return False
        return True

    async def _renewed(self, held: Connection) -> str:
        """The token, renewed where it ends soon; among all processes once, since a refresh token is taken once."""
        ends = held.grant.expires
        if ends is None or not held.grant.refresh_token or datetime.now(UTC) + EARLY < ends:
            return held.grant.access_token
        try:
            renewed = await self._vault.renew(held, self._exchanged)
        except Unauthenticated as failure:
            log.warning("bot installation", said=failure.message)
            return held.grant.access_token  # it may be good for an hour yet; if not, Slack says so
        return (renewed or held).grant.access_token

    async def _exchanged(self, grant: Grant) -> Grant:
        said = self._application
        try:
            reply: Any = await self._client(None).oauth_v2_access(
                client_id=said.client_id,
                client_secret=said.client_secret,
                grant_type="refresh_token",
                refresh_token=grant.refresh_token,
            )
        except UNREACHABLE as failure:
            raise Unauthenticated(f"Slack does not renew the bot's token ({type(failure).__name__})") from None
        return Grant(
            access_token=reply["access_token"],
            refresh_token=reply.get("refresh_token") or grant.refresh_token,
            expires=datetime.now(UTC) + timedelta(seconds=int(reply.get("expires_in") or 0)),
            scopes=grant.scopes,
        )


def _principal(team: str) -> str:
    return f"slack:{team}"  # of a person it would go on with their id


INSTALL, CALLBACK = "/slack/install", "/slack/oauth_redirect"
SCOPES = (
    "app_mentions:read", "chat:write", "commands", "users:read", "users:read.email", "channels:read", "groups:read",
    "im:read", "mpim:read", "im:history", "channels:history", "groups:history",
)  # fmt: skip
WITHIN = 600  # seconds from leaving for Slack to coming back
COOKIE = "__Host-fedsearch-install"  # no other host of the domain can set it
STATE = "slack install"  # what a state is sealed for
LONGEST = 1000  # characters of a state that are looked at


@record
class Shop:
    """Where the app is handed out. ``teams``: the workspaces that are let in; ``address``: of this server, for browsers."""

    application: SlackApp
    teams: tuple[str, ...]
    address: str
    vault: Vault
    seal: Seal = field(repr=False)


class States(AsyncOAuthStateStore):
    """States that need no store: sealed with their end, and once used, heard of as events are, by all processes."""

    def __init__(self, seal: Seal, memory: Memory) -> None:
        self._seal = seal
        self._memory = memory

    @property
    def logger(self) -> logging.Logger:
        return quiet_logger()

    async def async_issue(self, *_: object, **__: object) -> str:
        said = json.dumps([secrets.token_urlsafe(18), time.time() + WITHIN])
        return base64.urlsafe_b64encode(self._seal.seal(said.encode(), STATE)).decode("ascii").rstrip("=")

    async def async_consume(self, state: str) -> bool:
        try:
            sealed = base64.b64decode(state[:LONGEST] + "=" * (-len(state) % 4), altchars=b"-_", validate=True)
            name, until = json.loads(self._seal.open(sealed, STATE))
        except (binascii.Error, ValueError, CannotOpen):
            return False
        return time.time() < until and await self._memory.is_new(f"install:{name}")


class Installing(AsyncOAuthFlow):
    """The pages :data:`INSTALL` and :data:`CALLBACK`. Whoever is not let in is uninstalled again at once."""

    def __init__(
        self, shop: Shop, installations: Installations, memory: Memory, client: Callable[[str | None], AsyncWebClient],
        base_url: str,
    ) -> None:  # fmt: skip
        self._shop = shop
        self._kept = installations
        self._make_client = client
        super().__init__(
            client=client(None),
            logger=quiet_logger(),
            settings=AsyncOAuthSettings(
                client_id=shop.application.client_id,
                client_secret=shop.application.client_secret,
                scopes=SCOPES,
                user_scopes=[],
                redirect_uri=shop.address.rstrip("/") + CALLBACK,
                install_path=INSTALL,
                install_page_rendering_enabled=False,
                redirect_uri_path=CALLBACK,
                callback_options=AsyncCallbackOptions(success=_installed, failure=_not_installed),
                authorization_url=urljoin(base_url, "/oauth/v2/authorize"),
                installation_store=installations,
                state_store=States(shop.seal, memory),
                state_cookie_name=COOKIE,
                state_expiration_seconds=WITHIN,
                logger=quiet_logger(),
            ),
        )

    async def run_installation(self, code: str) -> Installation | None:
        """What the code is good for; ``None`` where Slack does not say."""
        try:
            return await super().run_installation(code)
        except UNREACHABLE as failure:
            self.logger.warning("Slack cannot be reached (%s)", type(failure).__name__)
            return None

    async def store_installation(self, request: AsyncBoltRequest, installation: Installation) -> None:
        """Keep it, or end it at Slack. Raises :class:`NotInstalled`."""
        try:
            await super().store_installation(request, installation)
        except NotInstalled:
            said = {"client_id": self._shop.application.client_id}
            secret = {"client_secret": self._shop.application.client_secret}
            with suppress(*UNREACHABLE):  # it is kept nowhere anyway
                await self._make_client(installation.bot_token).api_call("apps.uninstall", data=said | secret)
            raise


async def _installed(_: AsyncSuccessArgs) -> BoltResponse:
    return _page(200, "installed")


async def _not_installed(told: AsyncFailureArgs) -> BoltResponse:
    reason = told.error.code if isinstance(told.error, NotInstalled) else told.reason
    status = 403 if isinstance(told.error, NotInstalled) else told.suggested_status_code
    return _page(status, "not installed", reason=reason[:40], again=INSTALL)


def _page(status: int, key: str, **more: str) -> BoltResponse:
    said = {name: html.escape(value) for name, value in more.items()}
    told = {each: html.escape(text).format(**said) for each, text in in_every_language(MESSAGES[key]).items()}
    others = "".join(f'<p lang="{each}">{text}</p>' for each, text in told.items() if each != ENGLISH)
    body = f'<!doctype html><html lang="en"><title>fedsearch</title><p>{told[ENGLISH]}</p>{others}</html>'
    headers: dict[str, str | Sequence[str]] = {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",  # the address holds a code
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    }
    return BoltResponse(status=status, body=body, headers=headers)
