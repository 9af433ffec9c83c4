"""The spaces and messages that a corpus makes up, and who may see them."""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from orchestrator.sandbox.corpus import DOMAIN, Directory, Person, Row
from orchestrator.sandbox.index import composed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Space:
    """A space, or a direct message, which has no title."""

    name: str
    title: str

    @property
    def type(self) -> str:
        """As the API says it."""
        return "SPACE" if self.title else "DIRECT_MESSAGE"

    @property
    def uri(self) -> str:
        """Where a browser opens it."""
        return f"https://chat.google.com/{'room' if self.title else 'dm'}/{self.name.removeprefix('spaces/')}?cls=11"


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """One message; `reply` if it answers the first of its thread."""

    name: str
    space: Space
    thread: str
    reply: bool
    sender: Person
    created: datetime
    edited: datetime | None
    text: str
    files: Sequence[str]
    reactions: Sequence[str]
    row: Row = field(repr=False)


class Messages:
    """Everything one account may read, latest first. Private spaces are for those who wrote in them."""

    def __init__(self, rows: Sequence[Row], people: Directory, account: Person) -> None:
        self.account = account
        self._people = people
        mine = {row.container for row in rows if self._is(row.author, account)}
        seen = [row for row in rows if not row.flagged("private") or row.container in mine]
        self._threads = {row.id: row for row in seen}
        made = [self._message(row) for row in seen]
        self.messages: Sequence[Message] = sorted(made, key=lambda each: (-each.created.timestamp(), each.name))
        self.spaces: Mapping[str, Space] = {each.space.name: each.space for each in self.messages}
        self.by_name: Mapping[str, Message] = {each.name: each for each in self.messages}
        hidden = [self._message(row) for row in rows if row not in seen]
        self.hidden: frozenset[str] = frozenset(each.name for each in hidden)

    def _is(self, identity: str, person: Person) -> bool:
        found = self._people.find(identity)
        return found is not None and found.id == person.id

    def _message(self, row: Row) -> Message:
        space = self._space(row)
        first = row.said("thread") or row.id
        thread, own = _made_id(f"thread {first}"), _made_id(f"thread {row.id}")
        created = row.created or _EPOCH
        return Message(
            name=f"{space.name}/messages/{thread}.{own}",
            space=space,
            thread=f"{space.name}/threads/{thread}",
            reply=first != row.id,
            sender=self._people.find(row.author)
            or Person(row.author, row.author_name, row.author, f"unknown@{DOMAIN}"),
            created=created,
            edited=row.updated if row.updated and row.updated > created else None,
            text=composed(row.text),
            files=tuple(_one_line(name) for name in row.listed("files")),
            reactions=tuple(row.listed("reactions")),
            row=row,
        )

    def _space(self, row: Row) -> Space:
        title = _one_line(row.container)
        return Space(f"spaces/{_made_id(f'space {title}' if title else f'dm {row.author}')}", title)


def user_name(person: Person) -> str:
    """The resource name of a person: digits, as Google's are."""
    return f"users/1{int(sha256(person.id.encode()).hexdigest()[:16], 16):020d}"


def people_of(messages: Iterable[Message]) -> Mapping[str, Person]:
    """Senders by resource name and by address."""
    senders = {each.sender.id: each.sender for each in messages}.values()
    return {name: each for each in senders for name in (user_name(each), f"users/{each.email.casefold()}")}


def _made_id(name: str) -> str:
    return urlsafe_b64encode(sha256(name.encode()).digest()[:8]).decode().rstrip("=")


def _one_line(text: str) -> str:
    return " ".join(composed(text).split())
