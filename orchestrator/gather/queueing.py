"""Whose turn it is where a source's rate does not serve everybody at once: nobody's hundred questions stand before another's first (fair queueing)."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.model import Lane
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
MEMORY = 5  # periods


@record
class Comer:
    """Whose request it is: in which lane, of which person, of which of their questions."""

    lane: Lane = Lane.INTERACTIVE
    person: str = ""
    question: Hashable = None

    @property
    def flows(self) -> tuple[Hashable, Hashable]:
        """The question and the person, each as whoever shares with others of its kind in one lane."""
        return (self.lane, self.person, self.question), (self.lane, self.person)


NOBODY = Comer()


@dataclass(eq=False, slots=True)
class Ticket:
    """Somebody who waits, numbered by arrival; in the end they are ``granted`` a place, or told that there is a pause."""

    comer: Comer
    number: int
    granted: asyncio.Future[bool] = field(repr=False)


class Passes:
    """Who has passed of late, and so who is next; how many of the places of any ``period`` seconds are taken (a sliding log).

    The highest lane goes first. In a lane that is who has had the fewest passes, of one person's questions likewise, then
    whoever came first. For that passes are remembered for :data:`MEMORY` periods: in a place that one leaves, another follows.
    """

    def __init__(self, period: float) -> None:
        self._period = period
        self._taken: deque[float] = deque()
        self._log: deque[tuple[float, Comer]] = deque()
        self._had: Counter[Hashable] = Counter()

    def note(self, comer: Comer) -> None:
        """One more has passed."""
        now = asyncio.get_running_loop().time()
        self._taken.append(now)
        self._log.append((now, comer))
        self._had.update(comer.flows)

    def __len__(self) -> int:
        """How many places of the current window are taken."""
        self._forget()
        return len(self._taken)

    def freed(self) -> Iterator[float]:
        """When the places that are taken are given back, the first first."""
        return (at + self._period for at in self._taken)

    def in_turn(self, line: Iterable[Ticket]) -> list[Ticket]:
        """Those who wait, whoever is next first."""
        self._forget()
        by_arrival = sorted(line, key=lambda each: (each.comer.lane, each.number))
        by_question = sorted(self._had_before(by_arrival, 0), key=lambda each: (each[1].comer.lane, each[0]))
        by_person = self._had_before((ticket for _, ticket in by_question), 1)
        ordered = sorted(by_person, key=lambda each: (each[1].comer.lane, each[0], each[1].number))
        return [ticket for _, ticket in ordered]

    def _had_before(self, tickets: Iterable[Ticket], kind: int) -> Iterator[tuple[int, Ticket]]:
        """Each with the passes that its flow will have had by then: of late, and by tickets that stand before it."""
        waiting: Counter[Hashable] = Counter()
        for ticket in tickets:
            flow = ticket.comer.flows[kind]
            yield self._had[flow] + waiting[flow], ticket
            waiting[flow] += 1

    def _forget(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._taken and self._taken[0] <= now - self._period:
            self._taken.popleft()
        while self._log and self._log[0][0] <= now - self._period * MEMORY:
            for flow in self._log.popleft()[1].flows:
                self._had[flow] -= 1
                if not self._had[flow]:
                    del self._had[flow]
