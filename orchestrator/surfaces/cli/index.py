"""``fedsearch index``: put folders, mailboxes and exports into the local index, keep them up to date, take them out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import typer

from orchestrator.surfaces.cli import index_groups, index_jobs
from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.index_jobs import MINE, VisibleTo, WordsOnly, check_readers
from orchestrator.surfaces.cli.index_running import bar, embedded, tell_unsearched
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.running import using

if TYPE_CHECKING:
    from connectors.local.ingest import ExampleQuestion, Given, GivenPages, Ingest, IngestReport
    from orchestrator.surfaces.cli.composition import Composition

Paths = Annotated[
    list[str],
    typer.Argument(
        help="Folders, documents, mailboxes or exports; addresses of web pages.",
        metavar="PATH|URL...",
        show_default=False,
    ),
]
Name = Annotated[str, typer.Option(help="What it is called in the index (default: like the file, folder or site).")]
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
        help="The local index: add, sync, embed, work, list, stats, remove, group.",
        rich_markup_mode=None,
    )
    app.add_typer(index, name="index")
    for register in (_add_add, index_jobs.add, _add_list, _add_stats, _add_remove, index_groups.add):
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
        """Add folders, files and web pages, or bring them up to date: what is new or changed is read, what is gone is removed."""
        told = _Told(tuple(visible_to or (MINE,)), description, tuple(example or ()), tuple(ignore or ()))
        check_readers(told.visible_to)
        return _added(composition, _given(paths, name, told), words_only=words_only, as_json=as_json)


def add_folder(composition: Composition, path: str) -> int:
    """Add one folder or file for whoever asks at this command line; the exit code."""
    return _added(composition, _given([path], "", _Told((MINE,), "", (), ())), words_only=False, as_json=False)


def _added(
    composition: Composition, given: tuple[list[Given], list[GivenPages]], *, words_only: bool, as_json: bool
) -> int:
    from orchestrator.settings import load_settings
    from orchestrator.surfaces.cli.index_view import print_reports

    folders, pages = given

    async def added(ingest: Ingest) -> tuple[list[IngestReport], ExampleQuestion | None]:
        from connectors.local.ingest import example_of

        with bar("reading") as watch:
            reports = [await ingest.add(each, watch.files) for each in folders]
            if pages:
                async with composition.pages(load_settings()) as read:
                    reports += [await ingest.add_pages(each, read, watch.files) for each in pages]
        if not words_only:
            await embedded(ingest)
        return reports, await example_of(ingest.index, [each.name for each in reports], MINE)

    done = using(composition.ingest, added)
    reports, example = done
    print_reports(reports, example, as_json=as_json)
    tell_unsearched(composition)
    return Exit.FOUND if any(each.read or each.same for each in reports) else Exit.NOTHING


def _add_list(app: typer.Typer, composition: Composition) -> None:
    @app.command("list")
    @guarded
    def list_collections(*, as_json: AsJson = False) -> int:
        """Show what has been added."""
        from orchestrator.surfaces.cli.index_view import print_collections

        found = using(composition.ingest, lambda ingest: ingest.collections())
        print_collections(found, as_json=as_json)
        return Exit.FOUND if found else Exit.NOTHING


def _add_stats(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def stats(*, as_json: AsJson = False) -> int:
        """Show how much is in the index."""
        from orchestrator.surfaces.cli.index_view import print_stats

        async def counted(ingest: Ingest) -> dict[str, Any]:
            from storage.jobs.queue import Queue

            return {**asdict(await ingest.index.stats()), "jobs": await Queue(ingest.index.database).counts()}

        found = using(composition.ingest, counted)
        print_stats(found, as_json=as_json)
        return Exit.FOUND


def _add_remove(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def remove(names: Names) -> int:
        """Take collections out of the index; their files stay where they are."""

        async def removed(ingest: Ingest) -> dict[str, int | None]:
            return {name: await ingest.remove(name) for name in names}

        told = using(composition.ingest, removed)
        for name, count in told.items():
            if count is None:
                complain(f"nothing in the index is called {name!r}; `fedsearch index list` shows what there is")
            else:
                typer.echo(f"{name}: {count} documents removed", err=True)
        return Exit.FOUND if all(count is not None for count in told.values()) else Exit.NOTHING


class _Told(NamedTuple):
    """What is said of everything that one command adds."""

    visible_to: tuple[str, ...]
    description: str
    examples: tuple[str, ...]
    ignored: tuple[str, ...]


def _given(typed: list[str], name: str, told: _Told) -> tuple[list[Given], list[GivenPages]]:
    """Each folder and file by itself; of web pages those of one site together, or all under a name that was given."""
    from connectors.local.ingest import Given, GivenPages

    sites: dict[str, list[str]] = {}
    for url in filter(_is_address, typed):
        sites.setdefault(_named(name or _site(url)), []).append(url)
    paths = [Path(each) for each in typed if not _is_address(each)]
    if name and len(paths) + len(sites) > 1:
        raise BadInput("--name names one folder or file, or web pages; add the others by themselves")
    folders = [Given(path, _named(name or path.resolve().name), *told) for path in paths]
    if len({*(each.name for each in folders), *sites}) < len(folders) + len(sites):
        raise BadInput("two of these would have the same name; add them one by one, each with --name")
    if sites and told.ignored:
        raise BadInput("--ignore is for folders; name the pages that you want")
    pages = [GivenPages(site, tuple(dict.fromkeys(urls)), *told[:3]) for site, urls in sites.items()]
    return folders, pages


def _site(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        raise BadInput(f"{url!r} is no address of a web page") from None


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _named(name: str) -> str:
    from orchestrator.documents.plain import one_line

    plain = one_line(name)[:LONGEST_NAME]
    if not plain:
        raise BadInput("--name must have a letter; it is what the index calls these documents")
    return plain
