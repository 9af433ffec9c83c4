"""The workspace that a corpus makes up in Slack's terms, the tokens that open it, and what each may do."""

import re
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha1

from orchestrator.sandbox.corpus import DOMAIN, Directory, Person, Row
from orchestrator.sandbox.index import composed

GUEST = Person(id="U0SANDBOXGUEST", name="Sandbox Guest", handle="sandbox.guest", email=f"sandbox.guest@{DOMAIN}")
"""Who the limited token belongs to: a guest who wrote nothing and is in no private channel."""

TOKEN = "xoxp-sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
LIMITED_TOKEN = "xoxp-sandbox-limited"  # noqa: S105
SCOPELESS_TOKEN = "xoxp-sandbox-noscope"  # noqa: S105
BOT_TOKEN = "xoxb-sandbox"  # noqa: S105

ACTION_TOKEN = "sandbox-action-token"  # noqa: S105
"""What an event that asks the bot something would carry: a bot may not search without it."""

_READ = frozenset(
    {"channels:read", "channels:history", "groups:read", "groups:history", "users:read", "users:read.email"}
)

_REALTIME = frozenset(f"search:read.{each}" for each in ("public", "private", "im", "mpim", "files", "users"))
SCOPES = _READ | {"search:read"} | _REALTIME
"""Every scope that a user may be asked for here."""
_REALTIME_BOT = frozenset(f"search:read.{each}" for each in ("public", "files", "users"))


@dataclass(frozen=True, slots=True)
class Grant:
    """Whose token it is and what it may ask for."""

    person: Person
    scopes: frozenset[str] = SCOPES
    sees_private: bool = False
    bot: bool = False


def grants(owner: Person, token: str | None) -> Mapping[str, Grant]:
    """Every accepted token; the owner's comes first."""
    return {
        token or TOKEN: Grant(owner, sees_private=True),
        LIMITED_TOKEN: Grant(GUEST),
        SCOPELESS_TOKEN: Grant(owner, scopes=_READ, sees_private=True),
        BOT_TOKEN: Grant(GUEST, scopes=_READ | _REALTIME_BOT, bot=True),
    }


TEAM_ID = "T0SANDBOX0"
WORKSPACE = "https://acme.slack.com"

_ARCHIVED = re.compile(r"https://[\w.-]+\.slack\.com/archives/([CDG][A-Z0-9]+)/p(\d{10})(\d{6})(?:[?#].*)?", re.ASCII)
_MEMBER_ID = re.compile(r"[UW][A-Z0-9]{2,}", re.ASCII)
_MICROS = 1_000_000


@dataclass(slots=True, eq=False)
class Channel:
    """A conversation; `members` are the ids of those who wrote in it."""

    id: str
    name: str
    private: bool = False
    members: set[str] = field(default_factory=set)
    messages: list["Message"] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Message:
    """One message; `micros` is its `ts` as a whole number of microseconds, unique in its channel."""

    number: int
    row: Row
    channel: Channel
    user: str
    username: str
    micros: int
    permalink: str = ""
    root: "Message | None" = None
    replies: list["Message"] = field(default_factory=list)

    @property
    def ts(self) -> str:
        """Slack's time stamp: seconds, a point, six digits."""
        return f"{self.micros // _MICROS:010d}.{self.micros % _MICROS:06d}"

    @property
    def threaded(self) -> bool:
        """Whether it belongs to a thread, as its first message or as a reply."""
        return self.root is not None or bool(self.replies)


class Workspace:
    """Everything in one Slack workspace, indexed for the API."""

    def __init__(self, rows: Sequence[Row], people: Directory) -> None:
        self.members: Mapping[str, Person] = {member_id(person): person for person in people}
        self.people = people
        self.channels: dict[str, Channel] = {}
        self._names: dict[str, Channel] = {}
        taken: set[tuple[str, int]] = set()
        linked = _linked_channels(rows)
        self.messages = [self._message(number, row, linked, taken) for number, row in enumerate(rows)]
        self._tie_threads()
        for message in self.messages:
            message.permalink = _permalink(message)
        for channel in self.channels.values():
            channel.messages.sort(key=lambda message: message.micros)

    def channel_named(self, name: str) -> Channel | None:
        """The channel of this name, compared without case."""
        return self._names.get(name.casefold())

    def _message(self, number: int, row: Row, linked: Mapping[str, str], taken: set[tuple[str, int]]) -> Message:
        channel = self._channel(row, linked)
        person = self.people.find(row.author)
        user = member_id(person) if person else ""
        micros = _first_free(channel.id, _micros(row, channel), taken)
        name = person.handle if person else row.author_name or "bot"
        message = Message(number, row, channel, user, name, micros)
        channel.private = channel.private or row.flagged("private")
        channel.members.add(user)
        channel.messages.append(message)
        return message

    def _channel(self, row: Row, linked: Mapping[str, str]) -> Channel:
        name = channel_name(row)
        if name not in self._names:
            channel = Channel(linked.get(name) or _hashed("C", name), name)
            self._names[name] = self.channels[channel.id] = channel
        return self._names[name]

    def _tie_threads(self) -> None:
        roots = {message.row.id: message for message in self.messages}
        for message in sorted(self.messages, key=lambda message: message.micros):
            thread = message.row.said("thread")
            root = roots.setdefault(thread, message) if thread else message
            if root is not message and root.channel is message.channel:
                message.root = root
                root.replies.append(message)


def member_id(person: Person) -> str:
    """The person's id in Slack's form: as in the corpus where it has that form, else derived from it."""
    return person.id if _MEMBER_ID.fullmatch(person.id) else _hashed("U", person.id)


def channel_name(row: Row) -> str:
    """The name of the row's channel as Slack allows it: lower case, no spaces."""
    name = row.container or row.source
    return re.sub(r"\s+", "-", composed(name).strip().removeprefix("#").casefold()) or "general"


def _hashed(letter: str, name: str) -> str:
    return letter + b32encode(sha1(name.encode(), usedforsecurity=False).digest()).decode()[:10]


def _linked_channels(rows: Iterable[Row]) -> Mapping[str, str]:
    """Channel ids by name, where the corpus gives permalinks."""
    found: dict[str, str] = {}
    for row in rows:
        if link := _ARCHIVED.fullmatch(row.url):
            found.setdefault(channel_name(row), link[1])
    return found


def _micros(row: Row, channel: Channel) -> int:
    created = row.created
    micros = 0 if created is None else int(created.timestamp()) * _MICROS + created.microsecond
    link = _ARCHIVED.fullmatch(row.url)
    if link and link[1] == channel.id and int(link[2]) == micros // _MICROS:
        return int(link[2]) * _MICROS + int(link[3])
    return max(0, micros)


def _first_free(channel: str, micros: int, taken: set[tuple[str, int]]) -> int:
    while (channel, micros) in taken:
        micros += 1
    taken.add((channel, micros))
    return micros


def _permalink(message: Message) -> str:
    link = _ARCHIVED.fullmatch(message.row.url)
    if link and link[1] == message.channel.id and link[2] + link[3] == message.ts.replace(".", ""):
        return message.row.url
    plain = f"{WORKSPACE}/archives/{message.channel.id}/p{message.ts.replace('.', '')}"
    return f"{plain}?thread_ts={message.root.ts}&cid={message.channel.id}" if message.root else plain
