"""The work that the local index puts off: ``fedsearch index sync``, ``embed`` and ``work``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.index_running import bar, embedded, tell_unsearched
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.running import run, until_told, using

if TYPE_CHECKING:
    from connectors.local.ingest import IngestReport
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

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


def add(index: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
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
            raise BadInput(f"--visible-to {each!r} is nobody; write public, user:NAME, group:NAME or oidc:NAME")
