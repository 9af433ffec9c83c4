"""Who is where in the workspace, and what the app has said there."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.sandbox.corpus import DOMAIN, Corpus, Person
from orchestrator.sandbox.slack.arguments import SlackError
from orchestrator.sandbox.slack.store import TEAM_ID, Channel, Workspace, member_id

APP_ID = "A0SANDBOX00"
BOT_USER = "U0SANDBOXBOT"
BOT_ID = "B0SANDBOX"
BOT = Person(id=BOT_USER, name="fedsearch", handle="fedsearch", email=f"fedsearch@{DOMAIN}")


@dataclass(slots=True)
class Post:
    """One message of the app's. ``only``: who alone sees it; ``versions``: its texts and blocks, the latest last."""

    channel: str
    ts: str
    thread: str
    only: str = ""
    versions: list[Mapping[str, Any]] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    deleted: bool = False

    @property
    def shown(self) -> Mapping[str, Any]:
        """As it stands."""
        return self.versions[-1]


class Life:
    """``inside``: who is in a channel beyond those who wrote in it; ``directs``: by channel, whose direct message it is.

    ``team``: the workspace's id. ``guests`` and ``strangers`` (of another workspace), by member id; ``shared``: channels with another workspace.
    """

    def __init__(self, corpus: Corpus, team: str = TEAM_ID) -> None:
        self.team = team
        self.workspace = Workspace(corpus.of("slack"), corpus.people)
        self.channels: dict[str, Channel] = dict(self.workspace.channels)
        self.inside: dict[str, set[str]] = {}
        self.directs: dict[str, str] = {}
        self.groups: set[str] = set()
        self.guests: set[str] = set()
        self.strangers: set[str] = set()
        self.shared: set[str] = set()
        self.languages: dict[str, str] = {}
        self.posts: list[Post] = []
        self._last = 0

    def stamp(self) -> str:
        """A time stamp that nothing has yet."""
        self._last = max(self._last + 1, time.time_ns() // 1000)
        return f"{self._last // 1_000_000:010d}.{self._last % 1_000_000:06d}"

    def person(self, user: str) -> Person:
        """A member, or the app's own."""
        found = BOT if user == BOT_USER else self.workspace.members.get(user)
        if found is None:
            raise SlackError("user_not_found")
        return found

    def id_of(self, name: str) -> str:
        """The member id of an id, handle or address."""
        person = self.workspace.people.find(name)
        if person is None:
            raise ValueError(f"there is nobody called {name!r} in the corpus")
        return member_id(person)

    def members(self, channel: str) -> list[str]:
        """Who is in a conversation, the app included where it is."""
        if channel in self.directs:
            return [self.directs[channel], BOT_USER]
        wrote = self.channels[channel].members if channel in self.channels else set()
        return sorted({*wrote, *self.inside.get(channel, ())} - {""})

    def is_in(self, channel: str, user: str) -> bool:
        """Whether somebody is in a conversation."""
        return user in self.members(channel)

    def channel_called(self, name: str) -> str:
        """The id of a channel by its name."""
        found = next((each.id for each in self.channels.values() if each.name == name), None)
        if found is None:
            raise ValueError(f"there is no channel called {name!r}")
        return found

    def invite(self, channel: str, *users: str) -> None:
        """Let people, or the app, into a channel."""
        self.inside.setdefault(channel, set()).update(users)

    def remove(self, channel: str, user: str) -> None:
        """Take somebody out of a channel."""
        self.inside.get(channel, set()).discard(user)
        self.channels[channel].members.discard(user)

    def open_channel(self, name: str, *users: str, private: bool = False, group: bool = False) -> str:
        """A new channel, or with ``group`` a direct message of several."""
        channel = Channel(f"C0LIVE{len(self.channels):05d}", name, private or group)
        self.channels[channel.id] = channel
        self.invite(channel.id, *users, BOT_USER)
        if group:
            self.groups.add(channel.id)
        return channel.id

    def direct(self, user: str) -> str:
        """The direct message of somebody with the app."""
        channel = "D0" + user.removeprefix("U")
        self.directs[channel] = user
        return channel

    def post(self, channel: str, ts: str) -> Post:
        """A message of the app's that is still there."""
        found = next((each for each in self.posts if (each.channel, each.ts) == (channel, ts) and not each.only), None)
        if found is None or found.deleted:
            raise SlackError("message_not_found")
        return found
