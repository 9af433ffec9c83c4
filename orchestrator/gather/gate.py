"""The gate in front of one source: the vendor's rate limit, whose turn it is (priority), and the pauses that the vendor asks for."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from asyncio_throttle.throttler import Throttler

from connectors.errors import Throttled
from orchestrator.gather.ledger import ALONE
from orchestrator.model import Lane
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


@dataclass(order=True, slots=True)
class Ticket:
    """Somebody who waits: by lane, within a lane by arrival."""

    lane: Lane
    number: int
    granted: asyncio.Future[None] = field(compare=False)


class Allowance:
    """One of a vendor's rates: at most ``rate`` passes in ``period`` seconds, in any window (a sliding log).

    Whoever waits longest in the highest lane passes next. One watcher waits for the next free place and gives it to
    whoever is first in line at that moment, so that a person is not behind a digest that came earlier.
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
        self._passed: deque[float] = deque()

    async def take(self, lane: Lane) -> None:
        """Wait for a place. Where nobody waits and one is free, which is nearly always, nothing needs to watch for it."""
        if self._ledger is ALONE and not self._line and self._used() < self.rate:
            await self._throttler.acquire()  # type: ignore[no-untyped-call]
            self._passed.append(asyncio.get_running_loop().time())
            return
        ticket = Ticket(lane, next(self._numbers), asyncio.get_running_loop().create_future())
        heapq.heappush(self._line, ticket)
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch(), name="watch for a turn")
        try:
            await ticket.granted
        finally:
            if ticket in self._line:
                self._line.remove(ticket)
                heapq.heapify(self._line)
            if not self._line:
                self._watcher.cancel()

    async def _watch(self) -> None:
        while self._line:
            await self._throttler.acquire()  # type: ignore[no-untyped-call]
            await self._agree()
            while self._line:
                ticket = heapq.heappop(self._line)
                if not ticket.granted.done():  # who has just left is still in line
                    ticket.granted.set_result(None)
                    self._passed.append(asyncio.get_running_loop().time())
                    break

    async def _agree(self) -> None:
        """A pass among all processes. A pause that another was told ends the wait: who is let through sees it."""
        while True:
            verdict = await self._ledger.take(self._key, self.rate, self.period)
            if verdict.pause > 0:
                self.pause(verdict.pause)
            if verdict.wait <= 0:
                return
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
        return max(0, self.rate - self._used() - len(self._line))

    def wait(self, lane: Lane) -> float:
        """Seconds until whoever comes now would have a place, by what this process used; 0 where that is not known."""
        taken = self._used()
        short = taken + sum(ticket.lane <= lane for ticket in self._line) + 1 - self.rate
        if short <= 0 or not taken:
            return 0.0
        windows, place = divmod(short - 1, self.rate)
        freed = self._passed[min(place, taken - 1)] + self.period * (windows + 1)
        return freed - asyncio.get_running_loop().time()

    def _used(self) -> int:
        """How many places of the current window are taken; older passes are forgotten."""
        since = asyncio.get_running_loop().time() - self.period
        while self._passed and self._passed[0] <= since:
            self._passed.popleft()
        return len(self._passed)


class Demand:
    """How many questions come, to share out what a source allows among them.

    The mean of those of the last ``period`` seconds and of ``expected`` a minute, which counts as :data:`TRUSTED` seconds of
    watching.
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

    def to_come(self, now: float) -> float:
        """How many are to be expected within a period, beside the one that came last."""
        if self._began is None:
            return self._expected * self._period
        watched = min(self._period, now - self._began)
        return (len(self._came) - 1 + self._expected * TRUSTED) / (watched + TRUSTED) * self._period


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

    async def enter(self, bucket: str = "", lane: Lane = Lane.INTERACTIVE, patience: float = 0.0) -> None:
        """Wait for a turn. Raises :class:`Throttled` while the source has asked for quiet longer than ``patience``."""
        await self._sit_out(bucket, patience)
        await self._allowance(bucket).take(lane)
        while self.remaining_pause(bucket):  # asked for while we waited: a new pass is due when it is over
            await self._sit_out(bucket, patience)
            await self._allowance(bucket).take(lane)
        for each in {bucket, ""}:
            self._allowance(each).tried()

    def wait(self, bucket: str = "", lane: Lane = Lane.INTERACTIVE) -> float:
        """Seconds until whoever comes now would have a turn, as far as that is known; pauses apart."""
        return self._allowance(bucket).wait(lane)

    def arrived(self) -> None:
        """One more question is about to ask this source."""
        self._demand.arrived(asyncio.get_running_loop().time())

    def share(self, spent: int = 0, bucket: str | None = None) -> int:
        """Requests that a question that has sent ``spent`` may send yet, so that those to be expected meanwhile may send as many.

        ``bucket``: of searches, where it is not named.
        """
        free = self._allowance(self._limits.searches if bucket is None else bucket).free
        to_come = self._demand.to_come(asyncio.get_running_loop().time())
        return max(0, int((free + spent) / (1.0 + to_come)) - spent)

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
        """The pause that a source has asked for. What ``throttled`` then says is when it is asked again."""
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
