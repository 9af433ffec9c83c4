"""The tenant that a corpus makes up: mail, messages of chats and channels, files, items of lists, sites."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha512
from types import MappingProxyType
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from orchestrator.sandbox.corpus import Person, Row
from orchestrator.sandbox.index import composed
from orchestrator.sandbox.wire import Situation

HOST = "https://acme.sharepoint.com"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TYPES: Mapping[str, str] = MappingProxyType(
    {
        "mail": "message",
        "message": "chatMessage",
        "thread": "chatMessage",
        "slack": "chatMessage",
        "item": "listItem",
        "site": "site",
    }
)
"""What rows of a kind are to Graph; rows of any other kind are files."""

STORED = frozenset({"driveItem", "listItem", "site"})

_SPACE = uuid5(NAMESPACE_URL, HOST)


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody as Graph names them."""

    name: str
    address: str


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One thing that can be found. `id` is what its own paths take, `hit_id` what search calls it."""

    type: str
    row: Row
    id: str
    hit_id: str
    title: str
    text: str
    author: Account
    to: Sequence[Account]
    created: datetime
    updated: datetime
    url: str
    place: str
    attachments: Sequence[str]

    @property
    def in_channel(self) -> bool:
        """Whether a message stands in a team's channel, where all of the team may read it, or else in a chat."""
        return bool(self.place) and not self.row.flagged("private")

    @property
    def thread(self) -> str:
        """The chat or channel of a message."""
        kind = "tacv2" if self.in_channel else "v2"
        return f"19:{_hashed(self.place or 'chat')[:32]}@thread.{kind}"

    @property
    def team(self) -> str:
        """The team of a channel's message."""
        return str(uuid5(_SPACE, f"team:{self.place}"))


class Tenant:
    """Everything that one person may see, in the order of the corpus."""

    def __init__(self, situation: Situation) -> None:
        self.owner = _account(situation.owner)
        self.people = [_account(person) for person in situation.corpus.people]
        self._directory = situation.corpus.people
        self._numbers: dict[str, str] = {}
        rows = situation.corpus.of("microsoft365")
        self.items = [self._item(row) for row in rows]
        self._by_row = {item.row.id: item for item in self.items}
        stored = [item for item in self.items if item.type in STORED]
        self.sites: Mapping[str, str] = {site_address(item.place): item.place for item in stored if item.place}

    def first_of(self, item: Item) -> Item | None:
        """The message of a channel that another one answers; a chat has no threads."""
        first = self._by_row.get(item.row.said("thread"))
        if first is None or first is item or not item.in_channel:
            return None
        return first if (first.type, first.thread) == (item.type, item.thread) else None

    def _item(self, row: Row) -> Item:
        kind = TYPES.get(row.kind, "driveItem")
        created = row.created or EPOCH
        title = " ".join(composed(row.title).split())
        identity, hit = self._identity(kind, row, created)
        return Item(
            type=kind,
            row=row,
            id=identity,
            hit_id=hit,
            title=title,
            text=composed(row.text),
            author=self._somebody(row.author, row.author_name),
            to=[self._somebody(name, "") for name in row.listed("to")],
            created=created,
            updated=row.updated or created,
            url=row.url or _address(kind, row, title),
            place=composed(row.container),
            attachments=row.listed("attachments"),
        )

    def _identity(self, kind: str, row: Row, created: datetime) -> tuple[str, str]:
        encoded = f"AAMk{b64encode(sha512(row.id.encode()).digest() * 2).decode()}"
        if kind == "message":
            return encoded.translate(str.maketrans("/+", "-_")), encoded
        if kind == "chatMessage":
            return self._number(row, created), encoded
        return f"01{_hashed(row.id)[:32].upper()}", f"FlULeN{_hashed(row.id)[:16]}"

    def _number(self, row: Row, created: datetime) -> str:
        """Milliseconds since 1970, moved on where two messages would have the same."""
        number = max(10**9, int(created.timestamp() * 1000))
        while str(number) in self._numbers:
            number += 1
        self._numbers[str(number)] = row.id
        return str(number)

    def _somebody(self, identity: str, name: str) -> Account:
        person = self._directory.find(identity)
        return _account(person) if person else Account(composed(name) or identity, identity if "@" in identity else "")


def site_address(place: str) -> str:
    """Where a site of that name is."""
    name = re.sub(r"[\s/]+", "-", place)
    return f"{HOST}/sites/{quote(name)}" if name else HOST


def _address(kind: str, row: Row, title: str) -> str:
    site = site_address(composed(row.container))
    match kind:
        case "driveItem":
            return f"{site}/Shared Documents/{title}"
        case "listItem":
            return f"{site}/Lists/Items/DispForm.aspx?ID={_hashed(row.id)[:6]}"
        case "site":
            return site
        case _:
            return ""


def _account(person: Person) -> Account:
    return Account(composed(person.name), person.email)


def _hashed(name: str) -> str:
    return sha512(name.encode()).hexdigest()
