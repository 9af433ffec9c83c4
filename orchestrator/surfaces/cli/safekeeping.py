"""``fedsearch backup`` and ``restore``: all that this installation keeps, in one file and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.index_running import run

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition

NewFile = Annotated[str, typer.Argument(help="The file to write, which must not be there yet.", metavar="FILE")]
Backup = Annotated[str, typer.Argument(help="A file that `fedsearch backup` wrote.", metavar="FILE")]
APART = (
    "Not in it: your settings, and the secrets beside them. Keep accounts.secret somewhere else: without it nobody opens the "
    "accounts that people have connected. Whoever has the file reads all that was indexed."
)


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""

    @app.command()
    @guarded
    def backup(file: NewFile) -> int:
        """Write the index, the vault, digests and keys into one file; what runs may go on running."""
        path = Path(file).resolve()
        if path.exists():
            raise BadInput(f"{path} is there already; choose another name")
        if not path.parent.is_dir():
            raise BadInput(f"{path.parent} is no folder")
        kept = run(lambda settings: composition.back_up(settings, path))
        if kept is None:
            return Exit.NO_SOURCES
        typer.echo(f"{path}: {path.stat().st_size:,} bytes: {', '.join(kept) or 'nothing was there to keep'}", err=True)
        typer.echo(APART, err=True)
        return Exit.FOUND if kept else Exit.NOTHING

    @app.command()
    @guarded
    def restore(file: Backup) -> int:
        """Fill an empty data folder and database from a backup."""
        kept = run(lambda settings: composition.bring_back(settings, Path(file)))
        if kept is None:
            return Exit.NO_SOURCES
        typer.echo(f"brought back: {', '.join(kept) or 'nothing was in it'}", err=True)
        return Exit.FOUND
