"""A configured source at run time: its connector, and what is known of how it is doing.

Getting one source ready beside the questions: nobody's deadline ends it, and what failed is tried again by itself.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import field, replace
from typing import TYPE_CHECKING

from connectors.errors import SourceError, Unavailable
from orchestrator.gather.breaker import Breaker
from orchestrator.gather.gate import LIMIT
from orchestrator.gather.habit import Habit, Latency
from orchestrator.gather.mirror import mirror_of
from orchestrator.gather.outcomes import broken_by, trace
from storage.logs import log_of
from translators.records import record
from translators.said import UNSAID, Said, joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from connectors.contract import Connector
    from orchestrator.gather.gate import Gate
    from orchestrator.gather.mirror import Mirror
    from orchestrator.model import Principal

FIRST_REST, MOST_REST = 1.0, 30.0  # seconds between two attempts: the first time, doubled up to the most

log = log_of(__name__)


class Preparing:
    """What a connector loads, starts and reaches before its first question. Begun when first needed, done once."""

    def __init__(self, connector: Connector) -> None:
        self._connector = connector
        self._task: asyncio.Task[None] | None = None
        self._tried: asyncio.Future[None] | None = None
        self._failure: SourceError | None = None

    @property
    def failure(self) -> SourceError | None:
        """Why the last attempt failed; ``None`` while none did."""
        return self._failure

    @property
    def is_done(self) -> bool:
        """Whether nothing of it is left to wait for."""
        return self._task is not None and self._task.done() and self._failure is None

    def begin(self) -> asyncio.Future[None]:
        """Begin, unless that was done. What is returned is there when the first attempt has ended, however it did."""
        if self._task is None or self._tried is None:
            self._tried = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._try(self._tried), name=f"prepare {self._connector.name}")
        return self._tried

    async def ready(self) -> None:
        """Wait for the first attempt. Raises why the source cannot be asked.

        Later attempts are not waited for: until one succeeds, the failure of the last is told at once.
        """
        await asyncio.shield(self.begin())
        if self._failure is not None:
            raise self._failure.with_traceback(None)

    async def aclose(self) -> None:
        """Try no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _try(self, tried: asyncio.Future[None]) -> None:
        rest = FIRST_REST
        try:
            while (failure := await self._attempt()) is not None:
                if self._failure is None:
                    log.warning("not ready", source=self._connector.name, error=failure.code, said=failure.message)
                self._failure = failure
                if not tried.done():
                    tried.set_result(None)
                await asyncio.sleep(rest)
                rest = min(MOST_REST, rest * 2)
            if self._failure is not None:
                log.info("ready again", source=self._connector.name)
            self._failure = None
        finally:
            if not tried.done():
                tried.set_result(None)

    async def _attempt(self) -> SourceError | None:
        try:
            await self._connector.prepare()
        except SourceError as failure:
            return failure
        except Exception as failure:  # noqa: BLE001 — law 3: a broken connector must not hurt the other sources
            log.error("preparing failed", source=self._connector.name, **trace(failure))  # noqa: TRY400 — values may be secret
            return Unprepared(broken_by(failure))
        return None


class Unprepared(SourceError):
    """A bug in a connector, met before it was asked anything."""

    code = "connector_bug"


MOST_ASKERS = 10_000  # whose habits are remembered
ALWAYS: Callable[[], bool | None] = lambda: True  # noqa: E731 — the default of a field
FREE = Said("{free} of {limit} left")
QUESTIONS = Said("about {now} more questions now and {each_minute:g} a minute, at {cost:.1f} requests each")
AT_MOST = Said("{each_minute:g} questions a minute at most, at one request each")
QUIET = Said("wants quiet for {pause:.0f} s more")


@record
class Capacity:
    """What a source allows of searches: ``free`` requests now, of ``rate`` in ``period`` seconds. ``cost``: requests that a
    question has taken of late, none before the first. ``said``: all this and whether it is being left alone, in words.
    """

    free: int
    rate: int
    period: float
    cost: float | None
    said: Said

    @property
    def questions(self) -> int | None:
        """Questions that ``free`` is enough for; none where that is not known."""
        return int(self.free / self.cost) if self.cost else None

    @property
    def questions_a_minute(self) -> float | None:
        """Questions that the whole rate is enough for, again and again; none where that is not known."""
        return round(self.rate * 60.0 / self.period / self.cost, 1) if self.cost else None


