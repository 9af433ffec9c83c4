"""One workspace, and what people do in it: each thing is told to the app as Slack would."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from orchestrator.sandbox.corpus import Corpus
from tests.pretend.slack.deliveries import Deliveries, Delivery
from tests.pretend.slack.methods import Methods
from tests.pretend.slack.state import APP_ID, BOT_ID, BOT_USER, Life, Post

VERIFICATION = "verification-is-deprecated"


class Inhabited:
    """``reply_address`` makes an address for a channel, a person and the message that it may replace."""

    bot_user = BOT_USER

    def __init__(
        self,
        corpus: Corpus,
        team: str,
        deliveries: Deliveries,
        reply_address: Callable[["Inhabited", str, str, str], str],
        zone: ZoneInfo,
    ) -> None:
        self.life = Life(corpus, team)
        self.deliveries = deliveries
        self.methods = Methods(self.life, zone)
        self._reply_address = reply_address

    async def say(self, user: str, channel: str, text: str, *, thread: str = "") -> tuple[str, list[Delivery]]:
        """Somebody says something; the app hears it as the events that it subscribes to, each by itself."""
        ts = self.life.stamp()
        event: dict[str, Any] = {
            "user": user,
            "text": text,
            "ts": ts,
            "channel": channel,
            "team": self.life.team,
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
        team = self.life.team
        return {
            "token": VERIFICATION,
            "team_id": team,
            "api_app_id": APP_ID,
            "event": dict(event),
            "type": "event_callback",
            "event_id": f"Ev{secrets.token_hex(5).upper()}",
            "event_time": int(float(str(event.get("ts", time.time())))),
            "authorizations": [{"team_id": team, "user_id": BOT_USER, "is_bot": True, "enterprise_id": None}],
            "is_ext_shared_channel": event.get("channel") in self.life.shared,
        }

    async def open_home(self, user: str, tab: str = "home") -> Delivery:
        """Somebody opens the app's own place, at one of its tabs."""
        event = {"type": "app_home_opened", "user": user, "channel": self.life.direct(user), "tab": tab}
        return await self.deliveries.event(self.wrapped({**event, "event_ts": self.life.stamp()}))

    async def command(self, user: str, channel: str, text: str, name: str = "/fedsearch") -> Delivery:
        """Somebody types a slash command."""
        return await self.deliveries.interaction(
            "slash_commands",
            {
                "token": VERIFICATION,
                "team_id": self.life.team,
                "team_domain": "acme",
                "channel_id": channel,
                "channel_name": self.life.channels[channel].name if channel in self.life.channels else "directmessage",
                "user_id": user,
                "user_name": self.life.person(user).handle,
                "command": name,
                "text": text,
                "api_app_id": APP_ID,
                "is_enterprise_install": "false",
                "response_url": self._reply_address(self, channel, user, ""),
                "trigger_id": self.methods.views.trigger(),
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
        team = self.life.team
        return {
            "token": VERIFICATION,
            "team": {"id": team, "domain": "acme"},
            "user": {"id": user, "username": self.life.person(user).handle, "team_id": team},
            "channel": {"id": channel, "name": "directmessage" if channel in self.life.directs else "channel"},
            "api_app_id": APP_ID,
            "is_enterprise_install": False,
            "response_url": self._reply_address(self, channel, user, original),
            "trigger_id": self.methods.views.trigger(),
        }

    def _channel_type(self, channel: str) -> str:
        return "group" if self.life.channels[channel].private else "channel"


def buttons(post: Post) -> list[Mapping[str, Any]]:
    """The buttons of a message as it stands."""
    blocks = post.shown.get("blocks") or []
    return [each for block in blocks if block.get("type") == "actions" for each in block["elements"]]
