"""The circuit breaker of one source: after several failures of a kind it is left alone for a while, then asked once to see."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from connectors.errors import SourceError
from orchestrator.gather.ledger import ALONE
from orchestrator.model import Lane
from translators.records import record
from translators.said import UNSAID, Said, in_every_language, quoting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.gather.ledger import Ledger


@record
class Patience:
    """How many failures in a row are borne, and seconds of rest after them: the first time and at most."""

    failures: int
    rest: float
    most: float = 300.0


# By the stable code of the failure. What depends on the question (rejected, throttled) says nothing of the source's
# health; a refused credential does not mend by asking again, but people do mend it, and expect that to show soon.
PATIENCE: Mapping[str, Patience] = MappingProxyType(
    {
        "unavailable": Patience(3, 10.0, 40.0),  # one question in so many seconds finds out that it is back
        "timed_out": Patience(3, 10.0, 40.0),
        "bad_reply": Patience(5, 30.0),
        "connector_bug": Patience(3, 30.0),
        "unauthenticated": Patience(1, 15.0, 60.0),
        "forbidden": Patience(3, 15.0, 60.0),
        "misconfigured": Patience(1, 15.0, 60.0),
    }
)

WELL = 300.0  # seconds for which processes tell each other that a source works again: as long as one may leave it alone
TRIAL = 5.0  # seconds in which whoever tries a source that rested must have been answered

LEFT_ALONE = Said("left alone {waits}, after it failed {count} times ({code}: {said})")
RESTS = Said("for {left:.0f} s more")
RESTING = Said("left alone for {left:.0f} s more ({code})")
TRIED_AGAIN = Said("will be tried again ({code})")
TRIED = Said("until another question has tried it")


class Suspended(SourceError):
    """Not asked, because it failed several times just before. ``retry_after``: seconds until it is tried again."""

    code: ClassVar[str] = "suspended"

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(slots=True)
class Run:
    """Failures of one kind in a row, how often that has led to a rest, and the last one's words."""

    failures: int = 0
    rests: int = 0
    until: float = 0.0
    said: Said = UNSAID


@record
class Trial:
    """Who tries a source for all, and until when nobody else of the same lane does."""

    lane: Lane
    until: float


class Breaker:
    """Closed (ask), open (do not) or half open (one may try), apart for each kind of failure.

    ``key``: what the source is called in the ``ledger``, where processes tell each other of a source that rests.
    """

    def __init__(self, key: str = "", ledger: Ledger = ALONE) -> None:
        self._key, self._well = f"rest:{key}", f"well:{key}"
        self._ledger = ledger
        self._runs: dict[str, Run] = {}
        self._trial: Trial | None = None

    async def check(self, lane: Lane = Lane.INTERACTIVE) -> None:
        """Raise :class:`Suspended` while open. When a rest is over the first to come is let through to see.

        So is the next where that one takes longer than :data:`TRIAL`, or at once where it is in a higher ``lane``: no
        person is refused for the sake of a digest that has minutes.
        """
        await self.hear()
        resting = self._resting()
        if resting is None:
            return
        code, run = resting
        now = asyncio.get_running_loop().time()
        left = run.until - now
        if left <= 0 and (self._trial is None or self._trial.until <= now or lane < self._trial.lane):
            self._trial = Trial(lane, now + TRIAL)
            return
        waits = RESTS.filled(left=left) if left > 0 else TRIED
        raise Suspended(LEFT_ALONE.filled(waits=waits, count=run.failures, code=code, said=run.said), max(0.0, left))

    @property
    def rests(self) -> bool:
        """Whether it is open now, trials apart."""
        resting = self._resting()
        return resting is not None and resting[1].until > asyncio.get_running_loop().time()

    async def worked(self) -> None:
        """The source is well: everything held against it is forgotten, by everybody."""
        self._trial = None
        if self._resting() is not None:
            await self._ledger.forget(self._key)
            await self._ledger.put(self._well, b"1", WELL)
        self._runs.clear()

    async def failed(self, code: str, said: str = "") -> None:
        """One more failure of a kind; a failed probe rests the source anew, for twice as long.

        Many questions are under way when a source goes. Those that fail while it rests already were asked before: they say
        nothing new, and would otherwise make minutes out of a moment.
        """
        if self.rests:
            return
        self._trial = None
        if (patience := PATIENCE.get(code)) is None:
            return
        run = self._runs.setdefault(code, Run())
        run.failures += 1
        run.said = quoting(said)
        if run.failures >= patience.failures:
            rest = min(patience.most, patience.rest * 2**run.rests)
            run.rests += 1
            run.until = asyncio.get_running_loop().time() + rest
            await self._ledger.forget(self._well)
            await self._ledger.put(
                self._key, json.dumps([code, in_every_language(run.said), run.failures]).encode(), rest
            )

    def let_go(self) -> None:
        """A probe ended without telling anything (its asker left): the next may try."""
        self._trial = None

    def describe(self) -> Said:
        """The state in words; empty while closed."""
        resting = self._resting()
        if resting is None:
            return UNSAID
        code, run = resting
        left = run.until - asyncio.get_running_loop().time()
        return RESTING.filled(left=left, code=code) if left > 0 else TRIED_AGAIN.filled(code=code)

    async def hear(self) -> None:
        """Whether another process has found that the source needs rest, or that it works again: that ends a rest, and one tries."""
        if self._resting() is None:
            if (told := await self._ledger.get(self._key)) is not None:
                code, said, failures = json.loads(told[0])
                self._runs[code] = Run(failures, 1, asyncio.get_running_loop().time() + told[1], _told(said))
        elif self.rests and await self._ledger.get(self._well) is not None:  # said since: whoever fails takes it back
            now = asyncio.get_running_loop().time()
            for run in self._runs.values():
                run.until = min(run.until, now)

    def _resting(self) -> tuple[str, Run] | None:
        """The kind of failure that keeps it open longest."""
        open_ones = [(code, run) for code, run in self._runs.items() if run.until]
        return max(open_ones, key=lambda each: each[1].until, default=None)


def _told(said: dict[str, str] | list[str] | str) -> Said:
    """What another process has written down; one of an earlier release told the English alone, or first."""
    if isinstance(said, dict):
        return Said.given(said)
    return quoting(said if isinstance(said, str) else said[0])
