"""``fedsearch sandbox``: a pretend workplace to point real clients at, until it is told to stop."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.composition import SandboxWish
from orchestrator.surfaces.cli.failures import Exit, guarded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from orchestrator.surfaces.cli.composition import Composition, Serving

MOMENT = "2026-11-20T10:00:00+09:00"  # the present of the packaged workplace

Corpora = Annotated[
    list[str] | None,
    typer.Option("--corpus", help="Serve this .jsonl or .jsonl.gz file, or folder; may be repeated.", metavar="FILE"),
]
Maps = Annotated[
    list[str] | None,
    typer.Option(
        "--map", help="Serve items of a foreign source as a known one: github=linear.", metavar="FOREIGN=SOURCE"
    ),
]
Drop = Annotated[bool, typer.Option("--drop-repeats", help="Leave out rows of the corpus whose id was there before.")]
Faults = Annotated[
    list[str] | None,
    typer.Option("--fault", help="Make a source misbehave: slack=delay:30, linear=status:500.", metavar="SOURCE=FAULT"),
]
Port = Annotated[
    int, typer.Option(help="First port; the sources take it and the next ones. 0: any free.", min=0, max=65000)
]
Served = Annotated[list[str] | None, typer.Option("--source", "-s", help="Serve only this source.", metavar="NAME")]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def sandbox(
        *,
        corpus: Corpora = None,
        mapping: Maps = None,
        drop_repeats: Drop = False,
        fault: Faults = None,
        port: Port = 0,
        source: Served = None,
    ) -> int:
        """Serve a pretend workplace on this machine until Ctrl-C."""
        import asyncio

        wish = SandboxWish(
            tuple(corpus or ()),
            tuple(mapping or ()),
            tuple(fault or ()),
            tuple(source or ()),
            port,
            drop_repeats=drop_repeats,
        )
        asyncio.run(_serve(composition, wish))
        return Exit.FOUND


async def _serve(composition: Composition, wish: SandboxWish) -> None:
    import asyncio
    import signal

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with composition.sandbox(wish) as serving:
        for text in announcement(serving, packaged=not wish.corpus):
            sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
        await stop.wait()
    sys.stderr.write("stopped\n")


def announcement(serving: Serving, *, packaged: bool = True) -> Iterator[str]:
    """Lines a shell can read: what is served as comments, where it is served as variables to export."""
    yield "# A pretend workplace, on this machine only. Paste the exports into another shell, then:"
    yield f"#   fedsearch search {_question(serving.newest, packaged=packaged)}"
    for each in serving.sources:
        yield f"# {each.source}: {each.items:,} items"
    if serving.unserved:
        counts = ", ".join(f"{source} {count:,}" for source, count in sorted(serving.unserved.items()))
        yield f"# not served: {one_line(counts)} (serve them with --map FOREIGN=SOURCE)"
    if serving.repeated:
        yield f"# not served: {serving.repeated:,} rows whose id was there before"
    for source, reason in sorted(serving.absent.items()):
        yield f"# not served: {source}, because {one_line(reason)}"
    for each in serving.sources:
        prefix = f"FEDSEARCH_SOURCES__{each.source.upper()}__"
        yield f"export {prefix}BASE_URL={shlex.quote(each.base_url)}"
        yield f"export {prefix}TOKEN={shlex.quote(each.token)}"
    yield "# Ctrl-C stops it."


def _question(newest: datetime | None, *, packaged: bool) -> str:
    """A question that the packaged workplace can answer; over another corpus one's own, as of its newest item."""
    if packaged:
        return f'"where is the runbook for webhook-relay?" --now {MOMENT}'
    return '"your question"' + (f" --now {newest.isoformat()}" if newest else "")
