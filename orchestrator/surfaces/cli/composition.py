"""What the command line needs from the composition root, since it may import neither sources nor the sandbox."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from orchestrator.engine import Engine
    from orchestrator.settings import Settings


class BadInput(ValueError):
    """Something typed at the command line cannot be used; the message says what to type instead."""


NO_COUNTS: Mapping[str, int] = MappingProxyType({})
NO_REASONS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SandboxWish:
    """What to serve, as typed. ``faults`` are ``SOURCE=FAULT``, ``mapping`` ``FOREIGN=SOURCE``; ``port`` 0 is any."""

    corpus: tuple[str, ...] = ()
    mapping: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    port: int = 0
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class Served:
    """One source that the sandbox serves. The token opens nothing but this sandbox, so it may be shown."""

    source: str
    base_url: str
    token: str
    items: int


@dataclass(frozen=True, slots=True)
class Serving:
    """A sandbox that listens.

    ``unserved`` counts the corpus's items, by source, that no emulator serves; ``absent`` says of sources why this
    machine cannot serve them.
    """

    sources: tuple[Served, ...]
    unserved: Mapping[str, int] = field(default_factory=lambda: NO_COUNTS)
    absent: Mapping[str, str] = field(default_factory=lambda: NO_REASONS)

    def settings(self) -> dict[str, dict[str, str]]:
        """The ``sources`` table of settings under which an engine finds this sandbox."""
        return {each.source: {"base_url": each.base_url, "token": each.token} for each in self.sources}


@dataclass(frozen=True, slots=True)
class Configured:
    """One ``[sources]`` entry. ``problem`` says why it cannot be asked (empty: it can); ``invalid``: its settings are wrong."""

    name: str
    kind: str
    title: str
    enabled: bool = True
    problem: str = ""
    invalid: bool = False


@dataclass(frozen=True, slots=True)
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


class Inventory(Protocol):
    """What is installed and configured."""

    def configured(self, settings: Settings) -> tuple[Configured, ...]:
        """Every configured source and what it still needs; nothing is sent."""
        ...

    def kinds(self) -> tuple[str, ...]:
        """The kinds of source that are installed."""
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
