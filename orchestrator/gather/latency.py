"""How long one source has taken of late: what a deadline may expect of it, and when it is unusually slow."""

from __future__ import annotations

from collections import deque

FAIR_WAIT = 1.0  # seconds
REMEMBERED = 64  # requests
TELLING = 20  # how many it takes before a quantile means anything
LATELY = 32  # answers by which the next is judged: a crowd comes and goes within seconds
LONGER = 1.25  # times the longest of them, since the next may be longer than any


class Latency:
    """Seconds of the last requests that were answered."""

    def __init__(self) -> None:
        self._took: deque[float] = deque(maxlen=REMEMBERED)

    def add(self, seconds: float) -> None:
        """One more answer."""
        self._took.append(seconds)

    @property
    def usual(self) -> float:
        """The median; 0 where too little is known."""
        return self.quantile(0.5) or 0.0

    @property
    def fair(self) -> float:
        """Seconds after which a source that has not answered is not merely late; who gave it less cannot say that it failed."""
        return max(FAIR_WAIT, 2 * self.usual, self.longest)

    @property
    def longest(self) -> float:
        """The longest of them; 0 where nothing was answered yet."""
        return max(self._took, default=0.0)

    def quantile(self, share: float) -> float | None:
        """The time within which ``share`` of the requests were answered, ``None`` where too little is known."""
        if len(self._took) < TELLING:
            return None
        return sorted(self._took)[min(len(self._took) - 1, int(share * len(self._took)))]


class Reserve:
    """What is kept back of a question's time for what comes after asking: ``least`` seconds, or a quarter more than that took of late."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._took: deque[float] = deque(maxlen=LATELY)

    def add(self, seconds: float) -> None:
        """One more answer has been made."""
        self._took.append(seconds)

    def of(self, budget: float) -> float:
        """Seconds, half of the ``budget`` at most, unless more is set."""
        return max(self._least, min(LONGER * max(self._took, default=0.0), budget / 2))
