"""The bot before a living Slack and the sandbox's sources, for the tests and the bench that drive it as people would."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from orchestrator.assembly.bot import open_bot
from orchestrator.sandbox import Sandbox
from orchestrator.settings import load_settings
from orchestrator.surfaces.bot.slack import serve_http, serve_socket
from tests.clock import HANGING
from tests.mirrored import mirrors_caught_up
from tests.pretend.slack import LiveSlack

HEARING = (
    "run_ack_function_asynchronously"  # of slack-bolt, which has acknowledged an event before anybody has heard it
)


@dataclass
class Workplace:
    """A Slack with people in it, the sources behind the bot, and the bot."""

    slack: LiveSlack
    sandbox: Sandbox
    opened: Any
    path: Any

    async def settled(self):
        """Until the bot has nothing under way."""
        await settled(self.opened)

    async def ask(self, user, channel, text, *, thread=""):
        """Say something and wait for all that it brings about: the time stamp, and the app's new messages."""
        before = len(self.slack.life.posts)
        ts, deliveries = await self.slack.say(user, channel, text, thread=thread)
        assert {each.status for each in deliveries} == {200}
        await self.settled()
        return ts, self.slack.life.posts[before:]

    async def press(self, user, post, action):
        """Press a button and wait for what it brings about."""
        before = len(self.slack.life.posts)
        assert (await self.slack.press(user, post, action)).status == 200
        await self.settled()
        return self.slack.life.posts[before:]

    def mention(self, text):
        """A question to the bot."""
        return f"<@{self.slack.bot_user}> {text}"


async def settled(opened):
    """Until nothing that a bot was told is on its way to becoming a question, and no question is under way."""
    while hearing := [each for each in asyncio.all_tasks() if HEARING in each.get_coro().__qualname__]:
        await asyncio.wait(hearing)
    await opened.teams.idle()


@asynccontextmanager
async def workplace(corpus, path, database="", *, sources=None, transport="http", more=(), bot=(), extra=(), faults=()):
    """Everything on this machine. ``database``: an address, else one of its own in ``path``; ``sources``: which the sandbox
    serves; ``bot``: settings of the bot; ``more``: others.
    """
    async with AsyncExitStack() as stack:
        sandbox = await stack.enter_async_context(Sandbox(corpus, sources=sources, faults=dict(faults)))
        slack = await stack.enter_async_context(LiveSlack(corpus))
        ends = {name: {"base_url": end.base_url, "token": end.token} for name, end in sandbox.endpoints.items()}
        settings = load_settings(
            {
                "sources": {**ends, **dict(extra)},
                "storage": {"data_dir": str(path)},
                "ranking": {"semantic": "off"},
                "thinking": {"processes": 0},
                "index": {"database_url": database},
                "bot": {
                    "base_url": slack.base_url,
                    "transport": transport,
                    "token": slack.bot_token,
                    "app_token": slack.app_token,
                    "signing_secret": slack.signing_secret,
                    **dict(bot),
                },
                **dict(more),
            },
            {},
        )
        opened = await stack.enter_async_context(open_bot(settings, rated=False))
        await mirrors_caught_up(opened.services.engine)  # what is asked later is counted
        if transport == "socket":
            await stack.enter_async_context(serve_socket(opened))
            async with asyncio.timeout(HANGING):
                while not slack.deliveries.sockets:  # noqa: ASYNC110 - the client tells nobody
                    await asyncio.sleep(0.01)
        else:
            slack.deliveries.request_url = await stack.enter_async_context(serve_http(opened, "127.0.0.1", 0))
        yield Workplace(slack, sandbox, opened, path)


def read(post, *, links=True):
    """A message as people read it: its texts, links as ``text <address>``."""
    return told(post.shown, links=links)


def told(version, *, links=True):
    """The same of one version of a message."""
    parts = []
    for block in version.get("blocks") or []:
        parts += [*(_text(each, links) for each in block.get("elements", ())), "\n"]
    return "".join(parts).strip() or version.get("text", "")


def _text(element, links):
    if element["type"] == "button":
        return f"[{element['text']['text']}] "
    if element["type"] == "rich_text_section":
        return "".join(_text(each, links) for each in element["elements"])
    shown = element.get("text", "")
    return f"{shown} <{element['url']}>" if links and "url" in element else shown
