"""``fedsearch index``: put folders, mailboxes and exports into the local index, keep them up to date, take them out.

Sources are pulled, what was put off is worked off, and groups are told who belongs to them.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.running import bar, embedded, run, tell_unsearched, until_told, using
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.local.ingest import ExampleQuestion, Given, GivenPages, Ingest, IngestReport
    from orchestrator.settings import Settings
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
    for register in (_add_add, _add_jobs, _add_list, _add_stats, _add_remove, _add_groups):
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
                complain(
                    Said("nothing in the index is called {name}; `fedsearch index list` shows what there is").filled(
                        name=repr(name)
                    )
                )
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
        raise BadInput(Said("--name names one folder or file, or web pages; add the others by themselves"))
    folders = [Given(path, _named(name or path.resolve().name), *told) for path in paths]
    if len({*(each.name for each in folders), *sites}) < len(folders) + len(sites):
        raise BadInput(Said("two of these would have the same name; add them one by one, each with --name"))
    if sites and told.ignored:
        raise BadInput(Said("--ignore is for folders; name the pages that you want"))
    pages = [GivenPages(site, tuple(dict.fromkeys(urls)), *told[:3]) for site, urls in sites.items()]
    return folders, pages


def _site(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        raise BadInput(Said("{url} is no address of a web page").filled(url=repr(url))) from None


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _named(name: str) -> str:
    from orchestrator.documents.plain import one_line

    plain = one_line(name)[:LONGEST_NAME]
    if not plain:
        raise BadInput(Said("--name must have a letter; it is what the index calls these documents"))
    return plain


GROUP, USER, OIDC = "group:", "user:", "oidc:"
GroupName = Annotated[
    str, typer.Argument(help="The group, with or without `group:`.", metavar="NAME", show_default=False)
]
Members = Annotated[
    list[str],
    typer.Argument(
        help="All its members: user:NAME, group:NAME, or oidc:NAME for a group of the identity provider.",
        metavar="MEMBER...",
        show_default=False,
    ),
]


def _add_groups(index: typer.Typer, composition: Composition) -> None:
    group = typer.Typer(no_args_is_help=True, help="Groups: set, list, remove.", rich_markup_mode=None)
    index.add_typer(group, name="group")
    for register in (_add_group_set, _add_group_list, _add_group_remove):
        register(group, composition)


def _add_group_set(app: typer.Typer, composition: Composition) -> None:
    @app.command("set")
    @guarded
    def set_members(name: GroupName, members: Members) -> int:
        """Say who belongs to a group from now on, whoever did before."""
        group, named = _group(name), [_member(each) for each in members]
        using(composition.ingest, lambda ingest: _set_members(ingest, group, named))
        return Exit.FOUND


def _add_group_list(app: typer.Typer, composition: Composition) -> None:
    @app.command("list")
    @guarded
    def list_groups(*, as_json: AsJson = False) -> int:
        """Show every group and who belongs to it directly."""
        from orchestrator.surfaces.cli.index_view import print_groups

        found = using(composition.ingest, lambda ingest: ingest.index.groups())
        print_groups(found, as_json=as_json)
        return Exit.FOUND if found else Exit.NOTHING


def _add_group_remove(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def remove(name: GroupName) -> int:
        """Let nobody belong to a group; what is visible to it stays, and is seen by nobody through it."""
        group = _group(name)

        async def removed(ingest: Ingest) -> bool:
            known = group in await ingest.index.groups()
            return known and await _set_members(ingest, group, ())

        done = using(composition.ingest, removed)
        if not done:
            complain(
                Said("nobody belongs to {group}; `fedsearch index group list` shows the groups").filled(group=group)
            )
        return Exit.FOUND if done else Exit.NOTHING


async def _set_members(ingest: Ingest, group: str, members: Sequence[str]) -> bool:
    await ingest.index.set_members(group, members)
    return True


def _group(name: str) -> str:
    known = name.removeprefix(GROUP).strip()
    if not known or name.startswith((USER, OIDC)):
        raise BadInput(Said("{name} is no name of a group; write NAME or group:NAME").filled(name=repr(name)))
    return GROUP + known


def _member(name: str) -> str:
    if not any(name.startswith(kind) and name.removeprefix(kind).strip() for kind in (GROUP, USER, OIDC)):
        raise BadInput(
            Said("{name} cannot belong to a group; write user:NAME, group:NAME or oidc:NAME").filled(name=repr(name))
        )
    return name


VisibleTo = Annotated[
    list[str] | None,
    typer.Option(
        "--visible-to",
        help="Who finds it: public, user:NAME, group:NAME, or oidc:NAME for a group of the identity provider (default: user:local, which is you); may be repeated.",
        metavar="WHO",
    ),
]
Source = Annotated[
    str, typer.Argument(help="A configured source, as `fedsearch sources` shows it.", show_default=False)
]
Whole = Annotated[
    bool, typer.Option("--whole", help="Read everything again, and remove what the source no longer shows.")
]
WordsOnly = Annotated[
    bool,
    typer.Option(
        "--words-only",
        help="Leave meaning to `fedsearch serve`, `index work` or `index embed`; words find it at once.",
    ),
]
Once = Annotated[bool, typer.Option("--once", help="Stop when nothing waits any more.")]
MINE = "user:local"


def _add_jobs(index: typer.Typer, composition: Composition) -> None:
    for register in (_add_sync, _add_embed, _add_work):
        register(index, composition)


def _add_sync(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def sync(
        source: Source,
        *,
        visible_to: VisibleTo = None,
        whole: Whole = False,
        words_only: WordsOnly = False,
        as_json: AsJson = False,
    ) -> int:
        """Pull what a configured source lets others keep into the index: what has changed since the last time."""
        from orchestrator.surfaces.cli.index_view import print_reports

        readers = tuple(visible_to or (MINE,))
        check_readers(readers)

        async def pulled(settings: Settings) -> IngestReport:
            with bar("reading") as watch:
                return await composition.sync(settings, source, readers, whole=whole, on_progress=watch.files)

        report = run(pulled)
        print_reports([report], as_json=as_json)
        tell_unsearched(composition)
        if not words_only:
            using(composition.ingest, embedded)
        return Exit.FOUND


def _add_embed(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def embed() -> int:
        """Work out the meaning of what is found by words only so far; can be stopped at any time and goes on later."""
        done = using(composition.ingest, embedded)
        typer.echo(f"{done} parts embedded", err=True)
        return Exit.FOUND


def _add_work(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def work(*, once: Once = False) -> int:
        """Do what the index has put off (meaning, sources to pull) until Ctrl-C; several may work beside each other."""

        async def worked(settings: Settings) -> int:
            return await until_told(composition.work(settings, once=once)) or 0

        if not once:
            typer.echo("fedsearch: working for the index (Ctrl-C stops; nothing is lost)", err=True)
        done = run(worked)
        if once:
            typer.echo(f"{done} parts embedded", err=True)
        return Exit.FOUND


def check_readers(readers: tuple[str, ...]) -> None:
    """Raises :class:`BadInput` on a name that no document can be visible to."""
    for each in readers:
        who, colon, name = each.partition(":")
        if not (each == "public" or (who in {"user", "group", "oidc"} and colon and name.strip())):
            raise BadInput(
                Said("--visible-to {each} is nobody; write public, user:NAME, group:NAME or oidc:NAME").filled(
                    each=repr(each)
                )
            )
