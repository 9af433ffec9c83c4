"""How often one caller may ask: so many requests in any window of a given length, refused rather than queued."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from orchestrator.gather.ledger import ALONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.gather.ledger import Ledger

MOST_CALLERS = 10_000  # remembered at once; the one who has been quiet longest is forgotten first


class Rates:
    """A sliding log for each caller: exact, and a caller who stops asking costs nothing after the window.

    ``rate`` requests in any ``period`` seconds; ``clock`` is monotonic, in seconds. ``ledger``: where processes count together;
    each counts by itself as well, so that a caller is bounded where that is lost.
    """

    def __init__(self, rate: int, period: float, clock: Callable[[], float], ledger: Ledger = ALONE) -> None:
        self.rate = rate
        self.period = period
        self._clock = clock
        self._ledger = ledger
        self._asked: OrderedDict[str, deque[float]] = OrderedDict()

    async def enter(self, caller: str) -> float:
        """0 where the caller may go on, and the request is counted; else the seconds after which to try again."""
        log = self._log(caller)
        if len(log) >= self.rate:
            return log[0] + self.period - self._clock()
        log.append(self._clock())
        together = await self._ledger.take(f"caller:{caller}", self.rate, self.period)
        if together.wait <= 0.0 or self._ledger.trouble:
            return 0.0
        if log:
            log.pop()  # what is refused does not count
        return together.wait

    def left(self, caller: str) -> tuple[int, float]:
        """How many requests the caller may still send now, as far as this process knows, and the seconds after which there are more."""
        log = self._log(caller)
        return self.rate - len(log), max(0.0, log[0] + self.period - self._clock()) if log else 0.0

    def _log(self, caller: str) -> deque[float]:
        log = self._asked.setdefault(caller, deque())
        self._asked.move_to_end(caller)
        while len(self._asked) > MOST_CALLERS:
            self._asked.popitem(last=False)
        oldest = self._clock() - self.period
        while log and log[0] <= oldest:
            log.popleft()
        return log

    async def aclose(self) -> None:
        """Release the way to the ledger; safe to call twice."""
        await self._ledger.aclose()