@record
class Source:
    """One source that can be asked. What is known of how it is doing is shared by everybody who asks it.

    ``account``: by whose sign-in it is asked, where that is the asker's own: another one may see other things.
    ``habit``: what asking it brings, where that is the same for everybody; see :meth:`habit_of`. ``is_there``: whether it has
    anything yet; one that has not counts as none. ``None`` where nobody knows before it is prepared. ``mirror``: texts of it that its search does not know.
    """

    connector: Connector
    gate: Gate
    breaker: Breaker = field(default_factory=Breaker)
    latency: Latency = field(default_factory=Latency)
    habit: Habit = field(default_factory=Habit)
    account: str = ""
    is_there: Callable[[], bool | None] = ALWAYS
    preparing: Preparing = field(init=False)
    mirror: Mirror | None = field(init=False)
    _habits: OrderedDict[tuple[str, tuple[str, ...]], Habit] = field(default_factory=OrderedDict, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "preparing", Preparing(self.connector))
        object.__setattr__(self, "mirror", mirror_of(self.connector, self.gate, self.sound))

    def told(self, asker: Principal) -> tuple[str, tuple[str, ...]]:
        """Whom it hears that asks, and their groups: nobody, unless it shows each something else by that or by their own account.

        Who is told of no asker can show everybody the same alone; so that is remembered for everybody (law 7).
        """
        return (asker.id, asker.groups) if self.connector.manifest.by_asker or self.account else ("", ())

    def habit_of(self, principal: str, groups: tuple[str, ...]) -> Habit:
        """What asking it brings, to this asker alone where the source shows each of them something else (law 7).

        What was found for one would otherwise decide how the others' questions are put. Whoever has been quiet longest is forgotten first.
        """
        if not self.connector.manifest.by_asker:
            return self.habit
        habit = self._habits.setdefault((principal, groups), Habit())
        self._habits.move_to_end((principal, groups))
        if len(self._habits) > MOST_ASKERS:
            self._habits.popitem(last=False)
        return habit

    async def aclose(self) -> None:
        """Prepare and mirror no longer, and close the connector; safe to call twice."""
        if self.mirror is not None:
            await self.mirror.aclose()
        await self.preparing.aclose()
        await self.connector.aclose()

    async def sound(self) -> None:
        """Wait until it is ready. Raises :class:`SourceError` where it is not to be asked for what can wait."""
        await self.preparing.ready()
        if told := await self.unwell():
            raise Unavailable(told)

    async def unwell(self) -> Said | str:
        """Why it is not to be asked for what can wait, such as its health; empty where it may be."""
        await self.breaker.hear()
        if self.preparing.failure is not None:
            return self.preparing.failure.message
        return self.breaker.describe() if self.breaker.rests else ""

    async def standing(self, principal: str = "", groups: tuple[str, ...] = ()) -> Capacity:
        """What is left of its rate, what that is enough for of an asker's questions, and whether it is being left alone."""
        await self.breaker.hear()
        pause, (free, limit), cost = (
            self.gate.remaining_pause(),
            self.gate.searches,
            self.habit_of(principal, groups).question,
        )
        capacity = Capacity(free, limit.rate, limit.period, cost, UNSAID)
        enough = {"now": capacity.questions, "each_minute": capacity.questions_a_minute}
        parts = [
            QUESTIONS.filled(cost=cost, **enough)
            if cost
            else AT_MOST.filled(each_minute=limit.rate * 60.0 / limit.period),
            FREE.filled(free=free, limit=LIMIT.filled(rate=limit.rate, period=limit.period)),
            QUIET.filled(pause=pause) if pause else UNSAID,
            self.breaker.describe(),
            self.gate.trouble,
        ]
        return replace(capacity, said=joined("; ", filter(None, parts)))

    @property
    def name(self) -> str:
        """The configured name, unique in this installation."""
        return self.connector.name
