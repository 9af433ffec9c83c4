"""The composition root: settings in, a ready engine out. The only module that knows every room.

Rooms are imported where they are used: ``fedsearch --help`` loads no source, no sandbox and no HTTP client.
"""

from __future__ import annotations

import errno
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import accounts_of
from orchestrator.assembly.indexing import ageing_of, page_reader, pulled, worked
from orchestrator.assembly.learning import feedback_figures, keep_tuned, take_back, tuned_ranking
from orchestrator.assembly.logs import log_to_stderr
from orchestrator.assembly.pretending import corpus_of, faults_of, pair_of
from orchestrator.assembly.searching import build_engine, ranking_of
from orchestrator.assembly.serving import api_services
from orchestrator.assembly.sources import configured_of, connecting, every_configured, index_told, powers_of
from orchestrator.assembly.web import build_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime
    from pathlib import Path
    from socket import socket
    from typing import Any

    from connectors.local.ingest import Ingest, IngestProgress, IngestReport, PageCrawler
    from connectors.local.numbers import DocumentRecency
    from orchestrator.access import Connecting, KeyRing, PersonalData, RoleBook, SettledRole
    from orchestrator.digests.service import DigestService as DigestDesk
    from orchestrator.documents.filters import FilterJudgment
    from orchestrator.documents.sources import Configured, SetupTile
    from orchestrator.engine import Engine
    from orchestrator.evaluate import Measurement
    from orchestrator.learning import FeedbackFigures, Tuning
    from orchestrator.model import Answer, Ask, Outcome
    from orchestrator.rank import RankingConfig
    from orchestrator.settings import Layer, Settings
    from orchestrator.surfaces.cli import (
        BrowserSignIn,
        KindPowers,
        SandboxWish,
        Serving,
        TrialWish,
    )
    from orchestrator.websearch import WebSearch


def run() -> None:
    """The ``fedsearch`` command."""
    import atexit
    import gc

    gc.set_threshold(100_000)  # loading makes as many objects, to stay; the default looks for garbage after 700
    # What is there at the end goes with the process: to look through it took a tenth of a second.
    atexit.register(gc.freeze)
    from orchestrator.surfaces.cli import make_cli

    make_cli(Root())(prog_name="fedsearch")


