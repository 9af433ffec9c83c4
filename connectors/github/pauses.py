"""Limits that are used up: GitHub keeps one for each kind of request, and the others may go on.

A search that is throttled alone is told in a note and not raised, so nobody above learns of the pause it asked for.
"""

from __future__ import annotations

import asyncio


class Pauses:
    """Until when which limit of whom is used up, on the clock of the running loop."""

    def __init__(self) -> None:
        self._until: dict[tuple[str, str], float] = {}

    def begin(self, owner: str, bucket: str, seconds: float) -> None:
        """Nothing more of ``bucket`` for ``seconds``; a longer pause already running stands."""
        now = asyncio.get_running_loop().time()
        self._until = {key: until for key, until in self._until.items() if until > now}
        self._until[owner, bucket] = max(self._until.get((owner, bucket), 0.0), now + seconds)

    def left(self, owner: str, bucket: str) -> float:
        """Seconds until ``bucket`` is renewed for ``owner``; 0 if it may be asked now."""
        return max(0.0, self._until.get((owner, bucket), 0.0) - asyncio.get_running_loop().time())
