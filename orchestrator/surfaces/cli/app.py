"""Puts the commands together. Only typer is imported here; each command imports the rest when it runs.

``fedsearch completion``: what makes a shell complete commands and options.
"""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli import (
    accounts,
    audit,
    bot,
    config,
    demo,
    digest,
    doctor,
    evaluating,
    explaining,
    index,
    init,
    keys,
    names,
    people,
    recency,
    roles,
    safekeeping,
    searching,
    secrets,
    serve,
    sources,
    tuning,
    understanding,
    web,
)
from orchestrator.surfaces.cli.failures import Exit, guarded

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition

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


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from importlib.metadata import version

        typer.echo(f"fedsearch {version('fedsearch')}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", help="Print the version and leave.", is_eager=True, callback=_print_version)
]


def make_cli(composition: Composition) -> typer.Typer:
    """The whole command line over ``composition``. Exit codes are those of :class:`failures.Exit`."""
    app = typer.Typer(
        name="fedsearch",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )

    @app.callback()
    def fedsearch(version: Version = False) -> None:  # noqa: FBT002 - a flag
        """One question, every source, one cited answer."""

    for command in (
        init,
        searching,
        explaining,
        sources,
        demo,
        serve,
        bot,
        keys,
        roles,
        accounts,
        people,
        index,
        safekeeping,
        digest,
        web,
        doctor,
        evaluating,
        tuning,
    ):
        command.add(app, composition)
    audit.add(app)
    secrets.add(app)
    understanding.add(app)
    config.add(app)
    add(app)
    names.add(app)
    recency.add(app, composition)
    return app
