"""Who may take of a rate that several processes share: by the log in which all count, and while that does not answer. Pure."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter, deque
from dataclasses import dataclass, field

SILENT = 3.5  # seconds without a sign of life after which the others leave a process its share
LONG_AGO = float("-inf")
UNKNOWN = 1.0  # seconds until the store is asked again where nothing else tells what is left


def share(rate: int, sharers: int) -> int:
    """What of a rate is one process's where each has as much."""
    return max(1, rate // sharers)


@dataclass(slots=True)
class SharedLog:
    """The passes of one allowance and who took them. Who has passed of late is promised a few of them for when it cannot ask.

    Half of its share, its passes among them, in the period that follows; the others leave it what it has not used of that until
    those would have been given back. So there are never more than ``rate`` in a ``period``, whatever each does with its promise.
    """

    passes: list[tuple[float, str]] = field(default_factory=list)
    promises: dict[str, tuple[int, float]] = field(default_factory=dict)

    def hear(self, now: float, who: str, alone: tuple[float, ...]) -> None:
        """How long ago somebody took passes without asking."""
        for ago in alone:
            insort(self.passes, (now - ago, who))

    def promised(self, who: str) -> int:
        """How many of a period are promised."""
        return self.promises.get(who, (0, 0.0))[0]

    def take(self, now: float, rate: int, period: float, who: str, sharers: int) -> tuple[float, int]:
        """Seconds to wait (0: one more is theirs), and how many are promised."""
        del self.passes[: bisect_right(self.passes, now - period, key=lambda each: each[0])]
        used = Counter(each for _, each in self.passes)
        self.promises = {each: promise for each, promise in self.promises.items() if now < promise[1]}
        left = sum(max(0, count - used[each]) for each, (count, _) in self.promises.items() if each != who)
        room = rate - len(self.passes) - left
        if room < 1:
            oldest = self.passes[min(-room, len(self.passes) - 1)][0] if self.passes else now + UNKNOWN - period
            return oldest + period - now, self.promised(who)
        insort(self.passes, (now, who))
        self.promises[who] = (min(share(rate, sharers) // 2, used[who] + room), now + 2 * period)
        return 0.0, self.promised(who)


@dataclass(slots=True)
class OwnPasses:
    """The passes of one allowance that this process took, by its own clock; of these ``untold`` while it could not ask."""

    mine: deque[float] = field(default_factory=deque)
    untold: list[float] = field(default_factory=list)
    promised: int = 0
    promised_until: float = LONG_AGO

    def count(self, now: float, period: float) -> int:
        """How many of the last ``period`` seconds are ours."""
        while self.mine and self.mine[0] <= now - period:
            self.mine.popleft()
        return len(self.mine)

    def tell(self, now: float, period: float) -> tuple[float, ...]:
        """How long ago passes were taken that the store does not know of."""
        return tuple(now - at for at in self.untold if at > now - period)

    def told(self, asked: float, now: float, period: float, promised: int, *, taken: bool) -> None:
        """The store has answered what it was ``asked`` at a moment: it knows of all that were taken before, and promises so many."""
        self.untold = [at for at in self.untold if at > asked]
        self.promised = promised
        if taken:
            self.mine.append(now)
            self.promised_until = asked + period

    def take_alone(self, now: float, rate: int, period: float, sharers: int, heard: float) -> float:
        """Take one without the store. Seconds to wait; 0: taken.

        ``heard``: when the store last said anything. At first only what was promised is left by the others; and this process's share,
        once a whole period has gone by since they began to leave it that.
        """
        reserved = heard + SILENT + period
        if now < reserved:
            if now >= self.promised_until or self.count(now, period) >= self.promised:
                return min(UNKNOWN, reserved - now)
        elif wait := self.wait_for_share(now, rate, period, sharers):
            return wait
        self.mine.append(now)
        self.untold.append(now)
        return 0.0

    def wait_for_share(self, now: float, rate: int, period: float, sharers: int) -> float:
        """Seconds until this process has taken less than its share of the rate; 0 where it has now."""
        if rate < sharers:  # one each, in as much longer a time: on average only
            period *= -(-sharers // rate)
        count, most = self.count(now, period), share(rate, sharers)
        return 0.0 if count < most else max(0.001, self.mine[count - most] + period - now)
