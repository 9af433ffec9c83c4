"""Which workspaces have installed the app, and by which token each is spoken to: sealed, in the vault.

The store is the one that Slack's framework asks for; tokens that end (token rotation) are renewed by whoever comes first.
https://docs.slack.dev/authentication/using-token-rotation
"""

from __future__ import annotations

from dataclasses import field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import aiohttp
from slack_bolt.error import BoltError
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore

from connectors.errors import SourceError, Unauthenticated
from connectors.oauth import Grant
from orchestrator.surfaces.bot.slack.quiet import quiet_logger
from storage.logs import log_of
from translators.records import record

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Collection

    from slack_sdk.oauth.installation_store import Installation
    from slack_sdk.web.async_client import AsyncWebClient

    from orchestrator.access import Connection, Vault

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
