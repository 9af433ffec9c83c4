"""``fedsearch bot``: questions asked in Slack, answered there, until it is told to stop."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded, unopened
from orchestrator.surfaces.cli.running import run, until_told

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition

Host = Annotated[str, typer.Option(help="Address to listen on, where bot.transport is http.", metavar="ADDRESS")]
Port = Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)]

Name = Annotated[str, typer.Option(help="What the app and its user are called.", metavar="NAME")]
Slash = Annotated[str, typer.Option("--command", help="The slash command.", metavar="/COMMAND")]
Address = Annotated[
    str,
    typer.Option(
        help="How Slack reaches the bot, where it is not by Socket Mode (default: bot.address).", metavar="URL"
    ),
]
LONGEST_COMMAND = 32  # https://docs.slack.dev/reference/app-manifest
NEW_APP = "https://api.slack.com/apps?new_app=1&manifest_json="


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""
    group = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
    app.add_typer(group, name="bot")

    @group.callback()
    def bot(context: typer.Context, *, host: Host = "127.0.0.1", port: Port = 8490) -> None:
        """Answer in Slack until Ctrl-C; docs/how-to/run-the-bot.md says how to set it up."""
        if context.invoked_subcommand is None:
            guarded(_run)(composition, host, port)

    @group.command()
    @guarded
    def manifest(*, name: Name = "fedsearch", command: Slash = "/ask", address: Address = "") -> int:
        """Print the manifest of the Slack app, and the link whose page makes the app of it."""
        import json
        from urllib.parse import quote

        from orchestrator.settings import load_settings

        if not command.startswith("/") or len(command) > LONGEST_COMMAND or " " in command:
            raise BadInput(f"--command {command!r} is none; write one like /ask")
        made = composition.bot_manifest(load_settings(), name, command, address)
        typer.echo(json.dumps(made, indent=2, ensure_ascii=False))
        link = quote(json.dumps(made, separators=(",", ":"), ensure_ascii=False), safe="")
        typer.echo(f"Open this to make the app, then install it:\n{NEW_APP}{link}", err=True)
        return Exit.FOUND


def _run(composition: Composition, host: str, port: int) -> int:
    """SIGTERM ends it as Ctrl-C does: questions under way are answered first."""
    try:
        run(lambda settings: until_told(composition.run_bot(settings, host, port, _listening)))
    except OSError as failure:
        raise BadInput(unopened(host, port, failure)) from None
    return Exit.FOUND


def _listening(address: str) -> None:
    sys.stderr.write(f"fedsearch: the bot hears by {address} (Ctrl-C stops)\n")
    sys.stderr.flush()
