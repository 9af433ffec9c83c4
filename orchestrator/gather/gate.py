"""The gate in front of one source: the vendor's rate limit, and the pauses that the vendor asks for."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from typing import TYPE_CHECKING, ClassVar

from asyncio_throttle.throttler import Throttler

from connectors.errors import Throttled
from orchestrator.gather.ledger import ALONE
from orchestrator.gather.queueing import NOBODY, Comer, Passes, Ticket
from translators.said import Said

if TYPE_CHECKING:
    from connectors.manifest import Limits, Rate
    from orchestrator.gather.ledger import Ledger

DEFAULT_PAUSE = 10.0  # seconds, where a source says "too many" but not for how long
# Seconds. A clock or a proxy that is wrong asks for years, and a source that means an hour bears one question in five
# minutes; that one is alone for a moment, so that the others learn from it.
LONGEST_PAUSE = 300.0
TRIAL = 5.0
TRUSTED = 10.0  # seconds of watching that count as much as what is expected

LIMIT = Said("{rate} requests in {period:g} s")
PAUSED = Said("asked for a pause; {left:.0f} s of it are left")
PAUSED_LONG = Said("asked for a pause longer than we wait at a time; one question tries it again in {left:.0f} s")


class OutOfTurn(Throttled):
    """Our own limit for a source has no place left in time; ``retry_after``: seconds until one should be free."""

    code: ClassVar[str] = "own_rate_limit"


class Allowance:
    """One of a vendor's rates: at most ``rate`` passes in ``period`` seconds, in any window.

    One watcher waits for the next free place and gives it to whoever is next at that moment (:class:`Passes`), so that a
    person is not behind a digest that came earlier.
    """

    def __init__(self, key: str, rate: int, period: float, ledger: Ledger) -> None:
        self.rate, self.period = rate, period
        self._key = key
        self._ledger = ledger
        self.paused_until = 0.0
        self.is_cut_short = False
        self._throttler = Throttler(rate, period)
        self._line: list[Ticket] = []
        self._numbers = itertools.count()
        self._watcher: asyncio.Task[None] | None = None
        self._passed = Passes(period)

    async def take(self, comer: Comer) -> bool:
        """Wait for a place; whether it was given, or a pause ended the wait. Where nobody waits and one is free, nothing needs to watch for it."""
        if self._ledger is ALONE and not self._line and len(self._passed) < self.rate:
            await self._throttler.acquire()  # type: ignore[no-untyped-call]
            self._passed.note(comer)
            return True
        ticket = Ticket(comer, next(self._numbers), asyncio.get_running_loop().create_future())
        self._line.append(ticket)
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch(), name="watch for a turn")
        try:
            return await ticket.granted
        finally:
            if ticket in self._line:
                self._line.remove(ticket)
            if not self._line:
                self._watcher.cancel()

    async def _watch(self) -> None:
        while self._line:
            await self._throttler.acquire()  # type: ignore[no-untyped-call]
            agreed = await self._agree()
            waiting = (each for each in self._line if not each.granted.done())  # who has just left is still in line
            if ordered := self._passed.in_turn(waiting):
                self._line.remove(ordered[0])
                ordered[0].granted.set_result(agreed)
                if agreed:
                    self._passed.note(ordered[0].comer)

    async def _agree(self) -> bool:
        """A pass among all processes; ``False`` where a pause that another was told ends the wait."""
        while True:
            verdict = await self._ledger.take(self._key, self.rate, self.period)
            if verdict.pause > 0:
                self.pause(verdict.pause)
                return False
            if verdict.wait <= 0:
                return True
            await asyncio.sleep(verdict.wait)

    def pause(self, seconds: float) -> None:
        """Let nobody through for a while, :data:`LONGEST_PAUSE` at most; a longer pause already running stands."""
        self.is_cut_short = self.is_cut_short or seconds > LONGEST_PAUSE
        until = asyncio.get_running_loop().time() + min(seconds, LONGEST_PAUSE)
        self.paused_until = max(self.paused_until, until)

    def tried(self) -> None:
        """Somebody has passed. After a pause that was cut short the others wait for what becomes of that."""
        if self.is_cut_short:
            self.is_cut_short = False
            self.paused_until = asyncio.get_running_loop().time() + TRIAL

    @property
    def spare(self) -> float:
        """The share of the rate that is free now, by what this process used of it: 1 is all."""
        return self.free / self.rate

    @property
    def free(self) -> int:
        """How many places are free now, by what this process used."""
        return max(0, self.rate - len(self._passed) - len(self._line))

    def wait(self, comer: Comer) -> float:
        """Seconds until whoever comes now would have a place, by what this process used; 0 where that is not known."""
        taken = len(self._passed)
        short = taken + self._before(comer) + 1 - self.rate
        if short <= 0 or not taken:
            return 0.0
        windows, place = divmod(short - 1, self.rate)
        freed = next(itertools.islice(self._passed.freed(), min(place, taken - 1), None)) + self.period * windows
        return freed - asyncio.get_running_loop().time()

    @property
    def given_back(self) -> float:
        """Seconds until the next place that is taken is given back; the whole period where none is."""
        now = asyncio.get_running_loop().time()
        return next(self._passed.freed(), now + self.period) - now

    def surplus(self, rate: float, patience: float) -> float:
        """Places beside those that ``rate`` more comers a second will need, each of whom takes one, until those taken now are given back.

        Whoever has ``patience`` lets those go first who come within those seconds, and needs no place before.
        """
        free, now = self.free, asyncio.get_running_loop().time()
        least = free + len(self._passed) - rate * self.period
        for given_back, at in enumerate(self._passed.freed()):
            if at - now > patience:
                least = min(least, free + given_back - rate * (at - now))
        return least

    def _before(self, comer: Comer) -> int:
        """How many of those who wait would go before whoever comes now."""
        if not self._line:
            return 0
        last = Ticket(comer, next(self._numbers), asyncio.get_running_loop().create_future())
        return self._passed.in_turn((*self._line, last)).index(last)


class Demand:
    """How many questions come, to share out what a source allows among them.

    The mean of those of the last ``period`` seconds and of ``expected`` a minute, which counts as :data:`TRUSTED` seconds of
    watching; at least as many as have come since the first of them, so that a crowd is not taken for a few.
    """

    def __init__(self, period: float, expected: float) -> None:
        self._period = period
        self._expected = expected / 60.0
        self._began: float | None = None
        self._came: deque[float] = deque()

    def arrived(self, now: float) -> None:
        """One more, at ``now`` on the loop's clock."""
        self._began = now if self._began is None else self._began
        self._came.append(now)
        while self._came[0] <= now - self._period:
            self._came.popleft()

    def rate(self, now: float) -> float:
        """How many are to be expected a second, beside the one that came last."""
        if self._began is None or not self._came:
            return self._expected
        watched, further = min(self._period, now - self._began), len(self._came) - 1
        mean = (further + self._expected * TRUSTED) / (watched + TRUSTED)
        return max(mean, further / max(TRUSTED, now - self._came[0]))

    def to_come(self, now: float) -> float:
        """The same within a period."""
        return self.rate(now) * self._period


