"""``fedsearch serve``: the HTTP API, until it is told to stop. ``fedsearch mcp``: the same for a language model."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.roles import NOBODY, is_nobodys
from translators.said import Said

if TYPE_CHECKING:
    from orchestrator.surfaces.cli.composition import Composition

Host = Annotated[str, typer.Option(help="Address to listen on.", metavar="ADDRESS")]
Port = Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)]
WorkerCount = Annotated[
    int, typer.Option("--workers", help="Processes that answer, one for each core, say.", min=1, max=64)
]
NoAuth = Annotated[bool, typer.Option("--no-auth", help="Let everybody in who reaches the port; loopback only.")]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    _add_mcp(app, composition)

    @app.command()
    @guarded
    def serve(*, host: Host = "127.0.0.1", port: Port = 8480, no_auth: NoAuth = False, workers: WorkerCount = 1) -> int:
        """Answer over HTTP until Ctrl-C; docs/reference/http-api.md has the routes."""
        from connectors.text import is_loopback
        from orchestrator.access import new_code
        from orchestrator.settings import load_settings

        if no_auth and not is_loopback(host):
            raise BadInput(
                Said("--no-auth would let everybody in who reaches {host}; listen on 127.0.0.1, or use keys").filled(
                    host=host
                )
            )
        settings = load_settings()
        people = settings.oidc.issuer or settings.proxy.header
        code = "" if no_auth or people or composition.key_ring(settings).all() else new_code()
        nobodys = bool(people) and not no_auth and is_nobodys(composition, settings)
        here = settings.scheduled.worker
        heard = partial(_listening, people=settings.accounts.address, here=here, code=code, nobodys=nobodys)
        well = composition.serve_api(
            settings, host, port, heard, authenticated=not no_auth, processes=workers, code=code
        )
        return Exit.FOUND if well else Exit.NOT_STARTED


def _listening(address: str, *, people: str, here: bool, code: str, nobodys: bool) -> None:
    """``people``: the address by which browsers reach it, where that is known; nobody opens one that stands for all of a machine's."""
    sys.stderr.write(f"fedsearch: listening on {address} (Ctrl-C stops)\n")
    if code:
        opened = people.rstrip("/") or address.replace("//0.0.0.0:", "//localhost:").replace("//[::]:", "//localhost:")
        sys.stderr.write(
            "fedsearch: no API key exists yet, every request is refused; `fedsearch keys create NAME`,\n"
            f"fedsearch: or open {opened}/setup in a browser and type this code, once: {code}\n"
        )
    if nobodys:
        sys.stderr.write(f"fedsearch: {NOBODY}\n")
    schedules = "are run here" if here else "are left to `fedsearch digest schedule` (scheduled.worker is off)"
    sys.stderr.write(f"fedsearch: schedules of digests {schedules}\n")
    sys.stderr.flush()


def _add_mcp(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def mcp() -> int:
        """Serve a language model over standard input and output (Model Context Protocol)."""
        import asyncio

        from orchestrator.settings import load_settings

        asyncio.run(composition.serve_mcp(load_settings()))
        return Exit.FOUND
