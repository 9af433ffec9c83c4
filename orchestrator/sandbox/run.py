"""Serve a corpus until told to stop: what the command line runs."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from .corpus import Corpus
from .faults import Fault
from .server import Sandbox


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
