"""A worker of the index: embeds by its model what has no vector yet, and pulls sources where it is told how."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from connectors.local.jobs.queue import EMBED, SYNC, IndexQueue, queue_of
from storage.jobs import working as jobs
from storage.jobs.queue import PAUSE
from storage.jobs.working import DEFAULT_PACE, Duty, Pace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from connectors.local.ingest.report import IngestReport
    from connectors.local.store import IndexStore


class Pull(Protocol):
    """Brings the index to what a source shows. Raises :class:`connectors.errors.SourceError`."""

    def __call__(self, source: str, visible_to: tuple[str, ...], *, whole: bool) -> Awaitable[IngestReport]: ...


def duties_of(index: IndexStore, pull: Pull | None) -> jobs.Duties:
    """What a worker can do: embed by its own model, and pull sources where it is told how."""
    duties: dict[str, Duty] = {}
    if index.embedder is not None:

        async def embed(lane: int) -> None:
            await index.embed_waiting(lane=lane)

        duties[EMBED] = Duty(embed, queue_of(index.embedder.name))
    if pull is not None:

        async def sync(source: str, visible_to: Sequence[str], whole: bool) -> IngestReport:  # noqa: FBT001 — as it is stored
            return await pull(source, tuple(visible_to), whole=whole)

        duties[SYNC] = Duty(sync, SYNC)
    return duties


async def work_for_index(index: IndexStore, pull: Pull | None = None, pace: Pace = DEFAULT_PACE) -> None:
    """Work until cancelled, as :func:`storage.jobs.working.work` does, first at what waits for the model in use."""
    await jobs.work(index.database, duties_of(index, pull), pace, lambda: _catch_up(index))


def index_worker(
    index: IndexStore, pull: Pull | None = None, pace: Pace = DEFAULT_PACE
) -> AbstractAsyncContextManager[asyncio.Task[None]]:
    """A worker beside whatever else this process does, for as long as the context lasts."""
    return jobs.working(index.database, duties_of(index, pull), pace, lambda: _catch_up(index))


async def work_off(
    index: IndexStore,
    pull: Pull | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _of: None,
    pace: Pace = DEFAULT_PACE,
) -> int:
    """Work until no job waits, here or elsewhere, and every chunk has its vector; how many got one meanwhile.

    A source that went wrong and is tried again later is not waited for. ``on_progress`` hears how many have a vector, and
    how many will. Raises the :class:`SourceError` that an attempt at embedding ended with: waiting longer would help
    nobody, and the next worker tries again.
    """
    queue, waited = IndexQueue(index.database), {name: duty.queue for name, duty in duties_of(index, pull).items()}
    due = [waited.pop(SYNC)] if SYNC in waited else []
    since = await queue.now()
    first = await index.stats()
    await _catch_up(index)
    async with index_worker(index, pull, pace) as worker:
        while True:
            if worker.done():
                worker.result()  # what it failed by: nobody would do what waits
            left = await queue.left(list(waited.values()), due)
            if failed := await queue.failed_since(since, EMBED):
                failed.raised()
            if not left:
                break
            if first.waiting:
                on_progress(first.waiting - (await index.stats()).waiting, first.waiting)
            await asyncio.sleep(PAUSE)
    return first.waiting - (await index.stats()).waiting


async def _catch_up(index: IndexStore) -> None:
    """A job for what has no vector of the model in use, whoever put it there."""
    if index.embedder is not None and (await index.stats()).waiting:
        await IndexQueue(index.database).embed(index.embedder.name)
