"""How a workspace installs the app: sent to Slack, back with a code, kept. Slack's framework does the walking.

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
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.response import BoltResponse
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from orchestrator.access import CannotOpen
from orchestrator.surfaces.bot.slack.installations import UNREACHABLE, NotInstalled
from orchestrator.surfaces.bot.slack.quiet import quiet_logger
from orchestrator.surfaces.bot.words import MESSAGES
from translators.records import record
from translators.said import ENGLISH, in_every_language

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Sequence

    from slack_bolt.oauth.async_callback_options import AsyncFailureArgs, AsyncSuccessArgs
    from slack_bolt.request.async_request import AsyncBoltRequest
    from slack_sdk.oauth.installation_store import Installation
    from slack_sdk.web.async_client import AsyncWebClient

    from orchestrator.access import Seal, Vault
    from orchestrator.surfaces.bot.memory import Memory
    from orchestrator.surfaces.bot.slack.installations import Installations, SlackApp

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
