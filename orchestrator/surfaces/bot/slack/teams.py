"""The workspaces that the bot is in, each with a bot of its own: one by its token, or those that installed the app."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_sdk.errors import SlackApiError

from connectors.errors import Misconfigured
from orchestrator.surfaces.bot.bot import Bot
from orchestrator.surfaces.bot.slack.installations import UNREACHABLE
from orchestrator.surfaces.bot.slack.workspace import SlackWorkspace
from storage.logs import log_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable

    import aiohttp
    from slack_bolt.context.async_context import AsyncBoltContext
    from slack_sdk.web.async_client import AsyncWebClient

    from orchestrator.surfaces.bot.services import BotServices
    from orchestrator.surfaces.bot.slack.installations import Installations

MENDING = 60.0  # seconds between two looks for answers that were broken off
TEAM = "fedsearch.team"  # the key of a request's team in its context

log = log_of(__name__)


@record
class Team:
    """The bot in one workspace. ``user`` and ``bot_id``: whom Slack knows it as."""

    id: str
    user: str
    bot_id: str
    bot: Bot
    workspace: SlackWorkspace
    client: AsyncWebClient


class Teams:
    """``client`` makes Slack's client by a token or none. Without ``installations`` there is the one that was opened."""

    def __init__(
        self,
        services: BotServices,
        client: Callable[[str | None], AsyncWebClient],
        session: aiohttp.ClientSession,
        installations: Installations | None,
        *,
        by_address: bool = True,
    ) -> None:
        self._services = services
        self._client = client
        self._session = session
        self._installations = installations
        self._by_address = by_address
        self._open: dict[str, Team] = {}
        self._opening = asyncio.Lock()
        self._mending: set[asyncio.Task[None]] = set()

    async def of(self, name: str) -> Team | None:
        """The bot in a workspace; ``None`` where it is not, or no longer, in it, whichever process was told so."""
        if self._installations is None:
            return self._open.get(name)
        token = await self._installations.token_of(name)
        if token is None:
            return None
        known = self._open.get(name)
        if known is None:
            async with self._opening:
                known = self._open.get(name) or await self._opened(name, token)
        if known is not None:
            known.client.token = token  # it may have been renewed
        return known

    async def opened(self, token: str) -> Team:
        """The bot in the workspace that a token is of. Raises :class:`Misconfigured` where Slack does not take it."""
        client = self._client(token)
        try:
            who: Any = await client.auth_test()
        except SlackApiError as failure:
            said = failure.response.get("error", "an error")
            raise Misconfigured(
                Said("Slack does not take bot.token: {said}; install the app and copy its bot token").filled(said=said)
            ) from None
        except UNREACHABLE as failure:
            raise Misconfigured(
                Said("Slack cannot be reached at bot.base_url ({kind})").filled(kind=type(failure).__name__)
            ) from None
        name, user, bot_id = str(who["team_id"]), str(who["user_id"]), str(who.get("bot_id") or "")
        workspace = SlackWorkspace(client, self._session, team=name, by_address=self._by_address)
        team = self._open[name] = Team(name, user, bot_id, Bot(self._services, workspace), workspace, client)
        self._mending.add(asyncio.create_task(_kept_mended(team)))
        return team

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        await asyncio.gather(*(team.bot.idle() for team in self._open.values()))

    async def aclose(self) -> None:
        """Let questions under way end, for a while."""
        for task in self._mending:
            task.cancel()
        await asyncio.gather(*(team.bot.aclose() for team in self._open.values()))

    async def _opened(self, name: str, token: str) -> Team | None:
        try:
            return await self.opened(token)
        except Misconfigured as failure:
            log.warning("bot workspace", team=name, said=failure.message)
            return None


class Authorizing(AsyncAuthorize):
    """Finds the workspace of a request, and leaves it in the request's context."""

    def __init__(self, teams: Teams, only: str = "") -> None:
        self._teams = teams
        self._only = only

    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,  # noqa: ARG002 — as the framework has it
        **_: str | None,
    ) -> AuthorizeResult | None:
        """``None`` where the app is not installed: the framework then says so and goes no further."""
        team = await self._teams.of(self._only or team_id or "")
        if team is None:
            return None
        context[TEAM] = team
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_user_id=team.user,
            bot_id=team.bot_id,
            bot_token=team.client.token,
        )


async def _kept_mended(team: Team) -> None:
    """Answers that a process left behind when it was ended are told of as such, by whichever bot looks first."""
    while True:
        await asyncio.sleep(MENDING)
        await team.bot.mend(team.id)
