"""Serve the demo workplace in a process of its own, each source answering after DELAY seconds; print its endpoints."""

from __future__ import annotations

import asyncio
import json
import sys

from orchestrator.sandbox import Fault, Sandbox, default_corpus


async def main(delay: float) -> None:
    """Until standard input closes."""
    corpus = default_corpus()
    faults = {source: Fault(delay=delay) for source in ("slack", "notion", "linear", "gmail")} if delay else {}
    async with Sandbox(corpus, faults=faults) as sandbox:
        shown = {name: {"base_url": each.base_url, "token": each.token} for name, each in sandbox.endpoints.items()}
        print(json.dumps(shown), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
