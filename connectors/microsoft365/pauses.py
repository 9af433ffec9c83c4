"""Searches that Graph wants left alone for a while, when others of the same question went through.

A search that is throttled alone is told in a note and not raised, so nobody above learns of the pause it asked for.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.errors import SourceError, Throttled

if TYPE_CHECKING:
    from connectors.microsoft365.asking import Search


class Pauses:
    """Until when each search is not to be sent."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def heed(self, search: Search, failure: SourceError) -> None:
        """Keep the pause that a failure asks for, if it does."""
        if isinstance(failure, Throttled) and failure.retry_after:
            self._until[search.key] = asyncio.get_running_loop().time() + failure.retry_after

    def of(self, search: Search) -> Throttled | None:
        """What to say instead of sending ``search``, ``None`` where it may be sent."""
        left = self._until.get(search.key, 0.0) - asyncio.get_running_loop().time()
        if left > 0.0:
            return Throttled(f"asked for a pause; {left:.0f} s of it are left", left, search.bucket)
        self._until.pop(search.key, None)
        return None
