"""The pretend workplace as a process of its own, which can be killed: ``python -m tests.chaos.sandbox_process PORT SOURCE…``."""

from __future__ import annotations

import asyncio
import signal
import sys

from orchestrator.sandbox import default_corpus, serve


async def main(port: int, sources: list[str]) -> None:
    """Until SIGTERM, each source on the next port in the order of their names in the sandbox."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await serve(default_corpus(), announce=lambda _: print("open", flush=True), stop=stop, port=port, sources=sources)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2:]))
