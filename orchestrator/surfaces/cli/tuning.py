"""``fedsearch tune``: fit the numbers of ranking to what people here open, copy and mark, and take that back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be written.")]
Undo = Annotated[bool, typer.Option("--undo", help="Put back the numbers as they were before the last time.")]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def tune(*, dry_run: DryRun = False, undo: Undo = False, as_json: AsJson = False) -> int:
        """Fit the numbers of ranking to what people open, copy and mark as right; kept only if held-back judgments improve."""
        from orchestrator.settings import read_layers, settings_from
        from orchestrator.surfaces.cli.figures_view import tuning_document, tuning_view

        if undo and dry_run:
            raise BadInput("--undo puts numbers back, and has nothing to show beforehand; leave --dry-run out")
        layers = read_layers()
        settings = settings_from(layers)
        path = settings.storage.tuned
        if undo:
            return _undone(composition.untuned(settings), str(path), as_json=as_json)
        tuning = composition.tuned(settings, layers, write=not dry_run)
        written = str(path) if tuning.better and not dry_run else ""
        if as_json:
            from orchestrator.surfaces.cli.documents import print_json

            print_json(tuning_document(tuning, written))
        else:
            from orchestrator.surfaces.cli.screen import show

            show(tuning_view(tuning, composition.ranking(settings), written))
        return Exit.FOUND


def _undone(done: bool, path: str, *, as_json: bool) -> int:  # noqa: FBT001 - what is told
    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        print_json({"undone": done, "path": path})
    else:
        said = f"put back as it was: {path}" if done else f"nothing was tuned: {path} does not exist"
        typer.echo(f"{said}; a server reads it when it starts" if done else said)
    return Exit.FOUND
