"""How commands that wait for the outside world run: with the settings, and until somebody stops them.

Those of the local index show a bar where somebody watches, and say so where questions do not go there.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from orchestrator.surfaces.cli.failures import complain
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator
    from contextlib import AbstractAsyncContextManager

    from connectors.local.ingest import Ingest, IngestProgress
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

T = TypeVar("T")
OpenedT = TypeVar("OpenedT")


def run(work: Callable[[Settings], Coroutine[None, None, T]]) -> T:
    """What ``work`` makes with the settings. Raises :class:`connectors.errors.SourceError` where the outside world fails."""
    import asyncio

    from orchestrator.settings import load_settings

    return asyncio.run(work(load_settings()))


def using(
    opened: Callable[[Settings], AbstractAsyncContextManager[OpenedT]], use: Callable[[OpenedT], Awaitable[T]]
) -> T:
    """What ``use`` makes of what is ``opened`` with the settings and closed afterwards. Raises as :func:`run` does."""

    async def used(settings: Settings) -> T:
        async with opened(settings) as held:
            return await use(held)

    return run(used)


async def note(composition: Composition, action: str, what: str) -> None:
    """Write down what is about to be done. Raises ``OSError`` where it cannot be."""
    import asyncio

    from orchestrator.settings import load_settings

    await asyncio.to_thread(composition.noted, load_settings(), action, what)


async def until_told(work: Coroutine[None, None, T]) -> T | None:
    """What ``work`` ends with; ``None`` where SIGTERM or Ctrl-C ended it: what was begun is put back at once."""
    import asyncio
    import signal

    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        return None


UNSEARCHED = Said(
    "questions do not go to the local index, since your settings say so: index.ask, or enabled of its source"
)


class Watch:
    """A bar on standard error, where somebody watches it."""

    def __init__(self, show: Callable[[int, int], None]) -> None:
        self._show = show

    def files(self, progress: IngestProgress) -> None:
        self._show(progress.done, progress.files)

    def at(self, done: int, of: int) -> None:
        self._show(done, of)


@contextmanager
def bar(what: str) -> Iterator[Watch]:
    """A bar that goes away when the context ends; nothing where nobody looks."""
    from orchestrator.surfaces.cli.screen import errors, is_interactive

    if not is_interactive():
        yield Watch(lambda _done, _of: None)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=errors(), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield Watch(lambda done, of: bar.update(task, completed=done, total=of))


async def embedded(ingest: Ingest) -> int:
    """Meaning for all that has none yet; words find it meanwhile, and whoever stops this loses nothing."""
    from connectors.local.jobs.working import work_off
    from connectors.models import lacks_embedder
    from orchestrator.settings import load_settings
    from storage.loading import installing

    wished = load_settings().index.embedder
    if lacks_embedder(wished):
        complain(
            Said("words find it, and meaning does not: {model} is not installed; {install}").filled(
                model=wished.model, install=installing("meaning")
            )
        )
    with bar("understanding") as watch:
        return await work_off(ingest.index, on_progress=watch.at)


def tell_unsearched(composition: Composition) -> None:
    """A line on standard error where questions do not go to the index though something is in it."""
    from orchestrator.settings import load_settings

    settings = load_settings()
    indexes = [each for each in composition.configured(settings) if each.kind == "local"]
    asked = any(each.enabled for each in indexes) if indexes else settings.index.ask
    if not asked:
        complain(UNSEARCHED)
