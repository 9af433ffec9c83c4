"""What one process may take of a rate that several share while the store that counts for all of them does not answer. Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

SILENT = 3.5  # seconds without a sign of life after which the others leave a process its share
LONG_AGO = float("-inf")
UNKNOWN = 1.0  # seconds until the store is asked again where nothing else tells what is left


@dataclass(slots=True)
class OwnPasses:
    """The passes of one allowance that this process took; how many the others had when it was last ``told``, by its own clock."""

    mine: deque[float] = field(default_factory=deque)
    others: int = 0
    told: float | None = None

    def count(self, now: float, period: float) -> int:
        """How many of the last ``period`` seconds are ours."""
        while self.mine and self.mine[0] <= now - period:
            self.mine.popleft()
        return len(self.mine)

    def taken(self, now: float, period: float, all_of_them: int) -> None:
        """One more is ours, and the store counts so many in this period."""
        self.mine.append(now)
        self.others, self.told = max(0, all_of_them - self.count(now, period)), now

    def take_alone(self, now: float, rate: int, period: float, sharers: int, heard: float = LONG_AGO) -> float:
        """Take one without the store: of this process's share, and of what the others had left. Seconds to wait; 0: taken.

        ``heard``: when the store last said anything. What the others had taken of this rate by then is known if it was asked
        just before; else it may be all of it, until a whole period has gone by in which this process's share was left to it.
        Whatever the others do with their shares, all of them together stay within a rate that has one pass for each at least.
        """
        reserved = heard + SILENT + period
        if now < reserved and (self.told is None or self.told < heard - SILENT):
            return min(UNKNOWN, reserved - now)
        left = rate
        if self.told is not None and now < self.told + period:
            left -= self.others
        if left <= 0 and self.told is not None:
            return self.told + period - now
        if wait := self.wait_for_share(now, rate, period, sharers, left):
            return wait
        self.mine.append(now)
        return 0.0

    def wait_for_share(self, now: float, rate: int, period: float, sharers: int, left: int | None = None) -> float:
        """Seconds until this process has taken less than its share of the rate, and than is ``left``; 0 where it has now."""
        if rate < sharers:  # one each, in as much longer a time: on average only
            period *= -(-sharers // rate)
        share = max(1, rate // sharers)
        room = share if left is None else min(share, left)
        count = self.count(now, period)
        return 0.0 if count < room else max(0.001, self.mine[count - room] + period - now)
