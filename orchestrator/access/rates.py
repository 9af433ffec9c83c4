"""How often one caller may ask: so many requests in any window of a given length, refused rather than queued."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_CALLERS = 10_000  # remembered at once; the one who has been quiet longest is forgotten first


class Rates:
    """A sliding log for each caller: exact, and a caller who stops asking costs nothing after the window.

    ``rate`` requests in any ``period`` seconds; ``clock`` is monotonic, in seconds.
    """

    def __init__(self, rate: int, period: float, clock: Callable[[], float]) -> None:
        self.rate = rate
        self.period = period
        self._clock = clock
        self._asked: OrderedDict[str, deque[float]] = OrderedDict()

    def enter(self, caller: str) -> float:
        """0 where the caller may go on, and the request is counted; else the seconds after which to try again."""
        now = self._clock()
        log = self._asked.setdefault(caller, deque())
        self._asked.move_to_end(caller)
        while len(self._asked) > MOST_CALLERS:
            self._asked.popitem(last=False)
        while log and log[0] <= now - self.period:
            log.popleft()
        if len(log) >= self.rate:
            return log[0] + self.period - now
        log.append(now)
        return 0.0
