"""Read all that happened in a span of time from every source, oldest first, and say up to when all of it is known.

Where a source has more than can be read at once, its time is halved; where it fails or asks for quiet, what was read up to
there stands, and the rest is for the next time. The end of what is known never passes a moment that was not read.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from orchestrator.answer.gaps import problem_of
from orchestrator.digests.wording import say
from orchestrator.model import Ask, Lane, Outcome, Plan, Status
from translators.match import happened
from translators.query import EVERYTHING, Compare, Field, Op, Query, QueryType, Sort, all_of
from translators.records import record
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.model import HitList, Principal
    from translators.query import Clause
    from translators.translator import NativeQuery

READ = frozenset({Status.OK, Status.EMPTY})
SMALLEST = timedelta(minutes=1)  # no source has so much to say in less
LEAST = 0.5  # seconds that a request is given
NAME = "digest"


class Gathers(Protocol):
    """What scanning needs of the engine: :meth:`orchestrator.engine.Engine.gather`."""

    async def gather(self, ask: Ask, query: Query, most: int) -> tuple[Plan, tuple[Outcome, ...]]: ...


@record
class ScanOptions:
    """How to read: as whom, at which moment, what it is limited to, in which language, with what patience.

    ``budget``: seconds for everything; ``hits``: of one source at once.
    """

    principal: Principal
    now: datetime
    language: str = "en"
    where: Clause = EVERYTHING
    budget: float = 300.0
    hits: int = 500

    def query(self, where: Clause) -> Query:
        """What is asked of sources: no words of its own, the newest first."""
        zone = getattr(self.now.tzinfo, "key", "UTC")
        return Query("", all_of((where, self.where)), QueryType.STATUS, Sort.NEWEST, self.hits, zone, self.language)


@record
class ScanWindow:
    """Moments ``[since, until)`` of one source."""

    source: str
    since: datetime
    until: datetime


@record
class ScanResult:
    """What one source had: all that happened in its span up to ``covered``. ``problem``: why not further, or what is missing."""

    span: ScanWindow
    covered: datetime
    outcome: Outcome | None = None
    plan: Plan | None = None
    problem: str = ""


async def scan(engine: Gathers, reading: ScanOptions, spans: Sequence[ScanWindow]) -> tuple[ScanResult, ...]:
    """All spans at once. A source that fails is a value."""
    deadline = asyncio.get_running_loop().time() + reading.budget
    return tuple(await asyncio.gather(*(_Scan(engine, reading, span, deadline).whole() for span in spans)))


class _Scan:
    """One source, window by window."""

    def __init__(self, engine: Gathers, reading: ScanOptions, span: ScanWindow, deadline: float) -> None:
        self._engine = engine
        self._reading = reading
        self._span = span
        self._deadline = deadline
        self._lists: list[HitList] = []
        self._last: Outcome | None = None
        self._plan: Plan | None = None
        self._asked: tuple[NativeQuery, ...] = ()
        self._problems: dict[str, None] = {}

    async def whole(self) -> ScanResult:
        waiting = [(self._span.since, self._span.until)]
        covered = self._span.since
        while waiting:
            since, until = waiting.pop()
            if since >= until:
                continue
            outcome = await self._ask(since, until)
            if outcome is None or outcome.status not in READ:
                self._problems[self._trouble(outcome)] = None
                break
            self._problems |= dict.fromkeys(said_in(note, self._reading.language) for note in outcome.notes)
            narrower = self._narrower(outcome)
            if _is_whole(outcome, since):
                covered = until
            elif until - since > SMALLEST and narrower:
                middle = since + (until - since) / 2
                waiting += [(middle, until), (since, middle)]
            else:  # neither to be read at once nor in parts
                covered = until
                self._problems[self._dense(since, until)] = None
        return self._found(covered)

    async def _ask(self, since: datetime, until: datetime) -> Outcome | None:
        left = self._deadline - asyncio.get_running_loop().time()
        if left < LEAST:
            return None
        reading = self._reading
        ask = Ask(
            NAME, reading.now, reading.principal, (self._span.source,), reading.hits, budget=left, lane=Lane.DIGEST
        )
        bounds = (Compare(Field.TIME, Op.GE, since), Compare(Field.TIME, Op.LT, until))
        self._plan, outcomes = await self._engine.gather(ask, reading.query(all_of(bounds)), reading.hits)
        self._last = next(iter(outcomes), None)
        if self._last is not None:
            self._lists += self._last.lists
        return self._last

    def _narrower(self, outcome: Outcome) -> bool:
        """Whether asking for less time asks for less: not of a source that knows no time, or whole days only."""
        before, self._asked = self._asked, outcome.sent
        return before != outcome.sent

    def _trouble(self, outcome: Outcome | None) -> str:
        if outcome is None or self._plan is None:
            return say(self._reading.language, "no_reason")
        return problem_of(outcome, self._plan)

    def _dense(self, since: datetime, until: datetime) -> str:
        zone = self._reading.now.tzinfo
        told = [moment.astimezone(zone).strftime("%Y-%m-%d %H:%M") for moment in (since, until)]
        return say(self._reading.language, "dense", count=self._reading.hits, since=told[0], until=told[1])

    def _found(self, covered: datetime) -> ScanResult:
        outcome = None if self._last is None else replace(self._last, lists=tuple(self._lists))
        return ScanResult(self._span, covered, outcome, self._plan, "; ".join(self._problems))


def _is_whole(outcome: Outcome, since: datetime) -> bool:
    """Whether nothing that happened since then was left unread."""
    return all(not each.more or _reaches_back(each, since) for each in outcome.lists)


def _reaches_back(found: HitList, since: datetime) -> bool:
    """The newest first, without exception, and the last from before: what follows is older still."""
    moments = [happened(hit) for hit in found.hits]
    known = [moment for moment in moments if moment is not None]
    ordered = len(known) == len(moments) and all(first >= second for first, second in pairwise(known))
    return ordered and bool(known) and known[-1] < since
