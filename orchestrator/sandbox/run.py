"""Serve a corpus until told to stop: what the command line runs."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from orchestrator.sandbox.corpus import Corpus
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.server import Sandbox


async def serve(
    corpus: Corpus,
    *,
    announce: Callable[[Sandbox], None],
    stop: asyncio.Event,
    faults: Mapping[str, Fault] = MappingProxyType({}),
    port: int = 0,
    sources: Iterable[str] | None = None,
) -> None:
    """Open the sandbox, call `announce` once it listens, wait for `stop`, and close everything again."""
    async with Sandbox(corpus, sources=sources, faults=faults, port=port) as sandbox:
        announce(sandbox)
        await stop.wait()
