"""``fedsearch completion``: what makes a shell complete commands and options."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from orchestrator.surfaces.cli.failures import Exit, guarded

PROGRAM, VARIABLE = "fedsearch", "_FEDSEARCH_COMPLETE"  # as click calls it: the name of the program, in capitals


class Shell(StrEnum):
    """Shells whose scripts typer knows."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def add(app: typer.Typer) -> None:
    """Register the command, and answer a shell that asks what may follow."""
    if VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()

    @app.command()
    @guarded
    def completion(shell: Annotated[Shell, typer.Argument(help="Yours.")]) -> int:
        """Print what makes a shell complete commands and options: eval "$(fedsearch completion bash)" in ~/.bashrc."""
        from typer.completion import get_completion_script  # type: ignore[attr-defined]

        typer.echo(get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell))
        return Exit.FOUND
