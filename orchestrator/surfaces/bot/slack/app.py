"""The app that hears Slack: Slack's own framework around the bots of one or several workspaces.

Slack wants to hear within three seconds that each event arrived; the framework says so before the bot begins.
"""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import field
from secrets import token_hex
from typing import TYPE_CHECKING

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from orchestrator.surfaces.bot.slack import listening
from orchestrator.surfaces.bot.slack.installations import Installations, Installing
from orchestrator.surfaces.bot.slack.quiet import quiet_logger
from orchestrator.surfaces.bot.slack.teams import Authorizing, Teams
from orchestrator.surfaces.bot.words import MESSAGES
from translators.records import record
from translators.said import LANGUAGES, said_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from orchestrator.surfaces.bot.services import BotServices
    from orchestrator.surfaces.bot.slack.installations import Shop

SHORTCUT = "fedsearch_ask"  # the callback id of the message shortcut
SECONDS = 10  # of a call to Slack


@record
class SlackSecrets:
    """What Slack gave for the app: the bot's token, the app's for Socket Mode, and what events over HTTP are signed with."""

    bot: str = field(default="", repr=False)
    app: str = field(default="", repr=False)
    signing: str = field(default="", repr=False)


@record
class SlackBot:
    """A bot that hears Slack. ``app`` takes what Slack sends, by whichever transport; ``installing``: for whom it is open."""

    app: AsyncApp
    services: BotServices
    teams: Teams
    secrets: SlackSecrets
    installing: Installing | None = None


@asynccontextmanager
async def open_slack(
    services: BotServices, secrets: SlackSecrets, base_url: str, *, by_address: bool = True, shop: Shop | None = None
) -> AsyncIterator[SlackBot]:
    """Be ready to hear one workspace by its token, or with ``shop`` all that have installed the app.

    Raises :class:`Misconfigured` where Slack does not take the token.
    """
    async with aiohttp.ClientSession() as session:

        def client(token: str | None = None) -> AsyncWebClient:
            return AsyncWebClient(token, base_url=base_url, session=session, timeout=SECONDS, logger=quiet_logger())

        installations = Installations(shop.vault, shop.teams, shop.application, client) if shop else None
        teams = Teams(services, client, session, installations, by_address=by_address)
        try:
            if shop is None or installations is None:
                only = await teams.opened(secrets.bot)
                yield SlackBot(_app(Authorizing(teams, only.id), client(), secrets), services, teams, secrets)
                return
            for each in shop.teams:
                await teams.of(each)
            app = _app(Authorizing(teams), client(), secrets, installations)
            installing = Installing(shop, installations, services.memory, client, base_url)
            yield SlackBot(app, services, teams, secrets, installing)
        finally:
            await teams.aclose()


def _app(
    authorizing: Authorizing, client: AsyncWebClient, given: SlackSecrets, installations: Installations | None = None
) -> AsyncApp:
    # Without a secret nothing may come over HTTP; bolt wants one all the same, and this one nobody knows.
    app = AsyncApp(
        name="fedsearch",  # else it looks through the source of everybody who called, a twentieth of a second
        client=client,
        authorize=authorizing,  # type: ignore[arg-type]  # the framework takes its own AsyncAuthorize too
        installation_store=installations,
        signing_secret=given.signing or token_hex(32),
        user_facing_authorize_error_message=" ".join(said_in(MESSAGES["not here"], each) for each in sorted(LANGUAGES)),
        logger=quiet_logger(),
    )
    if installations is not None:
        app.enable_token_revocation_listeners()
    app.event("app_mention")(listening.mentioned)
    app.event("message")(listening.heard)
    app.event("app_home_opened")(listening.home_opened)
    app.command(re.compile(".+"))(listening.commanded)
    app.message_shortcut(SHORTCUT)(listening.shortcut)
    app.action(re.compile(r"^fedsearch\."))(listening.pressed)
    return app
