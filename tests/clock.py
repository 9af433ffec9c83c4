"""Time in tests that talk over real sockets: it passes when they say so, and not while the machine is busy."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HANGING = 300.0
"""Seconds within which whatever is right has happened on the busiest machine: only what hangs takes longer."""


def leaping() -> Callable[[float], None]:
    """Makes the running loop's clock one that can be put forward: by the seconds that the returned function is called with.

    What is to run out of time gets more of it than anything else could need, and loses it once the rest is there.
    """
    loop = asyncio.get_running_loop()
    real, ahead = loop.time, 0.0

    def leap(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds
        loop.call_soon_threadsafe(lambda: None)  # it may be waiting for a timer of before

    loop.time = lambda: real() + ahead  # type: ignore[method-assign]
    return leap


def leap_when_told() -> None:
    """Has an hour pass in this process whenever it is sent ``SIGUSR1``: for one that a test sees from outside alone."""
    signal.signal(signal.SIGUSR1, lambda *_: leaping()(3600.0))
