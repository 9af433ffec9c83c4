"""``fedsearch backup``, ``restore``, ``upgrade`` and ``rollback``: all that this installation keeps, in one file and back."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.running import run
from translators.said import Said

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition

NewFile = Annotated[str, typer.Argument(help="The file to write, which must not be there yet.", metavar="FILE")]
BackupTo = Annotated[
    str, typer.Option("--backup", help="Where the backup goes (default: a file in this folder).", metavar="FILE")
]
Backup = Annotated[str, typer.Argument(help="A file that `fedsearch backup` wrote.", metavar="FILE")]
APART = (
    "Not in it: your settings, the secrets beside them, and the key that opens those (`fedsearch secrets list` says where it is). "
    "Keep them somewhere else, accounts.secret above all: without it nobody opens the accounts that people have connected. "
    "Whoever has the file reads all that was indexed."
)


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""

    @app.command()
    @guarded
    def backup(file: NewFile) -> int:
        """Write the index, the vault, digests and keys into one file; what runs may go on running."""
        path = _new(Path(file))
        kept = run(lambda settings: composition.back_up(settings, path))
        typer.echo(f"{path}: {path.stat().st_size:,} bytes: {', '.join(kept) or 'nothing was there to keep'}", err=True)
        typer.echo(APART, err=True)
        return Exit.FOUND if kept else Exit.NOTHING

    @app.command()
    @guarded
    def restore(file: Backup) -> int:
        """Fill an empty data folder and database from a backup."""
        kept = run(lambda settings: composition.bring_back(settings, Path(file)))
        typer.echo(f"brought back: {', '.join(kept) or 'nothing was in it'}", err=True)
        return Exit.FOUND

    @app.command()
    @guarded
    def upgrade(*, backup_to: BackupTo = "") -> int:
        """Bring the database up to this version, after a backup; whatever opens it first would do so by itself, after a copy in the data folder."""
        path = _new(Path(backup_to) if backup_to else Path(f"before-{version('fedsearch')}-{_stamp()}.tar"))
        done = run(lambda settings: composition.upgrade(settings, path))
        if not done:
            typer.echo("nothing to do: the database is what this version works with, or there is none", err=True)
            return Exit.FOUND
        typer.echo(f"{path}: what was there before; `fedsearch rollback` takes it back", err=True)
        typer.echo(f"brought up: {', '.join(done)}", err=True)
        return Exit.FOUND

    @app.command()
    @guarded
    def rollback(file: Backup) -> int:
        """Put a backup in the place of what is there, which is kept in another file; stop servers, bots and workers first."""
        path = Path(file).resolve()
        aside = _new(path.with_name(f"rolled-back-{_stamp()}.tar"))
        kept = run(lambda settings: composition.roll_back(settings, path, aside))
        typer.echo(f"{aside}: what was there until now", err=True)
        typer.echo(f"brought back: {', '.join(kept) or 'nothing was in it'}", err=True)
        return Exit.FOUND


def _new(path: Path) -> Path:
    """A file that may be written."""
    path = path.resolve()
    if path.exists():
        raise BadInput(Said("{path} is there already; choose another name").filled(path=path))
    if not path.parent.is_dir():
        raise BadInput(Said("{parent} is no folder").filled(parent=path.parent))
    return path


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
