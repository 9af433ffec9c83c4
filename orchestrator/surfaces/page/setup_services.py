"""What the pages stand on that set sources up: the functions of ``fedsearch init`` and ``fedsearch sources try``, put together by the composition root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from orchestrator.access import Caller, FirstRun
    from orchestrator.access.sign_in import Departure
    from orchestrator.documents.setup import Configured, SetupTile, SetupTrial, SourceWish
    from orchestrator.settings import SecretsKept


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
