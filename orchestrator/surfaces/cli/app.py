"""Puts the commands together. Only typer is imported here; each command imports the rest when it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli import (
    accounts,
    audit,
    bot,
    completion,
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

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition


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
    completion.add(app)
    names.add(app)
    recency.add(app, composition)
    return app
