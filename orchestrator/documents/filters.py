"""Whether a source heeds what its declaration says that it filters by: asked for things whose answers are known, from what it has just returned."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Outcome

    HitValue = Callable[[Hit], str]

APART = timedelta(days=3)  # between two results, so that a day between them is neither's, in no zone
FilterVerdict = Literal["exact", "wider", "unheeded", "narrower", "undeclared"]


@dataclass(frozen=True, slots=True)
class FilterProbe:
    """One condition, as it is typed, that some results of a question meet and others do not. ``power``: its key in ``[can]``."""

    power: str
    typed: str
    meets: Callable[[Hit], bool]

    def judged(self, before: Outcome, after: Outcome) -> tuple[FilterVerdict, int, int]:
        """What comes of it: how it is heeded, how many results do not meet it, and how many that do are left out.

        ``before``: the results without it; ``after``: with it.
        """
        if not any(self._is_in(name) for native in after.sent for name in native.args):
            return "undeclared", 0, 0
        wrong = sum(not self.meets(hit) for hit in after.hits)
        there = {hit.id for hit in after.hits}
        lost = sum(self.meets(hit) and hit.id not in there for hit in before.hits)
        if lost:
            return "narrower", wrong, lost
        if not wrong:
            return "exact", 0, 0
        heeded = wrong < sum(not self.meets(hit) for hit in before.hits)
        return ("wider" if heeded else "unheeded"), wrong, 0

    def _is_in(self, argument: str) -> bool:
        return argument == self.power or (self.power == "time" and argument.endswith("since"))


def filter_probes(hits: Sequence[Hit]) -> Iterator[FilterProbe]:
    """What can be asked about these results, whose answers they know themselves."""
    names: tuple[tuple[str, str, HitValue], ...] = (("author", "from", _author), ("container", "in", _container))
    for power, operator, value in names:
        known = Counter(value(hit) for hit in hits)
        chosen = next((name for name, count in known.most_common() if name and count < len(hits)), "")
        if chosen:
            yield FilterProbe(power, f'{operator}:"{chosen}"', _being(value, chosen))
    days = sorted(day for hit in hits if (day := _day(hit)))
    gap, begin = max(((later - sooner, sooner) for sooner, later in pairwise(days)), default=(timedelta(), date.min))
    if gap >= APART:
        between = begin + gap / 2
        yield FilterProbe("time", f"after:{between.isoformat()}", lambda hit: (_day(hit) or between) > between)


def _being(value: HitValue, chosen: str) -> Callable[[Hit], bool]:
    return lambda hit: value(hit) == chosen


def _author(hit: Hit) -> str:
    return (hit.author.name or "").replace('"', "") if hit.author else ""


def _container(hit: Hit) -> str:
    return (hit.container.name or "").replace('"', "") if hit.container else ""


def _day(hit: Hit) -> date | None:
    moment = hit.updated or hit.created
    return moment.date() if moment else None
