"""The app that hears Slack: Slack's own framework around the bots of one or several workspaces, whose events, commands, shortcuts and buttons become
questions for the bot of their workspace.
"""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import field
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from orchestrator.surfaces.bot.platform import (
    ChatLocation,
    IncomingQuestion,
    PlatformRefused,
    Pressed,
)
from orchestrator.surfaces.bot.slack.installations import Installations, Installing
from orchestrator.surfaces.bot.slack.quiet import quiet_logger
from orchestrator.surfaces.bot.slack.teams import TEAM, Authorizing, Teams
from orchestrator.surfaces.bot.words import MESSAGES
from translators.records import record
from translators.said import LANGUAGES, said_in

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Awaitable,
        Callable,
        Mapping,
    )

    from slack_bolt.context.async_context import AsyncBoltContext

    from orchestrator.surfaces.bot.services import BotServices
    from orchestrator.surfaces.bot.slack.installations import Shop
    from orchestrator.surfaces.bot.slack.teams import Team

MARKUP = re.compile(r"<((?:[@#!]|https?:|mailto:|tel:)[^<>]*)>")  # any other bracket comes as &lt; and &gt;
PERSON = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
SPOKEN = (None, "file_share", "thread_broadcast")  # by somebody: plainly, with a file, in a thread and to all
MOST_NAMED = 5  # people in a question whose names are looked up


def people_in(text: str) -> tuple[str, ...]:
    """The ids of the people who are addressed, each once."""
    return tuple(dict.fromkeys(PERSON.findall(text)))


def typed(text: str, names: Mapping[str, str], bot: str) -> str:
    """The text as it was typed: the bot's own name taken away, people by name, places by name, addresses bare."""

    def shown(found: re.Match[str]) -> str:
        inside, _, label = found[1].partition("|")
        if inside.startswith("@"):
            return "" if inside[1:] == bot else names.get(inside[1:], label)
        if inside.startswith("#"):
            return f"#{label}" if label else ""
        if inside.startswith("!"):  # a date says itself in its label; the rest addresses many people
            return label if inside.startswith("!date") else ""
        return label if inside.startswith("mailto:") and label else inside

    plain = MARKUP.sub(shown, text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()


async def mentioned(context: AsyncBoltContext, body: dict[str, Any], event: dict[str, Any]) -> None:
    """Somebody named the bot in a channel; it answers in the thread."""
    if _from_person(event) and event.get("channel_type") != "im":
        team, thread = context[TEAM], str(event.get("thread_ts") or event["ts"])
        team.bot.ask(await _asked(team, body, event, thread))


async def heard(context: AsyncBoltContext, body: dict[str, Any], event: dict[str, Any]) -> None:
    """Something was said to the bot alone, or in a thread in which it may have answered."""
    if not _from_person(event):
        return
    team: Team = context[TEAM]
    if event.get("channel_type") == "im":
        team.bot.ask(await _asked(team, body, event, str(event.get("thread_ts") or "")))
    elif event.get("thread_ts") and team.user not in people_in(str(event.get("text", ""))):
        team.bot.overhear(await _asked(team, body, event, str(event["thread_ts"])))


async def home_opened(context: AsyncBoltContext, event: dict[str, Any]) -> None:
    """Somebody looks at the app's own place; of its tabs one is ours to fill."""
    if event.get("tab") == "home":
        context[TEAM].bot.introduce(str(event["user"]))


async def commanded(context: AsyncBoltContext, ack: Callable[[], Awaitable[Any]], body: dict[str, Any]) -> None:
    """A slash command: nobody else saw it, so nobody else sees the answer."""
    await ack()
    team: Team = context[TEAM]
    place = ChatLocation(str(body["team_id"]), str(body["channel_id"]))
    text = await _text(team, str(body.get("text") or ""))
    team.bot.ask(_alone(str(body["trigger_id"]), str(body["user_id"]), place, text, str(body["response_url"])))


async def shortcut(context: AsyncBoltContext, ack: Callable[[], Awaitable[Any]], body: dict[str, Any]) -> None:
    """A message is asked about by somebody, who alone sees the answer."""
    await ack()
    team: Team = context[TEAM]
    place = ChatLocation(str(body["team"]["id"]), str(body["channel"]["id"]))
    text = await _text(team, str(body["message"].get("text") or ""))
    team.bot.ask(_alone(str(body["trigger_id"]), str(body["user"]["id"]), place, text, str(body["response_url"])))


async def pressed(
    context: AsyncBoltContext, ack: Callable[[], Awaitable[Any]], body: dict[str, Any], action: dict[str, Any]
) -> None:
    """A button of one of our messages."""
    await ack()
    container: Mapping[str, Any] = body.get("container") or {}
    message: Mapping[str, Any] = body.get("message") or {}
    private = bool(container.get("is_ephemeral"))
    thread = str(container.get("thread_ts") or message.get("thread_ts") or "")
    context[TEAM].bot.press(
        Pressed(
            id=str(body.get("trigger_id") or ""),
            person=str(body["user"]["id"]),
            place=ChatLocation(str(body["team"]["id"]), str(body["channel"]["id"]), thread),
            action=str(action.get("action_id", "")),
            value=str(action.get("value", "")),
            private=private,
            reply=str(body["response_url"]) if private else "",
        )
    )


async def _asked(team: Team, body: Mapping[str, Any], event: Mapping[str, Any], thread: str) -> IncomingQuestion:
    name, channel, ts = str(body.get("team_id", "")), str(event["channel"]), str(event["ts"])
    text = await _text(team, str(event.get("text") or ""))
    # One message may come as two events (a mention, a message): its place and time are its name.
    return IncomingQuestion(f"{name}:{channel}:{ts}", str(event["user"]), ChatLocation(name, channel, thread), text)


async def _text(team: Team, text: str) -> str:
    names: dict[str, str] = {}
    for person in [each for each in people_in(text) if each != team.user][:MOST_NAMED]:
        try:
            names[person] = (await team.workspace.member(person)).name
        except PlatformRefused:
            continue
    return typed(text, names, team.user)


def _from_person(event: Mapping[str, Any]) -> bool:
    """Neither a bot's own words nor an edit, a deletion or a notice."""
    spoken = event.get("subtype") in SPOKEN and "edited" not in event
    return spoken and bool(event.get("user")) and not event.get("bot_id")


def _alone(identity: str, person: str, place: ChatLocation, text: str, reply: str) -> IncomingQuestion:
    return IncomingQuestion(identity, person, place, text, alone=True, reply=reply)


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
    app.event("app_mention")(mentioned)
    app.event("message")(heard)
    app.event("app_home_opened")(home_opened)
    app.command(re.compile(".+"))(commanded)
    app.message_shortcut(SHORTCUT)(shortcut)
    app.action(re.compile(r"^fedsearch\."))(pressed)
    return app
