"""What the HTTP API gives to one caller and one request."""

from __future__ import annotations

from translators.records import record


@record
class ApiLimits:
    """What one caller and one request may take: bytes of a body, seconds of a question, seconds between signs of life.

    ``usual``: seconds of a question whose caller says nothing of them.

    ``linger``: seconds that a stream goes on for a reader who has lost the connection. ``kept``: seconds that its events
    can be read again after it has ended. ``streams``: how many are remembered at once.
    ``leaving``: seconds for which a server that is told to end says so before it closes its door.
    """

    body: int = 64 * 1024
    budget: float = 60.0
    usual: float = 3.0
    heartbeat: float = 10.0
    slowest: float = 30.0
    linger: float = 1.0
    kept: float = 60.0
    streams: int = 10_000
    leaving: float = 0.0
