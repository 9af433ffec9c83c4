"""``fedsearch index``: put folders, mailboxes and exports into the local index, keep them up to date, take them out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from orchestrator.surfaces.cli import index_jobs
from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.index_jobs import MINE, VisibleTo, WordsOnly, check_readers
from orchestrator.surfaces.cli.index_running import bar, embedded, with_index
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time

if TYPE_CHECKING:
    from connectors.local.ingest import Ingest, Report
    from orchestrator.surfaces.cli.composition import Composition

Paths = Annotated[list[Path], typer.Argument(help="Folders, documents, mailboxes or exports.", show_default=False)]
Name = Annotated[str, typer.Option(help="What it is called in the index (default: like the file or folder).")]
Names = Annotated[list[str], typer.Argument(help="Names, as `fedsearch index list` shows them.", show_default=False)]
Description = Annotated[str, typer.Option(help="What these documents are for.", metavar="TEXT")]
Examples = Annotated[
    list[str] | None,
    typer.Option("--example", help="A question that they answer; may be repeated.", metavar="TEXT"),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", help="Leave out files of this name or path, such as '*.log'; may be repeated."),
]
LONGEST_NAME = 100


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    index = typer.Typer(
        no_args_is_help=True,
        help="The local index: add, sync, embed, work, list, stats, remove.",
        rich_markup_mode=None,
    )
    app.add_typer(index, name="index")
    for register in (_add_add, index_jobs.add, _add_list, _add_stats, _add_remove):
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
        check_readers(told[0])
        given = [Given(path, _named(name or path.resolve().name), *told) for path in paths]
        if len({each.name for each in given}) < len(given):
            raise BadInput("two of these would have the same name; add them one by one, each with --name")

        async def added(ingest: Ingest) -> list[Report]:
            with bar("reading") as watch:
                reports = [await ingest.add(each, watch.files) for each in given]
            if not words_only:
                await embedded(ingest)
            return reports

        reports = with_index(composition, added)
        if reports is None:
            return Exit.NO_SOURCES
        print_reports(reports, as_json=as_json)
        return Exit.FOUND if any(each.files > len(each.skipped) or each.same for each in reports) else Exit.NOTHING


def _add_list(app: typer.Typer, composition: Composition) -> None:
    @app.command("list")
    @guarded
    def list_collections(*, as_json: AsJson = False) -> int:
        """Show what has been added."""
        from orchestrator.surfaces.cli.index_view import print_collections

        found = with_index(composition, lambda ingest: ingest.collections())
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

        async def counted(ingest: Ingest) -> dict[str, Any]:
            from connectors.local.jobs.queue import Queue

            return {**asdict(await ingest.index.stats()), "jobs": await Queue(ingest.index.database).counts()}

        found = with_index(composition, counted)
        if found is None:
            return Exit.NO_SOURCES
        print_stats(found, as_json=as_json)
        return Exit.FOUND


def _add_remove(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def remove(names: Names) -> int:
        """Take collections out of the index; their files stay where they are."""

        async def removed(ingest: Ingest) -> dict[str, int | None]:
            return {name: await ingest.remove(name) for name in names}

        told = with_index(composition, removed)
        if told is None:
            return Exit.NO_SOURCES
        for name, count in told.items():
            if count is None:
                complain(f"nothing in the index is called {name!r}; `fedsearch index list` shows what there is")
            else:
                typer.echo(f"{name}: {count} documents removed", err=True)
        return Exit.FOUND if all(count is not None for count in told.values()) else Exit.NOTHING


def _named(name: str) -> str:
    from orchestrator.documents.plain import one_line

    plain = one_line(name)[:LONGEST_NAME]
    if not plain:
        raise BadInput("--name must have a letter; it is what the index calls these documents")
    return plain