class Gate:
    """The allowances of one source and one credential. A source may have several (Slack counts each method apart).

    ``key``: what the source is called in the ``ledger``, where processes share their limits. ``expected``: questions a minute
    that are reckoned with before any have come.
    """

    def __init__(self, limits: Limits, key: str = "", ledger: Ledger = ALONE, expected: float = 0.0) -> None:
        self._limits = limits
        self._demand = Demand(limits.period, expected)
        self._key = key
        self._ledger = ledger
        self._allowances: dict[str, Allowance] = {}

    async def enter(self, bucket: str = "", comer: Comer = NOBODY, patience: float = 0.0) -> None:
        """Wait for a turn. Raises :class:`Throttled` while the source has asked for quiet longer than ``patience``."""
        await self._sit_out(bucket, patience)
        # A pause that was asked for while we waited: a new pass is due when it is over, which it may be by now.
        while not await self._allowance(bucket).take(comer) or self.remaining_pause(bucket):
            await self._sit_out(bucket, patience)
        for each in {bucket, ""}:
            self._allowance(each).tried()

    def wait(self, bucket: str = "", comer: Comer = NOBODY) -> float:
        """Seconds until whoever comes now would have a turn, as far as that is known; pauses apart."""
        return self._allowance(bucket).wait(comer)

    def given_back(self, bucket: str = "") -> float:
        """Seconds until the next place is free that is taken now, or until the period is over."""
        return self._allowance(bucket).given_back

    def arrived(self) -> None:
        """One more question is about to ask this source."""
        self._demand.arrived(asyncio.get_running_loop().time())

    def share(self, spent: int = 0, bucket: str | None = None) -> int:
        """Requests that a question that has sent ``spent`` may send yet, so that those to be expected meanwhile may send as many.

        None is taken from their first requests. ``bucket``: of searches, where it is not named.
        """
        free = self._allowance(self._limits.searches if bucket is None else bucket).free
        to_come = self._demand.to_come(asyncio.get_running_loop().time())
        fair = int((free + spent) / (1.0 + to_come)) - spent
        return max(0, min(fair, int(self.surplus(bucket))))

    def surplus(self, bucket: str | None = None, patience: float = 0.0) -> float:
        """Requests that may be sent within ``patience`` beside the first of each question that is to be expected before places are given back."""
        rate = self._demand.rate(asyncio.get_running_loop().time())
        return self._allowance(self._limits.searches if bucket is None else bucket).surplus(rate, patience)

    @property
    def searches(self) -> tuple[int, Rate]:
        """Of the allowance in which a search counts: how many requests are free now, by what this process used, and the rate."""
        bucket = self._limits.searches
        return 0 if self.remaining_pause(bucket) else self._allowance(bucket).free, self._limit(bucket)

    async def pause(self, seconds: float | None, bucket: str = "") -> None:
        """Let nobody through for ``seconds``, in no process; a longer pause already running stands."""
        wait = DEFAULT_PAUSE if seconds is None else seconds
        self._allowance(bucket).pause(wait)
        await self._ledger.pause(self._name(bucket), min(wait, LONGEST_PAUSE))

    async def heed(self, throttled: Throttled, /) -> None:
        """The pause that a source has asked for. What ``throttled`` then says is when it is asked again.

        That there was no turn with us is no wish of the source.
        """
        if isinstance(throttled, OutOfTurn):
            return
        asked = throttled.retry_after
        if asked is not None:
            throttled.retry_after = min(asked, LONGEST_PAUSE)
        await self.pause(asked, throttled.bucket)

    def remaining_pause(self, bucket: str = "") -> float:
        """Seconds until the source may be asked again; 0 if now. A pause of the whole source holds for every bucket."""
        until = max(self._allowance(each).paused_until for each in {bucket, ""})
        return max(0.0, until - asyncio.get_running_loop().time())

    @property
    def spare(self) -> float:
        """The share of the rate that is free now, in the bucket that has least."""
        if any(self.remaining_pause(bucket) for bucket in tuple(self._allowances)):
            return 0.0
        return min((each.spare for each in self._allowances.values()), default=1.0)

    @property
    def trouble(self) -> Said:
        """Why the limit is kept by this process alone, though it is to be shared; empty if all is well."""
        return self._ledger.trouble

    def describe(self, bucket: str = "") -> Said:
        """The limit that holds for a bucket, in words."""
        limit = self._limit(bucket)
        return LIMIT.filled(rate=limit.rate, period=limit.period)

    def _limit(self, bucket: str) -> Rate:
        return self._limits.buckets.get(bucket, self._limits)

    def _allowance(self, bucket: str) -> Allowance:
        if bucket not in self._allowances:
            limit = self._limit(bucket)
            self._allowances[bucket] = Allowance(self._name(bucket), limit.rate, limit.period, self._ledger)
        return self._allowances[bucket]

    def _name(self, bucket: str) -> str:
        return f"{self._key}:{bucket}"

    async def _sit_out(self, bucket: str, patience: float) -> None:
        left = self.remaining_pause(bucket)
        if left > patience:
            cut = any(self._allowance(each).is_cut_short for each in {bucket, ""})
            raise Throttled((PAUSED_LONG if cut else PAUSED).filled(left=left), left, bucket)
        if left > 0:
            await asyncio.sleep(left)
