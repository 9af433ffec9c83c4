"""What can be put into the index: documents in parts, with who may see them."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import field, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from connectors.contract import NO_FACTS, Fact
from connectors.models.embedding import MAX_CHARACTERS
from connectors.passages import Passage
from connectors.text import UNSAFE, absolute_url, plain_line, plain_text, sendable
from translators.emit import utc
from translators.match import CREATED_ONCE, WORD, bare_address, fold, words
from translators.query import Container, Kind, Person, State
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

PUBLIC = "public"
SHARE_OF_TEXT = MAX_CHARACTERS // 2  # of what is embedded, at least
UNTOLD = frozenset(
    {"www", "com", "net", "org", "io", "dev", "co", "kr", "html", "htm", "php", "index", "http", "https"}
)
BLANKS = re.compile(r"[\s_-]+")


@record
class Document:
    """One document. ``source`` and ``id`` name it, for ever; ``source`` also says how fast it ages (``slack``, ``files``).

    ``principals``: who may see it: ``public``, ``user:…``, ``group:…``; nobody where there are none. ``description``
    and ``examples`` say what it is for, in the words of those who will look for it; they are embedded with every chunk.
    Times are aware. ``chunks`` hold all of its text; where they overlap, so does it.
    """

    source: str
    id: str
    title: str
    chunks: tuple[Passage, ...]
    principals: tuple[str, ...]
    url: str = ""
    kind: Kind = Kind.FILE
    author: Person | None = None
    assignee: Person | None = None
    container: Container | None = None
    state: State | None = None
    created: datetime | None = None
    updated: datetime | None = None
    description: str = ""
    examples: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=lambda: NO_FACTS)

    def __post_init__(self) -> None:
        if not (self.source and self.id):
            raise ValueError("a document is named by its source and its id; neither may be empty")
        if any(moment is not None and moment.tzinfo is None for moment in (self.created, self.updated)):
            raise ValueError(f"{self.source}/{self.id}: times must know their zone")

    def cleaned(self) -> Document:
        """The same, safe to show and to store: plain text without control characters, an address or none."""
        return replace(
            self,
            source=known_as(self.source),
            id=known_as(self.id),
            title=plain_line(self.title),
            chunks=tuple(Passage(plain_text(each.text), plain_line(each.heading)) for each in self.chunks),
            principals=tuple(sorted({plain_line(each) for each in self.principals} - {""})),
            url=absolute_url(self.url),
            created=self.created and utc(self.created),
            updated=self.updated and utc(self.updated),
            description=plain_text(self.description),
            examples=tuple(map(plain_text, self.examples)),
            facts={plain_line(key): _plain_fact(fact) for key, fact in self.facts.items()},
        )

    @property
    def happened(self) -> datetime | None:
        """When it happened, as people mean it: a message was sent, a page last changed."""
        once = self.kind in CREATED_ONCE
        return (self.created or self.updated) if once else (self.updated or self.created)

    @property
    def content(self) -> bytes:
        """A digest of what is searched; a document with another one has to be written anew."""
        chunks = [[each.heading, each.text] for each in self.chunks]
        return digest([self.title, self.url, self.description, list(self.examples), self.named, chunks])

    @property
    def named(self) -> str:
        """Where it is and who made it, in words that it is found by."""
        return " ".join(each.name for each in (self.container, self.author) if each is not None and each.name)

    @property
    def about(self) -> bytes:
        """A digest of everything else that is stored."""
        moments = [moment and moment.isoformat() for moment in (self.created, self.updated)]
        people = [plain_json(who) for who in (self.author, self.assignee, self.container)]
        return digest([*people, self.kind, self.state, *moments, dict(self.facts), list(self.principals)])

    def meaning(self, chunk: Passage) -> str:
        """What is embedded for one chunk: what the document is for, then the text, which gets at least half of the room."""
        told = "\n".join(filter(None, (self.title, chunk.heading, self.description, *self.examples)))
        room = max(SHARE_OF_TEXT, MAX_CHARACTERS - len(chunk.text) - 1)
        return f"{told[:room]}\n{chunk.text}".strip()[:MAX_CHARACTERS]


def known_as(name: str) -> str:
    """An id as it is kept: as it is, but for what no terminal or database should see."""
    return UNSAFE.sub("", sendable(name))


def _plain_fact(fact: Fact) -> Fact:
    if isinstance(fact, tuple):
        return tuple(map(plain_text, fact))
    return plain_text(fact) if isinstance(fact, str) else fact


def digest(value: object) -> bytes:
    """Sixteen bytes that stand for a JSON value."""
    return hashlib.blake2b(json.dumps(value, default=list).encode(), digest_size=16).digest()


def plain_json(value: Person | Container | None) -> dict[str, str] | None:
    """A person or a place without what is not known; whether somebody is "me" depends on who asks."""
    if value is None:
        return None
    said = {"name": plain_line(value.name), "native_id": value.native_id}
    said |= {"email": value.email} if isinstance(value, Person) else {}
    return {key: plain_line(each) for key, each in said.items() if each}


def name_words(who: Person | None) -> list[str]:
    """A name as it is compared: folded as a whole, then its words."""
    if who is None or not who.name:
        return []
    return [fold(who.name), *words(who.name.replace("_", " "))]


def container_names(where: Container | None) -> list[str]:
    """What a place may be called, folded."""
    if where is None:
        return []
    return sorted({place_name(where.name), place_name(where.native_id or where.name)})


def place_name(name: str) -> str:
    """A place's name without ``#``, case, or the difference of blank, ``-`` and ``_``."""
    return BLANKS.sub("-", fold(name).lstrip("#"))


def addresses(document: Document) -> list[str]:
    """What a document can be asked for by: its id, its URL, and the name of the file that either ends in."""
    known = {bare_address(document.id), bare_address(document.url)} - {""}
    return sorted(known | {each.rsplit("/", 1)[-1] for each in known} - {""})


def site_words(url: str) -> str:
    """What a URL says of where it leads, in words: its host, and the first step of its path.

    ``https://docs.python.org/3/library/asyncio.html`` is ``docs python``; ``https://github.com/acme/app`` is
    ``github acme``. Few enough that each can have a vector.
    """
    if not url:
        return ""
    parts = urlsplit(url)
    first = next((step for step in unquote(parts.path).split("/") if step), "")
    told = [*WORD.findall(fold(parts.hostname or "")), *WORD.findall(fold(first))]
    return " ".join(dict.fromkeys(word for word in told if word not in UNTOLD and not word.isdigit()))[:200]
