"""What a digest is: sections of entries, each with where it is from; what was read of each source; the totals. Plain text."""

from datetime import date, datetime
from enum import StrEnum
from typing import Literal

from translators.records import record
from translators.said import LanguageCode


class SectionKind(StrEnum):
    """The sections, in the order in which they are read."""

    ACTIONS = "actions"
    DECISIONS = "decisions"
    MENTIONS = "mentions"
    UPDATES = "updates"
    DOCUMENTS = "documents"


class Why(StrEnum):
    """What makes an entry an action."""

    REQUEST = "request"
    PROMISED = "promised"
    ASSIGNED = "assigned"
    DUE = "due"
    OVERDUE = "overdue"
    QUESTION = "question"
    NONE = ""


@record
class Origin:
    """One thing in one source. ``source`` and ``id`` name it, ``title`` is the source's; ``happened`` is aware.

    ``author``: who did what is told; empty where the source knows only who once began it. Of what changes: whether it is
    ``new`` (then the author made it), its ``state`` in the source's words, whether it came to be ``finished`` in this time,
    and who is its ``assignee``.
    """

    source: str
    id: str
    title: str
    url: str
    author: str
    place: str
    happened: datetime
    new: bool = False
    state: str = ""
    finished: bool = False
    assignee: str = ""


@record
class DigestEntry:
    """One matter: its ``text`` (words of the source, ``quoted`` or its title), where from, and where else it stands.

    ``said``: what was decided besides, else what was said of it last; ``by``: whose words those are. ``count``: how many events it stands for. ``weight`` orders entries of a section.
    """

    text: str
    origin: Origin
    also: tuple[Origin, ...] = ()
    why: Why = Why.NONE
    due: date | None = None
    count: int = 1
    weight: float = 0.0
    quoted: bool = False
    said: str = ""
    by: str = ""


@record
class Group:
    """Entries on one topic; ``label`` is empty for what is on none. ``left``: how many are not shown, ``where``: by place."""

    label: str
    entries: tuple[DigestEntry, ...]
    left: int = 0
    where: tuple[tuple[str, int], ...] = ()


@record
class DigestSection:
    """One kind of entries; only updates are in several groups."""

    kind: SectionKind
    groups: tuple[Group, ...]

    @property
    def entries(self) -> tuple[DigestEntry, ...]:
        """All that are shown."""
        return tuple(entry for group in self.groups for entry in group.entries)


@record
class Coverage:
    """What was read of one source: its events from ``since`` up to ``covered``, where ``until`` was wanted.

    ``problem``: why not all, or what is missing within; empty where nothing is. ``asked`` is false where it could not be.
    ``again``: from when on the time before ``since`` was looked at again; ``late``: how many of the events lie there, since
    the source had not listed them the last time.
    """

    source: str
    title: str
    since: datetime
    covered: datetime
    until: datetime
    events: int = 0
    problem: str = ""
    asked: bool = True
    again: datetime | None = None
    late: int = 0

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return self.asked and not self.problem and self.covered >= self.until


@record
class About:
    """What of a digest does not come from the sources. ``zone`` is an IANA name."""

    name: str
    title: str
    language: LanguageCode
    zone: str
    period: Literal["daily", "weekly"]
    since: datetime
    until: datetime


@record
class Digest(About):
    """The whole. ``events``: how many things happened, ``matters``: how many matters they are."""

    sections: tuple[DigestSection, ...]
    coverage: tuple[Coverage, ...]
    events: int
    matters: int

    @property
    def is_empty(self) -> bool:
        """Nothing new. Whether something is missing is another question."""
        return not self.sections

    @property
    def is_unread(self) -> bool:
        """No source that was asked could be read at all."""
        asked = [each for each in self.coverage if each.asked]
        return bool(asked) and all(each.problem and each.covered <= each.since for each in asked) and self.is_empty

    @property
    def gaps(self) -> tuple[Coverage, ...]:
        """Sources of which something is missing."""
        return tuple(each for each in self.coverage if not each.whole)


# ---- saved searches


@record
class Ground:
    """Something that the answer stands on. ``happened``: when it was last changed, if its source says; ``place``: its title."""

    source: str
    id: str
    title: str
    url: str
    happened: datetime | None
    place: str = ""


@record
class Told:
    """What an answer says: its ``claims`` without numbers of citations, what they stand on, and who did not answer (``away``: of these who should have, by title)."""

    claims: tuple[str, ...]
    grounds: tuple[Ground, ...]
    silent: tuple[str, ...] = ()
    away: tuple[str, ...] = ()


@record
class Alert:
    """A saved search with what it says ``now`` and said ``before``. ``changed``: whether that is worth telling."""

    name: str
    title: str
    language: LanguageCode
    zone: str
    question: str
    at: datetime
    now: Told
    before: Told | None
    changed: bool
