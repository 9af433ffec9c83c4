"""What happens to a question, in the order in which it happens, and what of its answer has been shown already.

>>> from orchestrator.model import Answer, Outcome, Plan, Status
>>> from translators.query import Category, Query
>>> def told(event: Event) -> str:
...     match event:
...         case Planned(plan):
...             return f"{len(plan.steps)} sources are asked"
...         case Arrived(outcome):
...             return f"{outcome.title}: {outcome.status}"
...         case Revised(answer, awaited):
...             return f"{len(answer.results)} results, still awaited: {', '.join(awaited)}"
...         case GatheringDone(plan, outcomes):
...             return f"{len(outcomes)} sources have answered"
...         case Answered(answer):
...             return f"the answer, of confidence {answer.confidence}"
>>> plan = Plan(Query("okta"), ())
>>> told(Planned(plan)), told(Arrived(Outcome("chat", "Slack", Category.CHAT, Status.EMPTY)))
('0 sources are asked', 'Slack: empty')
>>> told(Revised(Answer(plan, (), ()), ("wiki",))), told(GatheringDone(plan, ())), told(Answered(Answer(plan, (), ())))
('0 results, still awaited: wiki', '0 sources have answered', 'the answer, of confidence none')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer import numbers_seen
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from orchestrator.model import Answer, Outcome, Plan


@record
class Planned:
    """What will be asked where; nothing has been sent yet."""

    plan: Plan


@record
class Arrived:
    """One source is done, well or badly."""

    outcome: Outcome


@record
class Revised:
    """The answer by what has arrived so far, and the sources still to come. Its numbers will not change."""

    answer: Answer
    awaited: tuple[str, ...]


@record
class GatheringDone:
    """All that will be found has been, further rounds and texts included; what is left is to rank and to answer."""

    plan: Plan
    outcomes: tuple[Outcome, ...]


@record
class Answered:
    """The final answer."""

    answer: Answer


Event = Planned | Arrived | Revised | GatheringDone | Answered

BETWEEN_REVISIONS = 0.1  # seconds: faster than this nobody reads


class AnswerDraft:
    """What of an answer has been shown before it is complete."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seen: Mapping[tuple[str, str], int] = {}
        self._clock = clock
        self._last = -BETWEEN_REVISIONS

    def is_due(self, outcome: Outcome) -> bool:
        """Whether an outcome makes the answer so far worth showing anew."""
        return bool(outcome.hits) and self._clock() - self._last >= BETWEEN_REVISIONS

    def shown(self, answer: Answer) -> None:
        """It has been shown: its numbers stand from now on."""
        self._last = self._clock()
        self.seen = numbers_seen(answer, self.seen)
