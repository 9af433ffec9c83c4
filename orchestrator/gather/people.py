"""Sources that each person asks with an account of their own: opened when they ask, closed when they have been quiet."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from connectors.errors import SourceError
from orchestrator.gather.breaker import Breaker, Suspended
from orchestrator.gather.directories import DirectoryCache
from storage.logs import log_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping

    from orchestrator.gather.source import Source

PATIENCE = 2.0  # seconds that a question waits for the store of accounts; without it the other sources are asked
NO_ANSWER = Said("the store of people's accounts does not answer; try again")
NOT_READ = Said("the store of people's accounts cannot be read; try again")

log = log_of(__name__)


class Account(Protocol):
    """What a person has allowed at one source. ``id`` is of one signing in: another may be another account."""

    @property
    def id(self) -> str: ...


class Accounts(Protocol):
    """Where people's accounts are kept. Raises only :class:`SourceError`."""

    async def open(self) -> None:
        """Get ready, so that no question waits for that."""
        ...

    async def of(self, principal: str) -> tuple[Mapping[str, Account], Mapping[str, Said]]:
        """A person's accounts by source, and why one that is there cannot be used; read anew each time."""
        ...

    async def aclose(self) -> None:
        """Release connections; safe to call twice."""
        ...


@record
class OwnSource:
    """A source that is asked by each person's own account. ``open`` makes it for a principal; ``advice``: how to connect one."""

    open: Callable[[str, Account], Source]
    advice: Said


@dataclass(slots=True, eq=False)
class OpenSources:
    """What is open for one person, and how many of their questions use it. ``left``: what the next one no longer uses."""

    sources: Mapping[str, Source]
    ids: Mapping[str, str]
    directories: DirectoryCache
    questions: int = 0
    used_at: float = 0.0
    left: list[Source] = field(default_factory=list)


@record
class Own:
    """What one person can ask by themselves, and by source what they lack for it."""

    sources: Mapping[str, Source]
    directories: DirectoryCache
    missing: Mapping[str, Said]


class People:
    """Nothing is shared between two of them: connections, rates, breakers, names. (Pages are remembered by principal.)

    ``most`` people are kept open, each for ``idle`` seconds after their last question; whoever has been quiet longest
    goes first. ``ttl``: seconds that names are kept.
    """

    def __init__(
        self,
        own: Mapping[str, OwnSource],
        accounts: Accounts,
        *,
        most: int = 200,
        idle: float = 900.0,
        ttl: float = 86400.0,
    ) -> None:
        self._own = own
        self._accounts = accounts
        self._most = most
        self._idle = idle
        self._ttl = ttl
        self._known: OrderedDict[str, OpenSources] = OrderedDict()
        self._breaker = Breaker()
        self._closing: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def prepare(self) -> None:
        """Reach the store; where it fails, questions say so."""
        try:
            await self._accounts.open()
        except SourceError as failure:
            log.warning("accounts", error=failure.code, said=failure.message)

    @asynccontextmanager
    async def of(self, principal: str) -> AsyncIterator[Own]:
        """What somebody can ask, for as long as the context lasts. What they have withdrawn meanwhile is gone."""
        accounts, missing = await self._looked_up(principal)
        person = self._person(principal, accounts)
        person.questions += 1
        try:
            yield Own(person.sources, person.directories, missing)
        finally:
            person.questions -= 1
            person.used_at = asyncio.get_running_loop().time()
            if self._known.get(principal) is not person and not person.questions:
                self._close(person, person.left)
            self._tidy()

    async def aclose(self) -> None:
        """Close everybody's sources and the store; safe to call twice."""
        if self._timer is not None:
            self._timer.cancel()
        while self._known:
            _, person = self._known.popitem()
            self._close(person, person.sources.values())
        await asyncio.gather(*self._closing, return_exceptions=True)
        await self._accounts.aclose()

    def __len__(self) -> int:
        return len(self._known)

    async def _looked_up(self, principal: str) -> tuple[Mapping[str, Account], Mapping[str, Said]]:
        """Somebody's accounts at the sources that want one, and what to do where there is none."""
        try:
            await self._breaker.check()
        except Suspended:
            return {}, dict.fromkeys(self._own, NO_ANSWER)
        try:
            async with asyncio.timeout(PATIENCE):
                found, broken = await self._accounts.of(principal)
        except TimeoutError:
            await self._breaker.failed("timed_out")
            return {}, dict.fromkeys(self._own, NO_ANSWER)
        except SourceError as failure:
            log.warning("accounts", error=failure.code, said=failure.message)
            await self._breaker.failed(failure.code, failure.message)
            return {}, dict.fromkeys(self._own, NOT_READ)
        except BaseException:
            self._breaker.let_go()
            raise
        await self._breaker.worked()
        accounts = {name: account for name, account in found.items() if name in self._own}
        told = {name: broken.get(name, own.advice) for name, own in self._own.items() if name not in accounts}
        return accounts, told

    def _person(self, principal: str, accounts: Mapping[str, Account]) -> OpenSources:
        """What is open for somebody, with what they have now: an account that has changed is opened anew."""
        ids = {name: account.id for name, account in accounts.items()}
        known = self._known.get(principal)
        if known is not None and known.ids == ids:
            self._known.move_to_end(principal)
            return known
        kept = {name: known.sources[name] for name in ids if known.ids.get(name) == ids[name]} if known else {}
        opened = {
            name: kept.get(name) or self._own[name].open(principal, account) for name, account in accounts.items()
        }
        person = self._known[principal] = OpenSources(opened, ids, DirectoryCache(opened, self._ttl))
        self._known.move_to_end(principal)
        if known is not None:
            known.left = [source for name, source in known.sources.items() if name not in kept]
            if not known.questions:
                self._close(known, known.left)
        return person

    def _tidy(self) -> None:
        """Close whoever has been quiet too long, and the quietest where there are too many; look again in time."""
        loop = asyncio.get_running_loop()
        quiet = [name for name, person in self._known.items() if not person.questions]
        for name in quiet:
            old = self._known[name].used_at + self._idle <= loop.time()
            if old or len(self._known) > self._most:
                person = self._known.pop(name)
                self._close(person, person.sources.values())
        if self._known and (self._timer is None or self._timer.when() <= loop.time()):
            self._timer = loop.call_later(self._idle, self._tidy)

    def _close(self, person: OpenSources, sources: Iterable[Source]) -> None:
        task = asyncio.get_running_loop().create_task(_closed(person, tuple(sources)))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


async def _closed(person: OpenSources, sources: tuple[Source, ...]) -> None:
    await person.directories.aclose()
    await asyncio.gather(*(source.aclose() for source in sources))
