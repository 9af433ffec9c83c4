"""The emulators of a corpus on loopback ports: opened, struck by faults, asked, and served until told to stop."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from types import MappingProxyType, TracebackType
from typing import Self, cast
from zoneinfo import ZoneInfo

from aiohttp import web

from orchestrator.sandbox.corpus import DOMAIN, SOURCES, Corpus, Person
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.service import NotServed, Program, RequestRecord, Service
from orchestrator.sandbox.wire import Emulator, Situation


def emulator(source: str, situation: Situation, token: str | None) -> Emulator | Program:
    """Build the emulator of a source over its rows. CPU-bound (it indexes), so call it in a thread.

    Raises `NotServed` where this machine lacks the program that it is.
    """
    if source not in SOURCES:
        raise ValueError(f"there is no emulator for {source!r}: choose from {', '.join(SOURCES)}")
    return cast("Emulator | Program", import_module(f".{source}", __package__).EMULATOR(situation, token))


HOST = "127.0.0.1"
KEPT_REQUESTS = 10_000
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where one source is served: the base URL and token that the vendor's client takes."""

    source: str
    base_url: str
    token: str = field(repr=False)


class Sandbox:
    """A pretend workplace, to be used with `async with`.

    `sources`: those the corpus has rows for, unless named. `port`: 0 takes ports from the system, N takes N, N+1, … in
    the order of the sources. `tokens` replaces the main token of a source. `now` fixes the time for relative dates.
    `owner` (id, handle or address) says whose tokens these are: unless named, who is on most mails, else the first person. `timezone` is the
    owner's, in which Slack's days begin. Raises `ValueError` for an unknown source or owner, `OSError` for a taken port.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        sources: Iterable[str] | None = None,
        faults: Mapping[str, Fault] = MappingProxyType({}),
        port: int = 0,
        tokens: Mapping[str, str] | None = None,
        now: datetime | None = None,
        timezone: str = "Asia/Seoul",
        owner: str | None = None,
    ) -> None:
        self._sources = _chosen(sources, corpus)
        self._faults = {_known(source): fault for source, fault in faults.items()}
        self._tokens = {_known(source): token for source, token in (tokens or {}).items()}
        self._port = port
        self._corpus, self._owner = corpus, _owner(corpus, owner)
        self._now, self._timezone = _clock(now), timezone
        self._records: deque[RequestRecord] = deque(maxlen=KEPT_REQUESTS)
        self._named = sources is not None
        self._emulators: dict[str, Emulator | Program] = {}
        self._services: dict[str, Service | Program] = {}
        self._absent: dict[str, str] = {}
        self._endpoints: dict[str, Endpoint] = {}
        self._closing = asyncio.Event()
        self._stack = AsyncExitStack()

    @property
    def endpoints(self) -> Mapping[str, Endpoint]:
        """Where each served source is to be found."""
        return MappingProxyType(self._endpoints)

    @property
    def absent(self) -> Mapping[str, str]:
        """Sources that the corpus has rows for and this machine cannot serve, each with the reason."""
        return MappingProxyType(self._absent)

    @property
    def requests(self) -> Sequence[RequestRecord]:
        """The latest requests, oldest first."""
        return tuple(self._records)

    def set_fault(self, source: str, fault: Fault | None) -> None:
        """Change how a source misbehaves, from the next request on; its count of requests starts anew."""
        if fault is None:
            self._faults.pop(_known(source), None)
        else:
            self._faults[_known(source)] = fault
        if source in self._services:
            self._services[source].strike(fault)

    def origins(self, source: str) -> Mapping[str, str]:
        """The corpus id behind each native id, key and URL that a served source gives out."""
        if source not in self._emulators:
            raise ValueError(f"{source!r} is not served; served are: {', '.join(self._emulators) or 'none'}")
        return self._emulators[source].origins()

    async def __aenter__(self) -> Self:
        self._closing.clear()
        async with AsyncExitStack() as opened:
            opened.callback(self._forget)
            pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="sandbox")
            opened.callback(pool.shutdown, wait=False)
            for place, source in enumerate(self._sources):
                await self._open(source, self._port + place if self._port else 0, pool, opened)
            self._stack = opened.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        await self._stack.aclose()

    def _emulator(self, source: str) -> Emulator | Program:
        """Build one emulator; it reads the zone's file and indexes the rows, so it runs in the pool."""
        situation = Situation(self._corpus, self._owner, self._now, ZoneInfo(self._timezone))
        return emulator(source, situation, self._tokens.get(source))

    def _forget(self) -> None:
        self._services.clear()
        self._endpoints.clear()

    async def _open(self, source: str, port: int, pool: ThreadPoolExecutor, opened: AsyncExitStack) -> None:
        loop = asyncio.get_running_loop()
        try:
            served = await loop.run_in_executor(pool, self._emulator, source)
        except NotServed as reason:
            if self._named:
                raise ValueError(f"{source} cannot be served here: {reason}") from reason
            self._absent[source] = str(reason)
            return
        if isinstance(served, Program):
            await self._start(served, port, opened)
            return
        service = Service(served, pool, self._closing, self._records.append)
        service.strike(self._faults.get(source))
        runner = web.ServerRunner(service.server(), shutdown_timeout=0.2)
        await runner.setup()
        opened.push_async_callback(runner.cleanup)
        taken = await _listen(runner, port, source)
        self._emulators[source], self._services[source] = served, service
        self._endpoints[source] = Endpoint(source, f"http://{HOST}:{taken}{served.base_path}", served.tokens[0])

    async def _start(self, program: Program, port: int, opened: AsyncExitStack) -> None:
        source = program.source
        program.strike(self._faults.get(source))
        try:
            address = await opened.enter_async_context(program.serve(port, self._records.append))
        except OSError as error:
            raise _not_listening(error, port, source) from error
        self._emulators[source] = self._services[source] = program
        self._endpoints[source] = Endpoint(source, address, program.tokens[0])


