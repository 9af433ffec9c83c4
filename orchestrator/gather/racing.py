"""Requests of which the first good one counts, and what becomes of the others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import HitPage

GRACE = 0.05  # seconds that a cancelled request gets to let go before it is left behind


async def first_good(racing: Sequence[asyncio.Task[HitPage]]) -> HitPage:
    """The first that succeeds; the last failure if none does."""
    pending = set(racing)
    while True:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        good = [task for task in done if task.exception() is None]
        if good or not pending:
            return (good or list(done))[0].result()


async def let_go(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel what still runs and see it end; what does not heed cancellation is left behind."""
    for task in tasks:
        task.cancel()
        task.add_done_callback(_look_at)
    if running := [task for task in tasks if not task.done()]:
        await asyncio.wait(running, timeout=GRACE)


def _look_at(task: asyncio.Task[Any]) -> None:
    """Asyncio complains of failures that nobody looked at; those of tasks that were let go concern nobody."""
    if not task.cancelled():
        task.exception()
