"""Slack's events, commands, shortcuts and buttons, as questions for the bot.

Slack wants to hear within three seconds that each arrived; the framework says so before the bot begins.
"""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from connectors.errors import Misconfigured
from orchestrator.surfaces.bot.bot import Bot
from orchestrator.surfaces.bot.platform import Asked, Place, Pressed, Refused
from orchestrator.surfaces.bot.slack.incoming import people_in, typed
from orchestrator.surfaces.bot.slack.quiet import quiet_logger
from orchestrator.surfaces.bot.slack.workspace import SlackWorkspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from orchestrator.surfaces.bot.bot import Desk

SHORTCUT = "fedsearch_ask"  # the callback id of the message shortcut
SECONDS = 10  # of a call to Slack
MOST_NAMED = 5  # people in a question whose names are looked up


@dataclass(frozen=True, slots=True)
class SlackSecrets:
    """What Slack gave for the app: the bot's token, the app's for Socket Mode, and what events over HTTP are signed with."""

    bot: str = field(repr=False)
    app: str = field(default="", repr=False)
    signing: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class SlackBot:
    """A bot that hears one workspace. ``app`` takes what Slack sends, by whichever transport."""

    app: AsyncApp
    bot: Bot
    name: str
    secrets: SlackSecrets


@asynccontextmanager
async def open_slack(
    desk: Desk, secrets: SlackSecrets, base_url: str, *, by_address: bool = True
) -> AsyncIterator[SlackBot]:
    """Sign in and be ready to hear. Raises :class:`Misconfigured` where Slack does not take the token."""
    async with aiohttp.ClientSession() as session:
        logger = quiet_logger()
        client = AsyncWebClient(secrets.bot, base_url=base_url, session=session, timeout=SECONDS, logger=logger)
        try:
            who = await client.auth_test()
        except SlackApiError as failure:
            said = failure.response.get("error", "an error")
            raise Misconfigured(
                f"Slack does not take bot.token: {said}; install the app and copy its bot token"
            ) from None
        except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as failure:
            raise Misconfigured(f"Slack cannot be reached at bot.base_url ({type(failure).__name__})") from None
        workspace = SlackWorkspace(client, session, team=str(who["team_id"]), by_address=by_address)
        bot = Bot(desk, workspace)
        try:
            yield SlackBot(_app(bot, workspace, client, secrets, str(who["user_id"])), bot, str(who["user"]), secrets)
        finally:
            await bot.aclose()


def _app(bot: Bot, workspace: SlackWorkspace, client: AsyncWebClient, secrets: SlackSecrets, user: str) -> AsyncApp:
    logger = quiet_logger()
    # Without a secret nothing may come over HTTP; bolt wants one all the same, and this one nobody knows.
    app = AsyncApp(client=client, signing_secret=secrets.signing or _unknown(), logger=logger)
    listen = Listening(bot, workspace, user)
    app.event("app_mention")(listen.mentioned)
    app.event("message")(listen.said)
    app.command(re.compile(".+"))(listen.commanded)
    app.message_shortcut(SHORTCUT)(listen.shortcut)
    app.action(re.compile(r"^fedsearch\."))(listen.pressed)
    return app


def _unknown() -> str:
    import secrets

    return secrets.token_hex(32)


class Listening:
    """What the bot is told of what happens in Slack."""

    def __init__(self, bot: Bot, workspace: SlackWorkspace, user: str) -> None:
        self._bot = bot
        self._workspace = workspace
        self._user = user

    async def mentioned(self, body: dict[str, Any], event: dict[str, Any]) -> None:
        """Somebody named the bot in a channel; it answers in the thread."""
        if _from_person(event) and event.get("channel_type") != "im":
            thread = str(event.get("thread_ts") or event["ts"])
            self._bot.ask(await self._asked(body, event, thread))

    async def said(self, body: dict[str, Any], event: dict[str, Any]) -> None:
        """Something was said to the bot alone, or in a thread in which it may have answered."""
        if not _from_person(event):
            return
        if event.get("channel_type") == "im":
            self._bot.ask(await self._asked(body, event, str(event.get("thread_ts") or "")))
        elif event.get("thread_ts") and self._user not in people_in(str(event.get("text", ""))):
            self._bot.overhear(await self._asked(body, event, str(event["thread_ts"])))

    async def commanded(self, ack: Callable[[], Awaitable[Any]], body: dict[str, Any]) -> None:
        """A slash command: nobody else saw it, so nobody else sees the answer."""
        await ack()
        place = Place(str(body["team_id"]), str(body["channel_id"]))
        text = await self._text(str(body.get("text") or ""))
        self._bot.ask(_alone(str(body["trigger_id"]), str(body["user_id"]), place, text, str(body["response_url"])))

    async def shortcut(self, ack: Callable[[], Awaitable[Any]], body: dict[str, Any]) -> None:
        """A message is asked about by somebody, who alone sees the answer."""
        await ack()
        place = Place(str(body["team"]["id"]), str(body["channel"]["id"]))
        text = await self._text(str(body["message"].get("text") or ""))
        self._bot.ask(_alone(str(body["trigger_id"]), str(body["user"]["id"]), place, text, str(body["response_url"])))

    async def pressed(self, ack: Callable[[], Awaitable[Any]], body: dict[str, Any], action: dict[str, Any]) -> None:
        """A button of one of our messages."""
        await ack()
        container: Mapping[str, Any] = body.get("container") or {}
        message: Mapping[str, Any] = body.get("message") or {}
        private = bool(container.get("is_ephemeral"))
        thread = str(container.get("thread_ts") or message.get("thread_ts") or "")
        self._bot.press(
            Pressed(
                id=str(body.get("trigger_id") or ""),
                person=str(body["user"]["id"]),
                place=Place(str(body["team"]["id"]), str(body["channel"]["id"]), thread),
                action=str(action.get("action_id", "")),
                value=str(action.get("value", "")),
                private=private,
                reply=str(body["response_url"]) if private else "",
            )
        )

    async def _asked(self, body: Mapping[str, Any], event: Mapping[str, Any], thread: str) -> Asked:
        team, channel, ts = str(body.get("team_id", "")), str(event["channel"]), str(event["ts"])
        text = await self._text(str(event.get("text") or ""))
        # One message may come as two events (a mention, a message): its place and time are its name.
        return Asked(f"{team}:{channel}:{ts}", str(event["user"]), Place(team, channel, thread), text)

    async def _text(self, text: str) -> str:
        names: dict[str, str] = {}
        for person in [each for each in people_in(text) if each != self._user][:MOST_NAMED]:
            try:
                names[person] = (await self._workspace.member(person)).name
            except Refused:
                continue
        return typed(text, names, self._user)


def _from_person(event: Mapping[str, Any]) -> bool:
    """Neither a bot's own words nor an edit, a deletion or a notice."""
    return bool(event.get("user")) and not event.get("bot_id") and not event.get("subtype") and "edited" not in event


def _alone(identity: str, person: str, place: Place, text: str, reply: str) -> Asked:
    return Asked(identity, person, place, text, alone=True, reply=reply)
