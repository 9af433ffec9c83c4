"""What the page stands on, put together by the composition root: the server's own keys, rates, streams and figures.

Beside it, what the pages need that set sources up, and those for whoever runs the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from starlette.requests import Request
    from starlette.responses import Response

    from orchestrator.access import (
        ApiKey,
        AuditedAction,
        Caller,
        ConnectedAccount,
        Connecting,
        FirstRun,
        KeyRing,
        PersonalData,
        ProviderSignIn,
        RoleBook,
        Scope,
        Sessions,
        SettledRole,
        UsageFigures,
    )
    from orchestrator.access.sign_in import Departure
    from orchestrator.digests.service import DigestService as Digests
    from orchestrator.documents.sources import Configured, SetupTile, SetupTrial, SourceStates, SourceWish
    from orchestrator.learning import Reaction
    from orchestrator.model import Ask
    from orchestrator.settings import SecretsKept

    # An event's name and document, and what a reader of the stream is sent.
    EventRenderer = Callable[[str, object], object]


@record
class Judgment:
    """What a reader thought of one result."""

    question: str
    verdict: str
    source: str
    id: str


@record
class PageServices:
    """Each of the callables raises what the server answers with its own refusals; the page words them.

    ``admit``: lets the holder of a key or a person in, or where there is none whoever the request itself says it is, if they have the
    scope and their rate allows. ``sign_in``: how people sign in through their identity provider, where they can. ``events``: what happens to a question, as names and documents, for one request id.
    ``stream``: the same as server-sent events that can be taken up again. ``growing``: a page that is sent as it comes,
    and not for ever to a reader who takes none of it. ``clock`` is aware, ``budget`` in seconds.
    ``secure``: whether browsers reach the page by https alone. ``connecting``: how people connect accounts of their own,
    where they can; ``personal_data`` is entered to see and to forget what is kept of one; ``noted`` is told by whom what is done with one of which source. ``digests``: theirs, where there may be
    any; ``defining``: where they can be made, before there is any. ``has_sources``: whether there is anything to ask. ``admin`` and ``setup``: for whoever runs the server.
    """

    sessions: Sessions
    admit: Callable[[Request, ApiKey | Caller | None, Scope], Awaitable[Caller]]
    events: Callable[[Ask, str], AsyncIterator[tuple[str, object]]]
    stream: Callable[[Request, Ask, EventRenderer], Response]
    growing: Callable[[AsyncIterator[bytes]], Response]
    judged: Callable[[Caller, Judgment], Awaitable[None]]
    sources: Callable[[Caller], Awaitable[SourceStates]]
    clock: Callable[[], datetime]
    budget: float
    admin: AdminServices
    setup: SourceSetup
    noted: Callable[[Request, Caller, str, str], Awaitable[None]]
    personal_data: Callable[[], AbstractAsyncContextManager[PersonalData]]
    secure: bool = False
    sign_in: ProviderSignIn | None = None
    connecting: Connecting | None = None
    digests: Callable[[], Digests | None] = lambda: None
    defining: Callable[[], Digests | None] = lambda: None
    has_sources: Callable[[], bool] = lambda: True


@record
class AdminServices:
    """``usage``, ``feedback`` and ``changes`` read disks, and raise ``OSError``; ``accounts`` asks the database, and raises :class:`SourceError`.

    ``keys``: none where everybody is let in. ``roles``: what people may besides what is ``settled``. ``sources``: as everybody is shown them. ``counts``: whether use is counted; ``keeps_words``:
    whether with the words of questions that found no answer. ``noted`` writes down by whom what is about to be done to what, and raises where it cannot.
    """

    usage: Callable[[], UsageFigures]
    feedback: Callable[[], Mapping[Reaction, int]]
    changes: Callable[[], Sequence[AuditedAction]]
    sources: Callable[[], Awaitable[SourceStates]]
    accounts: Callable[[], Awaitable[Sequence[ConnectedAccount]]]
    keys: KeyRing | None
    roles: RoleBook
    settled: tuple[SettledRole, ...]
    noted: Callable[[Request, Caller, str, str], Awaitable[None]]
    counts: bool
    keeps_words: bool


class SourceSetup(Protocol):
    """Raises :class:`SourceError` with what to do, and ``OSError`` where a file takes or gives nothing. What is not awaited reads disks."""

    @property
    def first(self) -> FirstRun | None:
        """Who lets the first person in, where there is nobody yet who could sign in."""
        ...

    @property
    def address(self) -> str:
        """How browsers reach this server, where that is set."""
        ...

    def tiles(self) -> tuple[SetupTile, ...]:
        """What can be set up question by question."""
        ...

    def configured(self) -> tuple[Configured, ...]:
        """Every source as it is written down now, and what it still needs."""
        ...

    def said(self, name: str) -> Mapping[str, Any]:
        """What is written of a source, without its secrets."""
        ...

    def has_secret(self, name: str, setting: str) -> bool:
        """Whether one is kept."""
        ...

    def text(self, name: str) -> str:
        """The file of a declared source; empty where there is none."""
        ...

    def wrong(self, wishes: Sequence[SourceWish]) -> str:
        """What cannot be as it was typed, apart from what is only missing; empty where nothing."""
        ...

    async def tried(self, wishes: Sequence[SourceWish], question: str, caller: Caller) -> SetupTrial:
        """Ask them and no other, and keep nothing."""
        ...

    async def begin(self, wishes: Sequence[SourceWish], noted: Callable[[str], Awaitable[None]]) -> None:
        """Write down what is no secret of those that cannot be asked yet, so that whoever leaves goes on from there; ``noted`` is told the name of each before."""
        ...

    async def keep(self, wishes: Sequence[SourceWish]) -> tuple[Sequence[str], SecretsKept | None]:
        """Write them down, and ask them from now on. The files, the key of sealed secrets last, and how secrets among them are kept."""
        ...

    async def switch(self, name: str, *, on: bool) -> None:
        """Ask a source from now on, or no more."""
        ...

    async def remove(self, name: str, noted: Callable[[], Awaitable[None]]) -> None:
        """Take away all that is written of it, its secrets too; ``noted`` is told before, and only if it can be done."""
        ...

    async def pretend(self, question: str, caller: Caller) -> SetupTrial:
        """Ask the pretend workplace, which is there for as long as that takes."""
        ...

    def hold(self, wishes: Sequence[SourceWish], browser: str) -> str:
        """What somebody typed, sealed for a form of theirs to bring back within half an hour."""
        ...

    def held(self, sealed: str, browser: str) -> tuple[SourceWish, ...]:
        """The same again; nothing where it is too old, or another browser's."""
        ...

    def leave(self, kinds: Sequence[str], client_id: str, secret: str, back: str, browser: str) -> Departure:
        """To the vendor's page, to come back to the address ``back``."""
        ...

    async def returned(self, state: str, code: str, ticket: str, browser: str) -> tuple[SourceWish, ...]:
        """What a vendor has allowed."""
        ...

    def cookie(self, state: str) -> str:
        """The name under which a browser carries its ticket."""
        ...
