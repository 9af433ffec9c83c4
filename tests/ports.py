"""Ports of this machine that nobody listens on."""

from __future__ import annotations

import socket


def free_port() -> int:
    """One that was free a moment ago, for a process that is to be told its port."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])