class Root:
    """What the surfaces ask of the composition root; what each method does, its protocol says (:class:`orchestrator.surfaces.cli.Composition`)."""

    def engine(self, settings: Settings) -> Engine:
        """Every configured source behind one question; from here on the log goes to standard error."""
        log_to_stderr(settings.log)
        return build_engine(settings)

    def connecting(self) -> Mapping[str, str]:
        from connectors.registry import source_kinds

        return {kind: connecting(kind) for kind in source_kinds()}

    def powers(self) -> tuple[KindPowers, ...]:
        from connectors.registry import source_kinds

        return tuple(map(powers_of, source_kinds()))

    def setup_tiles(self) -> tuple[SetupTile, ...]:
        from orchestrator.assembly.setting_up import setup_tiles

        return setup_tiles()

    def configured_as(self, name: str, raw: Mapping[str, Any]) -> Configured:
        return configured_of(name, raw)

    async def sign_in(
        self, kinds: tuple[str, ...], client_id: str, client_secret: str, settings: Settings, at: BrowserSignIn
    ) -> str:
        """The refresh token of a person's consent by browser, at the addresses that the settings of the first kind name."""
        from connectors.manifest import Application
        from orchestrator.assembly.setting_up import signed_in

        said = settings.sources.get(kinds[0], {}).get("application", {})
        told = {**said, "client_id": client_id, **({"client_secret": client_secret} if client_secret else {})}
        return await signed_in(kinds, Application.model_validate(told), at)

    def configured(self, settings: Settings) -> tuple[Configured, ...]:
        return every_configured(settings)

    def ageing(self, settings: Settings) -> Mapping[str, DocumentRecency]:
        return ageing_of(settings)

    def ranking(self, settings: Settings) -> RankingConfig:
        return ranking_of(settings)

    def web(self, settings: Settings) -> WebSearch:
        """The public web; from here on the log goes to standard error."""
        log_to_stderr(settings.log)
        return build_web(settings)

    @asynccontextmanager
    async def ingest(self, settings: Settings) -> AsyncIterator[Ingest]:
        from connectors.local.ingest import Ingest
        from connectors.local.store import IndexSettings, open_index

        log_to_stderr(settings.log)
        async with open_index(IndexSettings.model_validate(index_told(settings))) as index:
            yield Ingest(index)

    async def sync(
        self,
        settings: Settings,
        name: str,
        visible_to: tuple[str, ...],
        *,
        whole: bool,
        on_progress: Callable[[IngestProgress], None],
    ) -> IngestReport:
        log_to_stderr(settings.log)
        return await pulled(settings, name, visible_to, whole=whole, on_progress=on_progress)

    def pages(self, settings: Settings) -> AbstractAsyncContextManager[PageCrawler]:
        return page_reader(settings)

    async def work(self, settings: Settings, *, once: bool) -> int:
        """Do the local index's jobs; from here on the log goes to standard error."""
        log_to_stderr(settings.log)
        return await worked(settings, once=once)

    def digests(self, settings: Settings, now: datetime | None = None) -> AbstractAsyncContextManager[DigestDesk]:
        """Digests and saved searches; from here on the log goes to standard error."""
        from orchestrator.assembly.digests import open_digests

        log_to_stderr(settings.log)
        return open_digests(settings, now)

    def feedback(self, settings: Settings) -> FeedbackFigures:
        return feedback_figures(settings)

    def tuned(self, settings: Settings, layers: Sequence[Layer], *, write: bool) -> Tuning:
        tuning = tuned_ranking(settings, layers)
        if write and tuning.better:
            keep_tuned(settings, tuning)
        return tuning

    def untuned(self, settings: Settings) -> bool:
        return take_back(settings)

    def filters_found(
        self, settings: Settings, engine: Engine, ask: Ask, before: Outcome
    ) -> AsyncIterator[FilterJudgment]:
        from orchestrator.assembly.finding import filters_found

        return filters_found(settings, engine, ask, before)

    def key_ring(self, settings: Settings) -> KeyRing:
        """The keys of the HTTP API, in the data folder."""
        from orchestrator.assembly.administration import key_ring

        return key_ring(settings)

    def role_book(self, settings: Settings) -> RoleBook:
        """What people may whom somebody else signs in, in the data folder."""
        from orchestrator.assembly.administration import role_book

        return role_book(settings)

    def settled_roles(self, settings: Settings) -> tuple[SettledRole, ...]:
        from orchestrator.assembly.administration import settled_roles

        return settled_roles(settings)

    def noted(self, settings: Settings, action: str, what: str) -> None:
        """Write down what is about to be done to this installation, in its audit log or beside its data."""
        import asyncio

        from orchestrator.access import NotKept
        from orchestrator.assembly.administration import noted_here

        try:
            asyncio.run(noted_here(settings, action, what))
        except NotKept as failure:
            raise failure.__cause__ or failure from None  # which names the file, to whoever can mend it

    @asynccontextmanager
    async def accounts(self, settings: Settings) -> AsyncIterator[Connecting]:
        tool_services = accounts_of(settings)
        async with tool_services.vault:
            yield tool_services

    def personal_data(self, settings: Settings) -> AbstractAsyncContextManager[PersonalData]:
        """What is kept of people, roles among it."""
        from functools import partial

        from orchestrator.assembly.personal_data import personal_data_of
        from orchestrator.settings import now_in

        return personal_data_of(settings, partial(now_in, settings.locale.timezone), with_roles=True)

    async def evaluate(self, settings: Settings, wish: TrialWish, told: Callable[[str], None]) -> Measurement:
        from orchestrator.surfaces.cli import BadInput
        from orchestrator.trial import BadTrial, run_trial

        log_to_stderr(settings.log)
        mapping = dict(pair_of("--map", typed) for typed in wish.mapping)
        try:
            return await run_trial(settings, wish, mapping, partial(build_engine, rated=False), told)
        except BadTrial as failure:
            raise BadInput(str(failure)) from None

    async def serve_mcp(self, settings: Settings) -> None:
        from storage.loading import load

        await load("mcp")  # before what it wants besides, so that whoever lacks it is told of the extra that brings all
        from orchestrator.access import SCOPES, Caller
        from orchestrator.model import Principal
        from orchestrator.surfaces.mcp import ToolServices, make_server

        log_to_stderr(settings.log)
        services = api_services(settings, None)

        async def answered(ask: Ask, answer: Answer) -> None:
            await services.audit.asked(ask, answer, "stdio")

        async with build_engine(settings) as engine, build_web(settings) as web:
            tool_services = ToolServices(
                engine=lambda: engine,
                web=lambda: web,
                conversations=services.conversations,
                caller=lambda _: Caller(Principal(), frozenset(SCOPES)),
                clock=services.clock,
                answered=answered,
                budget=settings.search.budget,
                version=services.version,
            )
            await make_server(tool_services).run_stdio_async()

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
        from orchestrator.assembly.processes import serve_here, serve_in_processes

        log_to_stderr(settings.log)
        keys = self.key_ring(settings) if authenticated else None

        def opened() -> tuple[socket, ...]:
            from orchestrator.surfaces.cli.composition import BadInput, NotStarted
            from orchestrator.surfaces.cli.failures import unopened
            from orchestrator.surfaces.http.prefork import address_of, doors

            try:
                found = doors(host, port, processes)
            except OSError as failure:
                kind = NotStarted if failure.errno == errno.EADDRINUSE else BadInput
                raise kind(unopened(host, port, failure)) from None
            listening(address_of(found[0]))
            return found

        serving = serve_here if processes == 1 else serve_in_processes
        return serving(settings, opened, keys, code)

    def bot_manifest(self, settings: Settings, name: str, command: str, address: str) -> Mapping[str, Any]:
        """What Slack takes to make the bot's app. Raises :class:`Misconfigured` where it must be reached, and nothing says how."""
        from orchestrator.assembly.bot import manifest_of

        return manifest_of(settings, name, command, address)

    async def back_up(self, settings: Settings, file: Path) -> tuple[str, ...]:
        from orchestrator.assembly.safekeeping import back_up

        return await back_up(settings, file)

    async def bring_back(self, settings: Settings, file: Path) -> tuple[str, ...]:
        from orchestrator.assembly.safekeeping import bring_back

        return await bring_back(settings, file)

    async def upgrade(self, settings: Settings, file: Path) -> tuple[str, ...]:
        from orchestrator.assembly.safekeeping import upgrade

        return await upgrade(settings, file)

    async def roll_back(self, settings: Settings, file: Path, aside: Path) -> tuple[str, ...]:
        from orchestrator.assembly.safekeeping import roll_back

        return await roll_back(settings, file, aside)

    async def run_bot(self, settings: Settings, host: str, port: int, listening: Callable[[str], None]) -> None:
        from orchestrator.assembly.bot import ran_bot

        log_to_stderr(settings.log)
        await ran_bot(settings, host, port, listening)

    @asynccontextmanager
    async def sandbox(self, wish: SandboxWish) -> AsyncIterator[Serving]:
        """The sandbox over the wished corpus, listening on 127.0.0.1 until the context ends."""
        import asyncio

        from orchestrator.sandbox import Sandbox
        from orchestrator.surfaces.cli import BadInput, Served, Serving

        corpus, faults = await asyncio.to_thread(corpus_of, wish), faults_of(wish.faults)
        async with AsyncExitStack() as stack:
            try:
                sandbox = Sandbox(corpus, sources=wish.sources or None, faults=faults, port=wish.port, now=wish.now)
                await stack.enter_async_context(sandbox)
            except (ValueError, OSError) as failure:
                raise BadInput((isinstance(failure, OSError) and failure.strerror) or str(failure)) from None
            served = (
                Served(name, at.base_url, at.token, len(corpus.of(name))) for name, at in sandbox.endpoints.items()
            )
            yield Serving(tuple(served), corpus.unserved, sandbox.absent, corpus.repeated, corpus.newest)