async def _listen(runner: web.ServerRunner, port: int, source: str) -> int:
    """Start listening; the port that was taken."""
    try:
        await web.TCPSite(runner, HOST, port).start()
    except OSError as error:
        raise _not_listening(error, port, source) from error
    taken: int = runner.addresses[0][1]
    return taken


def _not_listening(error: OSError, port: int, source: str) -> OSError:
    if error.errno is None:  # it says itself what is wrong
        return error
    hint = f"cannot listen on {HOST}:{port} for {source}; choose another port, or 0 for any free one"
    return OSError(error.errno, hint)


def _known(source: str) -> str:
    if source not in SOURCES:
        raise ValueError(f"there is no emulator for {source!r}: choose from {', '.join(SOURCES)}")
    return source


def _chosen(sources: Iterable[str] | None, corpus: Corpus) -> Sequence[str]:
    wanted = corpus.rows.keys() if sources is None else {_known(source) for source in sources}
    return tuple(source for source in SOURCES if source in wanted)


def _clock(now: datetime | None) -> Callable[[], datetime]:
    if now is None:
        return lambda: datetime.now(UTC)
    fixed = now if now.tzinfo else now.replace(tzinfo=UTC)
    return lambda: fixed


def _owner(corpus: Corpus, name: str | None) -> Person:
    if name is None:
        nobody = Person(id="U0SANDBOX", name="Sandbox Owner", handle="sandbox", email=f"sandbox@{DOMAIN}")
        return _mailbox_owner(corpus) or next(iter(corpus.people), nobody)
    person = corpus.people.find(name)
    if person is None:
        raise ValueError(f"there is nobody called {name!r} in the corpus; give an id, a handle or a mail address")
    return person


def _mailbox_owner(corpus: Corpus) -> Person | None:
    """Who is on most of the mails: a mailbox is somebody's. The earlier in the directory if several are."""
    people = corpus.people
    mails = (*corpus.of("gmail"), *corpus.of("imap"))
    on = Counter(
        name for row in mails for name in {row.author, *row.listed("to"), *row.listed("cc")} if people.find(name)
    )
    order = {person.id: place for place, person in enumerate(people)}
    return people.find(min(on, key=lambda name: (-on[name], order.get(name, 0)), default=None))


async def serve(
    corpus: Corpus,
    *,
    announce: Callable[[Sandbox], None],
    stop: asyncio.Event,
    faults: Mapping[str, Fault] = MappingProxyType({}),
    port: int = 0,
    sources: Iterable[str] | None = None,
) -> None:
    """Open the sandbox, call `announce` once it listens, wait for `stop`, and close everything again."""
    async with Sandbox(corpus, sources=sources, faults=faults, port=port) as sandbox:
        announce(sandbox)
        await stop.wait()
