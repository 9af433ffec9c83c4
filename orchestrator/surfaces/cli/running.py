"""How commands that wait for the outside world run: with the settings, and until somebody stops them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from contextlib import AbstractAsyncContextManager

    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

T = TypeVar("T")
OpenedT = TypeVar("OpenedT")


def run(work: Callable[[Settings], Coroutine[None, None, T]]) -> T:
    """What ``work`` makes with the settings. Raises :class:`connectors.errors.SourceError` where the outside world fails."""
    import asyncio

    from orchestrator.settings import load_settings

    return asyncio.run(work(load_settings()))


def using(
    opened: Callable[[Settings], AbstractAsyncContextManager[OpenedT]], use: Callable[[OpenedT], Awaitable[T]]
) -> T:
    """What ``use`` makes of what is ``opened`` with the settings and closed afterwards. Raises as :func:`run` does."""

    async def used(settings: Settings) -> T:
        async with opened(settings) as held:
            return await use(held)

    return run(used)


async def note(composition: Composition, action: str, what: str) -> None:
    """Write down what is about to be done. Raises ``OSError`` where it cannot be."""
    import asyncio

    from orchestrator.settings import load_settings

    await asyncio.to_thread(composition.noted, load_settings(), action, what)


async def until_told(work: Coroutine[None, None, T]) -> T | None:
    """What ``work`` ends with; ``None`` where SIGTERM or Ctrl-C ended it: what was begun is put back at once."""
    import asyncio
    import signal

    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        return None
