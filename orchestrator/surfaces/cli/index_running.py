"""How the commands of the local index run: with its database, a bar where somebody watches, and a word where it fails."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from orchestrator.surfaces.cli.failures import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connectors.local.ingest import Ingest, IngestProgress
    from orchestrator.surfaces.cli.composition import Composition

T = TypeVar("T")

UNSEARCHED = "questions do not go to the local index, since your settings say so: index.ask, or enabled of its source"


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
    from storage.extras import installing

    wished = load_settings().index.embedder
    if lacks_embedder(wished):
        complain(f"words find it, and meaning does not: {wished.model} is not installed; {installing('meaning')}")
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
