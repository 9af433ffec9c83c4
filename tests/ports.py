"""Ports of this machine that nobody listens on."""

from __future__ import annotations

import random
import socket
from contextlib import suppress

GIVEN_TO_NOBODY = range(10_000, 32_768)
"""Below those that a system gives to whoever wants any (from 32768 on, Linux; 49152, macOS): none is taken before it is used."""


def free_port() -> int:
    """One for a process that is to be told its port."""
    for port in random.SystemRandom().sample(GIVEN_TO_NOBODY, 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("a hundred ports are all taken")
