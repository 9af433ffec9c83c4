"""``fedsearch bot``: questions asked in Slack, answered there, until it is told to stop."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded

if TYPE_CHECKING:
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

Host = Annotated[str, typer.Option(help="Address to listen on, where bot.transport is http.", metavar="ADDRESS")]
Port = Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def bot(*, host: Host = "127.0.0.1", port: Port = 8490) -> int:
        """Answer in Slack until Ctrl-C; docs/how-to/run-the-bot.md says how to set it up."""
        import asyncio

        from orchestrator.settings import load_settings

        try:
            asyncio.run(_until_told(composition, load_settings(), host, port))
        except OSError as failure:
            raise BadInput(f"{host}:{port} cannot be listened on: {failure.strerror or failure}") from None
        return Exit.FOUND


async def _until_told(composition: Composition, settings: Settings, host: str, port: int) -> None:
    """SIGTERM ends it as Ctrl-C does: questions under way are answered first."""
    import asyncio
    import signal

    task = asyncio.ensure_future(composition.run_bot(settings, host, port, _listening))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return


def _listening(address: str) -> None:
    sys.stderr.write(f"fedsearch: the bot hears by {address} (Ctrl-C stops)\n")
    sys.stderr.flush()
