"""Deliveries that were heard already: platforms repeat an event until they know that it arrived."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 20_000
SECONDS = 7200.0  # Slack's last repeat comes within an hour and a few minutes of the first delivery


class SeenEvents:
    """Which ids have been heard, for two hours, in this process."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._heard: OrderedDict[str, float] = OrderedDict()

    def is_new(self, identity: str) -> bool:
        """Whether to do it; the next time it is not. What has no id cannot be told apart and is always new."""
        if not identity:
            return True
        now = self._clock()
        while self._heard and (len(self._heard) > MOST or next(iter(self._heard.values())) + SECONDS <= now):
            self._heard.popitem(last=False)
        if identity in self._heard:
            return False
        self._heard[identity] = now
        return True
