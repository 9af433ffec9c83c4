"""What the bot needs of a chat platform, and the nouns that pass between them. One platform is one folder.

A message is plain text in parts; whoever shows it escapes it for the platform.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Protocol

from orchestrator.model import Principal
from translators.records import record


class PlaceKind(StrEnum):
    """Who reads what is said in a place."""

    DIRECT = "direct"  # one person and the bot
    CLOSED = "closed"  # those who are in it: a private channel, a direct message of several
    OPEN = "open"  # whoever joins, now or later: a public channel


@record
class ChatLocation:
    """Where something was asked. ``thread``: the message whose thread it is in, "" for none."""

    team: str
    id: str
    thread: str = ""


@record
class Member:
    """Somebody as the platform knows them. ``guest``: sees only places they were let into; ``outsider``: of another company.

    ``principal``: who they are to the sources. ``language``: ``ko`` or ``en``; ``zone``: an IANA name, or "".
    """

    id: str
    principal: Principal = field(default_factory=lambda: Principal(""))
    name: str = ""
    language: str = "en"
    zone: str = ""
    guest: bool = False
    outsider: bool = False


@record
class Attendance:
    """Who reads in a place. ``members`` is ``None`` where that cannot be known, which is read as anybody at all."""

    kind: PlaceKind
    members: tuple[Member, ...] | None


@record
class Readers:
    """Who may read the place that a result stands in. ``everyone``: each full member; else ``members``, by platform id."""

    everyone: bool = False
    members: frozenset[str] = frozenset()


@record
class IncomingQuestion:
    """A question from the platform. ``id``: of the event, the same in every repeat of its delivery.

    ``alone``: it is answered to the asker only, in whatever place it was asked. ``reply``: where such an answer goes; as
    good as a password for a while, so it is never printed.
    """

    id: str
    person: str
    place: ChatLocation
    text: str
    alone: bool = False
    reply: str = field(default="", repr=False)


@record
class Pressed:
    """A button that somebody pressed, in a message that was posted in ``place``; ``private``: only they could see it."""

    id: str
    person: str
    place: ChatLocation
    action: str
    value: str
    private: bool = False
    reply: str = field(default="", repr=False)


@record
class Posted:
    """A message of ours that can be edited."""

    place: ChatLocation
    id: str
    reply: str = field(default="", repr=False)


class PlatformRefused(Exception):
    """The platform does not do what it was asked; the message holds no secret. ``retry_after``: seconds, if it said."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after


class Platform(Protocol):
    """A chat platform. Acknowledging an event is its own affair, done before the bot hears of it; all methods raise
    only :class:`PlatformRefused`. Nothing about who may read what is remembered from one call to the next.
    """

    async def post(self, asked: IncomingQuestion, message: Message) -> Posted:
        """Show a message where a question was asked: to all who read there, or if it was asked alone to the asker."""
        ...

    async def edit(self, posted: Posted, message: Message) -> None:
        """Show another message in the place of one of ours."""
        ...

    async def whisper(self, asked: IncomingQuestion, message: Message) -> None:
        """Show a message to the asker alone, in the place where they are."""
        ...

    async def home(self, person: str, message: Message) -> None:
        """Show a message in the place where the bot presents itself to one person."""
        ...

    async def member(self, person: str) -> Member:
        """Somebody, as they stand now."""
        ...

    async def attendance(self, place: ChatLocation) -> Attendance:
        """Who reads in a place, as it stands now."""
        ...

    async def readers(self, place: str) -> Readers:
        """Who may read a place that results stand in, as it stands now; nobody where that cannot be known."""
        ...


@record
class TextRun:
    """A stretch of plain text in one style; ``url`` makes it a link and has been checked already."""

    text: str
    bold: bool = False
    italic: bool = False
    url: str = ""


Line = tuple[TextRun, ...]


@record
class Lines:
    """Lines of text under each other; ``bullets`` before each."""

    lines: tuple[Line, ...]
    bullets: bool = False


@record
class Note:
    """A line in small print."""

    text: str


@record
class Button:
    """Something to press. ``value`` comes back with the press."""

    action: str
    label: str
    value: str


@record
class Buttons:
    """Buttons beside each other."""

    buttons: tuple[Button, ...]


@record
class Message:
    """``summary`` stands for the whole where only a line is shown (a notification)."""

    summary: str
    parts: tuple[Lines | Note | Buttons, ...]


def said(text: str) -> Line:
    """A line in one style."""
    return (TextRun(text),)
