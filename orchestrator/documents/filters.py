"""Whether a source heeds what its declaration says that it filters by: asked for things whose answers are known, from what it has just returned."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from connectors.text import plain_line
from orchestrator.model import ANSWERED
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Outcome

    HitValue = Callable[[Hit], str]

APART = timedelta(days=3)  # between two results, so that a day between them is neither's, in no zone
FilterVerdict = Literal["exact", "wider", "unheeded", "narrower", "undeclared", "unanswered"]


@record
class FilterJudgment:
    """How a source heeds ``power``, by its key in ``[can]``, which was asked for as ``typed``: how many results do not meet it, and how many that do are left out.

    ``place``: what stands for it in a request; ``argument``: what its tool was given besides for that, which its declaration does not name;
    ``times``: in which form, of a moment.
    """

    power: str
    typed: str
    verdict: FilterVerdict
    wrong: int = 0
    lost: int = 0
    place: str = ""
    argument: str = ""
    times: str = ""

    @property
    def fidelity(self) -> str:
        """The same in the words of ``[can]``; empty where that was not asked."""
        if self.argument and self.power == "time":  # until when, it is not asked by that
            return "wider"
        heeded = {"exact": "exact", "wider": "wider", "undeclared": "", "unanswered": ""}
        return heeded.get(self.verdict, "none")


@record
class FilterProbe:
    """One condition, as it is typed, that some results of a question meet and others do not. ``power``: its key in ``[can]``."""

    power: str
    typed: str
    place: str
    meets: Callable[[Hit], bool]

    def judged(self, before: Outcome, after: Outcome) -> FilterJudgment:
        """What comes of it. ``before``: the results without it; ``after``: with it. Where no answer came nothing is missing from it."""
        if after.status not in ANSWERED:
            return FilterJudgment(self.power, self.typed, "unanswered")
        power = next((of for native in after.sent for name in native.args if (of := self._power(name))), "")
        if not power:
            return FilterJudgment(self.power, self.typed, "undeclared")
        wrong = sum(not self.meets(hit) for hit in after.hits)
        there = {hit.id for hit in after.hits}
        lost = sum(self.meets(hit) and hit.id not in there for hit in before.hits)
        if lost:
            return FilterJudgment(power, self.typed, "narrower", wrong, lost)
        if not wrong:
            return FilterJudgment(power, self.typed, "exact")
        heeded = wrong < sum(not self.meets(hit) for hit in before.hits)
        return FilterJudgment(power, self.typed, "wider" if heeded else "unheeded", wrong)

    def _power(self, argument: str) -> str:
        """What it is in ``[can]``, where this argument asks for it."""
        if self.power == "time" and argument.endswith("since"):
            return argument.removesuffix("since").removesuffix("_") or "time"
        return argument if argument == self.power else ""


def filter_probes(hits: Sequence[Hit]) -> Iterator[FilterProbe]:
    """What can be asked about these results, whose answers they know themselves."""
    names: tuple[tuple[str, str, HitValue], ...] = (("author", "from", _author), ("container", "in", _container))
    for power, operator, value in names:
        known = Counter(value(hit) for hit in hits)
        chosen = next((name for name, count in known.most_common() if name and count < len(hits)), "")
        if chosen:
            yield FilterProbe(power, f'{operator}:"{chosen}"', f"{{{power}}}", _being(value, chosen))
    days = sorted(day for hit in hits if (day := _day(hit)))
    gap, begin = max(((later - sooner, sooner) for sooner, later in pairwise(days)), default=(timedelta(), date.min))
    if gap >= APART:
        between = begin + gap / 2
        typed = f"after:{between.isoformat()}"
        yield FilterProbe("time", typed, "{since}", lambda hit: (_day(hit) or between) > between)


def _being(value: HitValue, chosen: str) -> Callable[[Hit], bool]:
    return lambda hit: value(hit) == chosen


def _author(hit: Hit) -> str:
    return _typed(hit.author.name if hit.author else "")


def _container(hit: Hit) -> str:
    return _typed(hit.container.name if hit.container else "")


def _typed(name: str | None) -> str:
    """A name as it can be typed between quotes."""
    return plain_line(name or "").replace('"', "").strip()


def _day(hit: Hit) -> date | None:
    moment = hit.updated or hit.created
    return moment.date() if moment else None
