"""What the command line needs from the composition root, since it may import neither sources nor the sandbox."""

from __future__ import annotations

from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from connectors.local.ingest import Ingest, IngestProgress, IngestReport, PageCrawler
    from connectors.local.numbers import DocumentRecency
    from orchestrator.access import Connecting, KeyRing, PersonalData, RoleBook, SettledRole
    from orchestrator.digests.service import DigestService
    from orchestrator.documents.filters import FilterJudgment
    from orchestrator.documents.sources import Configured, SetupTile
    from orchestrator.engine import Engine
    from orchestrator.evaluate import Measurement
    from orchestrator.learning import FeedbackFigures, Tuning
    from orchestrator.model import Ask, Outcome
    from orchestrator.rank import RankingConfig
    from orchestrator.settings import Layer, Settings
    from orchestrator.websearch import WebSearch


class BadInput(ValueError):
    """Something typed at the command line cannot be used; the message says what to type instead."""


class NotStarted(Exception):
    """A server cannot start for now, whatever was typed and set; the message says why."""


NO_COUNTS: Mapping[str, int] = MappingProxyType({})
NO_REASONS: Mapping[str, str] = MappingProxyType({})


@record
class SandboxWish:
    """What to serve, as typed. ``faults`` are ``SOURCE=FAULT``, ``mapping`` ``FOREIGN=SOURCE``; ``port`` 0 is any."""

    corpus: tuple[str, ...] = ()
    mapping: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    port: int = 0
    now: datetime | None = None
    drop_repeats: bool = False


@record
class TrialWish:
    """What to measure, as typed. ``limit`` 0 asks every question; without ``now`` it is the date of the newest item.

    ``corpus``, ``queries`` and ``qrels`` are files to ask from; ``replay`` is a recording to rank instead.
    """

    corpus: tuple[str, ...] = ()
    mapping: tuple[str, ...] = ()
    queries: str = ""
    qrels: str = ""
    record: str = ""
    replay: str = ""
    limit: int = 0
    now: datetime | None = None
    drop_repeats: bool = False
    ablation: bool = False


@record
class Served:
    """One source that the sandbox serves. The token opens nothing but this sandbox, so it may be shown."""

    source: str
    base_url: str
    token: str
    items: int


@record
class Serving:
    """A sandbox that listens.

    ``unserved`` counts the corpus's items, by source, that no emulator serves; ``absent`` says of sources why this
    machine cannot serve them; ``repeated`` counts rows left out because of their id. ``newest`` is the date of the
    newest item, if any has one.
    """

    sources: tuple[Served, ...]
    unserved: Mapping[str, int] = field(default_factory=lambda: NO_COUNTS)
    absent: Mapping[str, str] = field(default_factory=lambda: NO_REASONS)
    repeated: int = 0
    newest: datetime | None = None

    def settings(self) -> dict[str, dict[str, str]]:
        """The ``sources`` table of settings under which an engine finds this sandbox."""
        return {each.source: {"base_url": each.base_url, "token": each.token} for each in self.sources}


@record
class KindPowers:
    """One kind of source: what it checks by itself and how faithfully, and on what terms it is asked.

    ``powers``: fidelity ("exact", "wider", "approximate", "none") by condition; ``note`` explains an approximation.
    """

    kind: str
    title: str
    category: str
    dialect: str
    finds: tuple[str, ...]
    powers: Mapping[str, str]
    excludes: tuple[str, ...]
    orders: tuple[str, ...]
    note: str
    limits: str
    signs_in_by: tuple[str, ...]


@record
class BrowserSignIn:
    """A person at a browser: ``show`` tells them where to go, ``pasted`` waits for the address that one elsewhere ended at."""

    show: Callable[[str], None]
    pasted: Callable[[], Awaitable[str]]


class Inventory(Protocol):
    """What is installed and configured."""

    def configured(self, settings: Settings) -> tuple[Configured, ...]:
        """Every configured source and what it still needs; nothing is sent."""
        ...

    def connecting(self) -> Mapping[str, str]:
        """The kinds of source that are installed, each with what a person does to have it searched."""
        ...

    def setup_tiles(self) -> tuple[SetupTile, ...]:
        """What a person can set up question by question."""
        ...

    def configured_as(self, name: str, raw: Mapping[str, Any]) -> Configured:
        """What a source needs that is set up like this; nothing is sent."""
        ...

    def powers(self) -> tuple[KindPowers, ...]:
        """What each kind of source that is installed can do."""
        ...


