"""``fedsearch index``: put folders, mailboxes and exports into the local index, keep them up to date, take them out."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    from connectors.local.ingest import Ingest, Progress, Report
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

T = TypeVar("T")

Paths = Annotated[list[Path], typer.Argument(help="Folders, documents, mailboxes or exports.", show_default=False)]
Name = Annotated[str, typer.Option(help="What it is called in the index (default: like the file or folder).")]
Names = Annotated[list[str], typer.Argument(help="Names, as `fedsearch index list` shows them.", show_default=False)]
VisibleTo = Annotated[
    list[str] | None,
    typer.Option(
        "--visible-to",
        help="Who finds it: public, user:NAME or group:NAME (default: user:local, which is you); may be repeated.",
        metavar="WHO",
    ),
]
Description = Annotated[str, typer.Option(help="What these documents are for.", metavar="TEXT")]
Examples = Annotated[
    list[str] | None,
    typer.Option("--example", help="A question that they answer; may be repeated.", metavar="TEXT"),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", help="Leave out files of this name or path, such as '*.log'; may be repeated."),
]
Source = Annotated[
    str, typer.Argument(help="A configured source, as `fedsearch sources` shows it.", show_default=False)
]
Whole = Annotated[
    bool, typer.Option("--whole", help="Read everything again, and remove what the source no longer shows.")
]
WordsOnly = Annotated[
    bool, typer.Option("--words-only", help="Leave meaning for later (`fedsearch index embed`); words find it at once.")
]
MINE = "user:local"
LONGEST_NAME = 100


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    index = typer.Typer(
        no_args_is_help=True, help="The local index: add, sync, embed, list, stats, remove.", rich_markup_mode=None
    )
    app.add_typer(index, name="index")
    for register in (_add_add, _add_sync, _add_embed, _add_list, _add_stats, _add_remove):
        register(index, composition)


def _add_add(app: typer.Typer, composition: Composition) -> None:
    @app.command("add")
    @guarded
    def add_paths(
        paths: Paths,
        *,
        name: Name = "",
        visible_to: VisibleTo = None,
        description: Description = "",
        example: Examples = None,
        ignore: Ignore = None,
        words_only: WordsOnly = False,
        as_json: AsJson = False,
    ) -> int:
        """Add folders and files, or bring them up to date: what is new or changed is read, what is gone is removed."""
        from connectors.local.ingest import Given
        from orchestrator.surfaces.cli.index_view import print_reports

        if name and len(paths) > 1:
            raise BadInput("--name names one folder or file; add the others by themselves")
        told = (tuple(visible_to or (MINE,)), description, tuple(example or ()), tuple(ignore or ()))
        _check_readers(told[0])
        given = [Given(path, _named(name or path.resolve().name), *told) for path in paths]
        if len({each.name for each in given}) < len(given):
            raise BadInput("two of these would have the same name; add them one by one, each with --name")

        async def added(ingest: Ingest) -> list[Report]:
            with _bar("reading") as watch:
                reports = [await ingest.add(each, watch.files) for each in given]
            if not words_only:
                await _embedded(ingest)
            return reports

        reports = _with_index(composition, added)
        if reports is None:
            return Exit.NO_SOURCES
        print_reports(reports, as_json=as_json)
        return Exit.FOUND if any(each.files > len(each.skipped) or each.same for each in reports) else Exit.NOTHING


def _add_sync(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def sync(source: Source, *, visible_to: VisibleTo = None, whole: Whole = False, as_json: AsJson = False) -> int:
        """Pull what a configured source lets others keep into the index: what has changed since the last time."""
        from orchestrator.surfaces.cli.index_view import print_reports

        readers = tuple(visible_to or (MINE,))
        _check_readers(readers)

        async def pulled(settings: Settings) -> Report:
            with _bar("reading") as watch:
                return await composition.sync(settings, source, readers, whole=whole, on_progress=watch.files)

        report = _run(pulled)
        if report is None:
            return Exit.NO_SOURCES
        print_reports([report], as_json=as_json)
        return Exit.FOUND


def _add_embed(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def embed() -> int:
        """Work out the meaning of what is found by words only so far; can be stopped at any time and goes on later."""
        done = _with_index(composition, _embedded)
        if done is None:
            return Exit.NO_SOURCES
        typer.echo(f"{done} parts embedded", err=True)
        return Exit.FOUND


def _add_list(app: typer.Typer, composition: Composition) -> None:
    @app.command("list")
    @guarded
    def list_collections(*, as_json: AsJson = False) -> int:
        """Show what has been added."""
        from orchestrator.surfaces.cli.index_view import print_collections

        found = _with_index(composition, lambda ingest: ingest.collections())
        if found is None:
            return Exit.NO_SOURCES
        print_collections(found, as_json=as_json)
        return Exit.FOUND if found else Exit.NOTHING


def _add_stats(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def stats(*, as_json: AsJson = False) -> int:
        """Show how much is in the index."""
        from orchestrator.surfaces.cli.index_view import print_stats

        found = _with_index(composition, lambda ingest: ingest.index.stats())
        if found is None:
            return Exit.NO_SOURCES
        print_stats(asdict(found), as_json=as_json)
        return Exit.FOUND


def _add_remove(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def remove(names: Names) -> int:
        """Take collections out of the index; their files stay where they are."""

        async def removed(ingest: Ingest) -> dict[str, int | None]:
            return {name: await ingest.remove(name) for name in names}

        told = _with_index(composition, removed)
        if told is None:
            return Exit.NO_SOURCES
        for name, count in told.items():
            if count is None:
                complain(f"nothing in the index is called {name!r}; `fedsearch index list` shows what there is")
            else:
                typer.echo(f"{name}: {count} documents removed", err=True)
        return Exit.FOUND if all(count is not None for count in told.values()) else Exit.NOTHING


class _Watch:
    """A bar on standard error, where somebody watches it."""

    def __init__(self, show: Callable[[int, int], None]) -> None:
        self._show = show
        self._done = 0

    def files(self, progress: Progress) -> None:
        self._show(progress.done, progress.files)

    def more(self, count: int, of: int) -> None:
        self._done += count
        self._show(self._done, of)


@contextmanager
def _bar(what: str) -> Iterator[_Watch]:
    from orchestrator.surfaces.cli.screen import errors, is_interactive

    if not is_interactive():
        yield _Watch(lambda _done, _of: None)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=errors(), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield _Watch(lambda done, of: bar.update(task, completed=done, total=of))


async def _embedded(ingest: Ingest) -> int:
    """Meaning for all that has none yet; words find it meanwhile, and whoever stops this loses nothing."""
    known = await ingest.index.stats()
    if not known.model or known.embedded >= known.chunks:
        return 0
    with _bar("understanding") as watch:
        return await ingest.index.embed_waiting(
            on_progress=lambda count: watch.more(count, known.chunks - known.embedded)
        )


def _with_index(composition: Composition, use: Callable[[Ingest], Awaitable[T]]) -> T | None:
    """What ``use`` makes of the index; ``None``, and a line on standard error, where its database does not answer."""

    async def used(settings: Settings) -> T:
        async with composition.ingest(settings) as ingest:
            return await use(ingest)

    return _run(used)


def _run(work: Callable[[Settings], Coroutine[None, None, T]]) -> T | None:
    import asyncio

    from connectors.errors import Misconfigured, SourceError
    from orchestrator.settings import load_settings

    try:
        return asyncio.run(work(load_settings()))
    except Misconfigured:
        raise
    except SourceError as failure:
        complain(failure.message)
        return None


def _named(name: str) -> str:
    from orchestrator.surfaces.cli.plain import one_line

    plain = one_line(name)[:LONGEST_NAME]
    if not plain:
        raise BadInput("--name must have a letter; it is what the index calls these documents")
    return plain


def _check_readers(readers: tuple[str, ...]) -> None:
    for each in readers:
        who, colon, name = each.partition(":")
        if not (each == "public" or (who in {"user", "group"} and colon and name.strip())):
            raise BadInput(f"--visible-to {each!r} is nobody; write public, user:NAME or group:NAME")
