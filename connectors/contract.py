"""The one contract between sources and everything above: ask with a native query, get hits."""

from __future__ import annotations

from dataclasses import field
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeGuard, runtime_checkable

from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping, Sequence
    from datetime import datetime

    from connectors.errors import SourceError, Throttled
    from connectors.manifest import Manifest, SourceSettings
    from translators.query import Container, Kind, Person, State
    from translators.translator import NativeQuery


class Turn(Protocol):
    """Waits until a request may be sent. ``bucket``: which of the vendor's allowances it counts against."""

    def __call__(self, bucket: str = "", /) -> Awaitable[None]: ...


class Heed(Protocol):
    """Takes to heart that the vendor wants quiet, though the call goes on without what was refused."""

    def __call__(self, throttled: Throttled, /) -> Awaitable[None]: ...


Fact = str | int | float | bool | tuple[str, ...]


def known_facts(facts: Mapping[str, Fact | None]) -> Mapping[str, Fact]:
    """Those that say something, for nobody to change."""
    return MappingProxyType({name: fact for name, fact in facts.items() if fact})


THREADS = "thread_ts", "thread", "conversation", "ts"
"""Facts that tell a thread, the surest first."""
DAY_LENGTH = len("2026-11-20")
NO_FACTS: Mapping[str, Fact] = MappingProxyType({})


@record
class Credential:
    """A secret that cannot be printed by accident."""

    secret: str = field(repr=False)

    def __str__(self) -> str:
        return "Credential(•••)"


async def immediately(bucket: str = "", /) -> None:
    """A turn that is always there: for callers who keep no rate."""


async def unheeded(throttled: Throttled, /) -> None:
    """Nobody to be told: for callers who keep no rate."""


@record
class Call:
    """The circumstances of one request.

    ``principal``: who asks. ``groups``: theirs, as whoever signed them in says. ``credential``: their own; ``None`` uses the configured one. ``limit``: hits wanted at
    most. ``cursor``: where the last page ended. ``timeout``: seconds that are left, for transports that cannot be
    cancelled from outside. ``turn`` is awaited before each request to the source: it keeps the vendor's rate, and
    raises :class:`connectors.errors.Throttled` while the vendor wants quiet. ``throttled`` is told what the vendor
    refused, or said it would refuse, where that is not raised: one of several searches of a question, a detail of a
    hit, a last request. What is raised need not be told as well. ``trigger``: what proves that a person's
    action in the source's own product caused this call, for vendors who want that (Slack's ``action_token``). ``heads``: whether
    hits may come without what costs a request of its own for each, as :meth:`Completing.complete` will be asked for the best.
    """

    principal: str = "local"
    groups: tuple[str, ...] = ()
    credential: Credential | None = None
    limit: int = 20
    cursor: str | None = None
    timeout: float = 10.0
    turn: Turn = field(default=immediately, repr=False)
    throttled: Heed = field(default=unheeded, repr=False)
    trigger: Credential | None = None
    heads: bool = False


URGENCIES = MappingProxyType(
    {
        name: place
        for place, names in enumerate(
            (
                ("urgent", "highest", "critical", "blocker", "immediate", "p0", "긴급", "가장 높음"),
                ("high", "major", "p1", "높음"),
                ("medium", "normal", "p2", "중간", "보통"),
                ("low", "minor", "p3", "낮음"),
                ("lowest", "trivial", "p4", "가장 낮음"),
            )
        )
        for name in names
    }
)
"""What trackers call their priorities, in the languages in which they show them, from the most urgent on."""
HitKey = tuple[str, str]  # source and id of a hit


@record
class Hit:
    """One thing that a source returned, in our words.

    ``id`` is unique within the source; ``url`` absolute, or empty where the source gives none; times are aware;
    ``rank`` counts from 1 in the order received; ``score`` is the source's own, on its own scale. ``snippet`` is
    plain text without markup; ``complete`` says that it is the whole text and so can prove an absence.
    ``facts`` holds what only this source knows (labels, reactions, thread), for ranking and display.

    >>> from translators.query import Kind, Person
    >>> hit = Hit("chat", "C1.2", Kind.MESSAGE, snippet="Okta goes live on 3 November.", author=Person("Dana"))
    >>> hit.author.name, hit.complete, dict(hit.facts)
    ('Dana', False, {})
    """

    source: str
    id: str
    kind: Kind
    title: str = ""
    url: str = ""
    snippet: str = ""
    complete: bool = False
    author: Person | None = None
    assignee: Person | None = None
    container: Container | None = None
    state: State | None = None
    created: datetime | None = None
    updated: datetime | None = None
    score: float | None = None
    rank: int = 0
    facts: Mapping[str, Fact] = field(default_factory=lambda: NO_FACTS)

    @property
    def address(self) -> str:
        """Where it is: its URL; without one the path that its source tells as a fact; "" where neither is known."""
        return self.url or str(self.facts.get("path", ""))

    @property
    def heading(self) -> str:
        """What its text stands under, where that is a later passage of a document: the headings from the outermost on."""
        return str(self.facts.get("heading", ""))

    @property
    def due(self) -> date | None:
        """The day by which it is to be done, as its source says it; nothing where that is no day."""
        try:
            return date.fromisoformat(str(self.facts.get("due", ""))[:DAY_LENGTH])
        except ValueError:
            return None

    @property
    def urgency(self) -> int | None:
        """How urgent its source says that it is, 0 for what is most so; nothing where it says nothing that is known here."""
        return URGENCIES.get(str(self.facts.get("priority", "")).casefold())

    @property
    def thread(self) -> str:
        """Which thread of its source it is part of: that it says, else the one that it may have begun."""
        for name in THREADS:  # asked fifty times a question: a generator takes twice as long
            if told := self.facts.get(name):
                return str(told)
        return self.id

    @property
    def comments_on(self) -> str:
        """The address of what it is a comment on, and would share with it; "" where it is none."""
        return str(self.facts.get("comments_on", ""))

    def placed(self, source: str, rank: int) -> Hit:
        """The same at a place in a list of ``source``. Written out, as this is done for every hit of every question."""
        return Hit(
            source,
            self.id,
            self.kind,
            self.title,
            self.url,
            self.snippet,
            self.complete,
            self.author,
            self.assignee,
            self.container,
            self.state,
            self.created,
            self.updated,
            self.score,
            rank,
            self.facts,
        )