class Composition(Inventory, Protocol):
    """The parts of the whole that only the composition root can put together. Everything is imported on first use."""

    def engine(self, settings: Settings) -> Engine:
        """All configured sources behind one question. Raises :class:`connectors.errors.Misconfigured`."""
        ...

    def sandbox(self, wish: SandboxWish) -> AbstractAsyncContextManager[Serving]:
        """A pretend workplace for as long as the context lasts. Raises :class:`BadInput` for an impossible wish."""
        ...

    async def evaluate(self, settings: Settings, wish: TrialWish, told: Callable[[str], None]) -> Measurement:
        """A measurement; ``told`` hears what is being done. Raises :class:`BadInput` for files that cannot be used."""
        ...

    def feedback(self, settings: Settings) -> FeedbackFigures:
        """How the present order does by what people opened, copied and marked. Raises :class:`connectors.errors.Misconfigured`."""
        ...

    def tuned(self, settings: Settings, layers: Sequence[Layer], *, write: bool) -> Tuning:
        """Numbers of ranking learnt from that, and whether they serve better; then they are written, with ``write``.

        Raises :class:`connectors.errors.Misconfigured`.
        """
        ...

    def untuned(self, settings: Settings) -> bool:
        """Take back what was written last; ``False`` where there is nothing. Raises :class:`connectors.errors.Misconfigured`."""
        ...

    def filters_found(
        self, settings: Settings, engine: Engine, ask: Ask, before: Outcome
    ) -> AsyncIterator[FilterJudgment]:
        """What becomes of each condition whose answer the results of a question know; ``engine`` asks one source alone."""
        ...

    def key_ring(self, settings: Settings) -> KeyRing:
        """The keys of the HTTP API."""
        ...

    def role_book(self, settings: Settings) -> RoleBook:
        """What people may whom somebody else signs in, beside what settings say."""
        ...

    def settled_roles(self, settings: Settings) -> tuple[SettledRole, ...]:
        """What settings say of that. Raises :class:`connectors.errors.Misconfigured`."""
        ...

    def noted(self, settings: Settings, action: str, what: str) -> None:
        """Write down what is about to be done to this installation. Raises where it cannot be."""
        ...

    def accounts(self, settings: Settings) -> AbstractAsyncContextManager[Connecting]:
        """The accounts that people have connected, for as long as the context lasts. Raises :class:`Misconfigured`."""
        ...

    def personal_data(self, settings: Settings) -> AbstractAsyncContextManager[PersonalData]:
        """What is kept of people, for as long as the context lasts. Raises :class:`Misconfigured`."""
        ...

    async def sign_in(
        self, kinds: tuple[str, ...], client_id: str, client_secret: str, settings: Settings, at: BrowserSignIn
    ) -> str:
        """The refresh token of a person's consent by browser. Raises :class:`connectors.errors.SourceError`."""
        ...

    async def serve_mcp(self, settings: Settings) -> None:
        """Serve a language model over standard input and output until they are closed."""
        ...

    def serve_api(
        self,
        settings: Settings,
        host: str,
        port: int,
        listening: Callable[[str], None],
        *,
        authenticated: bool,
        processes: int = 1,
        code: str = "",
    ) -> bool:
        """Answer over HTTP in so many processes until told to stop; whether all went well. ``code`` lets the first person in, on a page.

        ``listening`` is told the address once connections are taken. Raises :class:`NotStarted` where the port is taken, and :class:`BadInput` where there is no such address.
        """
        ...

    def bot_manifest(self, settings: Settings, name: str, command: str, address: str) -> Mapping[str, Any]:
        """What Slack takes to make the bot's app. Raises :class:`connectors.errors.Misconfigured`."""
        ...

    async def back_up(self, settings: Settings, file: Path) -> tuple[str, ...]:
        """Write all that is kept into a file; what that is. Raises :class:`connectors.errors.SourceError`."""
        ...

    async def bring_back(self, settings: Settings, file: Path) -> tuple[str, ...]:
        """Fill an empty installation from such a file; what was in it. Raises :class:`connectors.errors.SourceError`."""
        ...

    async def upgrade(self, settings: Settings, file: Path) -> tuple[str, ...]:
        """Bring the database up to this version after a backup into ``file``; what was done. Raises :class:`connectors.errors.SourceError`."""
        ...

    async def roll_back(self, settings: Settings, file: Path, aside: Path) -> tuple[str, ...]:
        """Put a backup in the place of what is there, which is kept in ``aside``; what was in it.

        Raises :class:`connectors.errors.SourceError`.
        """
        ...

    async def run_bot(self, settings: Settings, host: str, port: int, listening: Callable[[str], None]) -> None:
        """Answer in a chat until cancelled. ``listening`` is told how it hears, once it does.

        Raises :class:`connectors.errors.Misconfigured`, and ``OSError`` where the port is taken.
        """
        ...

    def ageing(self, settings: Settings) -> Mapping[str, DocumentRecency]:
        """How documents age in each index that is asked, by the name of its source; as shipped where there is none.

        Raises :class:`connectors.errors.Misconfigured`.
        """
        ...

    def ranking(self, settings: Settings) -> RankingConfig:
        """The numbers that results are ranked by. Raises :class:`connectors.errors.Misconfigured`."""
        ...

    def ingest(self, settings: Settings) -> AbstractAsyncContextManager[Ingest]:
        """The local index, to put files in, for as long as the context lasts. Raises :class:`connectors.errors.SourceError`."""
        ...

    async def sync(
        self,
        settings: Settings,
        name: str,
        visible_to: tuple[str, ...],
        *,
        whole: bool,
        on_progress: Callable[[IngestProgress], None],
    ) -> IngestReport:
        """Pull a configured source into the local index. Raises :class:`connectors.errors.SourceError`."""
        ...

    def pages(self, settings: Settings) -> AbstractAsyncContextManager[PageCrawler]:
        """What reads single pages of the web for the index, for as long as the context lasts."""
        ...

    async def work(self, settings: Settings, *, once: bool) -> int:
        """Do the local index's jobs until cancelled, or with ``once`` until none waits; how many parts were embedded.

        Raises :class:`connectors.errors.SourceError`.
        """
        ...

    def digests(self, settings: Settings, now: datetime | None = None) -> AbstractAsyncContextManager[DigestService]:
        """Digests and saved searches, as if it were ``now``. Raises :class:`connectors.errors.SourceError`."""
        ...

    def web(self, settings: Settings) -> WebSearch:
        """The public web. Raises :class:`connectors.errors.Misconfigured`."""
        ...
