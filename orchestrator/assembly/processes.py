"""A server in one process or in several: what these share, and what only the first of them does."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from orchestrator.assembly.digests import digests_beside
from orchestrator.assembly.indexing import worker_beside
from orchestrator.assembly.searching import build_engine, nursery_of
from orchestrator.assembly.serving import api_services
from orchestrator.process import keep_what_is_there
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from socket import socket

    from orchestrator.access import KeyRing
    from orchestrator.settings import Settings
    from orchestrator.surfaces.http.prefork import Beginning, Readiness

LEDGER = "ledger"


@record
class ServerProcess:
    """One process of several. ``branch``: the way to what its thinking processes are split off from; ``folder``: what all share;

    ``life``: closes when whoever split it off has ended. ``code``: lets the first person in.
    """

    number: int
    readiness: Readiness
    branch: socket | None
    folder: Path
    life: int
    code: str = ""

    @property
    def is_first(self) -> bool:
        """The first does what is done once: the jobs of the index, and schedules."""
        return self.number == 0


def serve_here(
    settings: Settings, opened: Callable[[], tuple[socket, ...]], keys: KeyRing | None, code: str = ""
) -> bool:
    """Answer in this process until told to stop. Raises what ``opened``, which listens, does, and what keeps it from starting."""
    from orchestrator.surfaces.http import make_api, serve

    (door,) = opened()
    services = replace(api_services(settings, keys, code=code), beside=lambda: worker_beside(settings))
    asyncio.run(serve(make_api(services), door))
    return True


def serve_in_processes(
    settings: Settings, opened: Callable[[], tuple[socket, ...]], keys: KeyRing | None, code: str = ""
) -> bool:
    """Answer in a process for each door until told to stop; whether all went well. Raises what ``opened`` does, and :class:`Misconfigured`.

    They are split off from this one, which has loaded what they need, so that they hold it once.
    """
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="fedsearch-") as name:
        folder = Path(name)
        _count_together(folder)
        doors = opened()
        from prometheus_client.multiprocess import mark_process_dead

        from orchestrator.surfaces.http.prefork import Readiness, ServerProcesses

        shared, nursery = _sharing(settings, folder, len(doors)), nursery_of(settings)
        _load(settings)
        board = Readiness.of(len(doors))
        processes: ServerProcesses

        def server(readiness: Readiness, number: int) -> Beginning:
            @contextmanager
            def beginning() -> Iterator[Callable[[], None]]:
                with nursery.branch() if nursery else nullcontext() as branch:
                    own = ServerProcess(number, readiness, branch, folder, processes.life, code)
                    yield lambda: asyncio.run(_serve(shared, doors, keys, own))

            return beginning

        @contextmanager
        def store() -> Iterator[Callable[[], None]]:
            yield lambda: asyncio.run(_keep(folder, processes.life))

        servers = [server(readiness, number) for number, readiness in enumerate(board)]
        keep_what_is_there()
        processes = ServerProcesses(servers, board, store, partial(mark_process_dead, path=name))
        try:
            return processes.run(doors)
        finally:
            if nursery is not None:
                nursery.close()


def _count_together(folder: Path) -> None:
    """Where prometheus-client keeps what several processes count; it reads this when it is first imported."""
    import os

    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def _sharing(settings: Settings, folder: Path, sharers: int) -> Settings:
    """With a store that the processes share, where no other is configured."""
    from pydantic import SecretStr

    from orchestrator.gather import near_ledger

    if settings.shared.uri.get_secret_value():
        return settings
    near = settings.shared.model_copy(update={"uri": SecretStr(near_ledger.near_uri(folder / LEDGER, sharers))})
    return settings.model_copy(update={"shared": near})


def _load(settings: Settings) -> None:
    """What every process needs: modules, words, messages; nothing that opens a connection or begins a thread."""
    import orchestrator.surfaces.mcp
    import orchestrator.surfaces.page  # noqa: F401
    from connectors.models.embedding_local import LocalEmbedder
    from orchestrator.assembly.searching import glossaries_of, meaning_of
    from orchestrator.assembly.sources import sources_of
    from orchestrator.surfaces.http import make_api
    from orchestrator.understand import load_lexicon, warm
    from translators.said import load_catalogues

    make_api(api_services(settings, None))
    list(sources_of(settings))
    load_catalogues()
    load_lexicon(glossaries=glossaries_of(settings))
    if not settings.thinking.processes:
        warm()
    if settings.ranking.semantic != "off" and isinstance(embedder := meaning_of(settings), LocalEmbedder):
        embedder.load_here()


async def _serve(settings: Settings, doors: tuple[socket, ...], keys: KeyRing | None, own: ServerProcess) -> None:
    from orchestrator.surfaces.http import make_api, serve
    from orchestrator.surfaces.http.prefork import end_with

    door = doors[own.number]
    for each in {*doors} - {door}:
        each.close()
    end_with(own.life)
    quiet = settings.model_copy(update={"scheduled": settings.scheduled.model_copy(update={"worker": False})})
    services = replace(
        api_services(settings, keys, code=own.code),
        open_engine=lambda: build_engine(settings, apart=True, branch=own.branch),
        digests=partial(digests_beside, settings if own.is_first else quiet),
        beside=(lambda: worker_beside(settings)) if own.is_first else nullcontext,
        readiness=own.readiness,
        counted=own.folder,
    )
    await serve(make_api(services), door)


async def _keep(folder: Path, life: int) -> None:
    """What the processes share, kept by one of their own."""
    import signal

    from orchestrator.gather.near_ledger import LedgerBook, keep_book
    from orchestrator.surfaces.http.prefork import end_with

    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    loop.add_signal_handler(signal.SIGINT, lambda: None)  # of a terminal, meant for the server as a whole
    end_with(life)
    async with await keep_book(str(folder / LEDGER), LedgerBook()):
        await ended.wait()