@record
class LeftOut:
    """A part of what a source searches that a page says nothing about ("issues"), and why.

    ``code``: of what kept it, as of a :class:`connectors.errors.SourceError`; ``retry_after`` in seconds.
    """

    said: Said
    code: str = "left_out"
    retry_after: float | None = None

    @classmethod
    def by(cls, failure: SourceError, said: Said) -> LeftOut:
        """What a failure has cost."""
        return cls(said, failure.code, getattr(failure, "retry_after", None))


@record
class HitPage:
    """A page of hits, and how much of the question it answers.

    ``cursor``: how to get the next, ``None`` at the end. ``notes``: what a reader should know about its completeness
    ("2 of 20 messages could not be read"): without hits they leave it open whether there is anything. ``left_out``:
    parts that were not searched, with hits or without: the page is then the source's answer in part. ``remarks`` say
    nothing against its completeness ("Brave answered"). ``asked``: whether the source was sent anything for it, which
    whoever gathers the page writes down.
    """

    hits: tuple[Hit, ...] = ()
    cursor: str | None = None
    total: int | None = None
    notes: tuple[Said, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    remarks: tuple[Said, ...] = ()
    asked: bool = True


WORKSPACE = Said("workspace {name}")


@record
class Health:
    """Whether a source can be asked. ``account``: as whom, where the source tells. ``remarks``: what is told though it can."""

    ok: bool
    detail: str = ""
    account: str = ""
    remarks: tuple[str, ...] = ()


@record
class SourceDirectory:
    """Who and what a source knows by name, so that filters can use its native ids.

    Somebody with several names (a handle, a full name) stands here once for each, with one id, the fullest name first. ``notes``: what is not
    in it and why.
    """

    people: tuple[Person, ...] = ()
    containers: tuple[Container, ...] = ()
    notes: tuple[str, ...] = ()


@runtime_checkable
class Connector(Protocol):
    """One configured source. All methods raise only :class:`connectors.errors.SourceError` (and pass cancellation).

    ``manifest``: of the class, what its kind is; of an instance, what it is as configured.

    >>> from connectors.registry import load_source
    >>> notion = load_source("notion")
    >>> source = notion("wiki", notion.settings_type(kind="notion", token="ntn_example"))
    >>> source.name, source.manifest.title, isinstance(source, Connector)
    ('wiki', 'Notion', True)
    """

    manifest: Manifest
    settings_type: ClassVar[type[SourceSettings]]
    name: str

    async def prepare(self) -> None:
        """Import what takes long, off the event loop; afterwards the first search is as quick as the others."""
        ...

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """One page of hits for a query in this source's dialect."""
        ...

    async def directory(self, call: Call) -> SourceDirectory:
        """People and containers by name; empty where the source has no such list."""
        ...

    async def probe(self, call: Call) -> Health:
        """The cheapest request that proves address, credential and rights."""
        ...

    async def aclose(self) -> None:
        """Release connections and threads; safe to call twice."""
        ...


@runtime_checkable
class Conversing(Protocol):
    """A source whose things stand in conversations that one request reads: a connector may be this besides."""

    def conversation(self, hit: Hit) -> NativeQuery | None:
        """What :meth:`Connector.search` takes to return what was said around one of its hits, oldest first; ``None`` where nothing can be."""
        ...


@runtime_checkable
class Completing(Protocol):
    """A source whose searches return heads, and the texts of hits for a request each: a connector may be this besides.

    ``completes``: whether this one does.
    """

    completes: ClassVar[bool]

    async def complete(self, hits: Sequence[Hit], call: Call) -> HitPage:
        """The same hits with their texts, as far as they can be read."""
        ...


def is_completing(connector: Connector) -> TypeGuard[Completing]:
    """Whether it returns heads where these are enough."""
    # Most do not, and that is soon told.
    return getattr(connector, "completes", False) and isinstance(connector, Completing)


@runtime_checkable
class Mirrored(Connector, Completing, Protocol):
    """A source whose search does not know its texts: a connector may be this besides.

    ``mirrored``: of how many pages, the last changed first, the texts are kept beside it; 0: of none. Asked for everything, it lists what it has.
    """

    @property
    def mirrored(self) -> int: ...


@runtime_checkable
class Sparing(Protocol):
    """A source that leaves out what has brought nothing of late: a connector may be this besides."""

    def whole(self, native: NativeQuery) -> NativeQuery | None:
        """``native`` with nothing left out, for when it has found nothing otherwise; ``None`` where nothing would be."""
        ...
