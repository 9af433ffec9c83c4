"""A question that wants its answer from some sources alone ("Slack에서만"): the others are asked once, and stand behind."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from orchestrator.plan.lazily import lazily
from translators.match import fold
from translators.query import Compare, Container, Doubt, Field, Implied, Op, leaves
from translators.records import record
from translators.said import Said
from translators.translator import Loss, LossKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.model import Rung, Step
    from orchestrator.plan.profile import SourceProfile
    from translators.query import Only, Query

BESIDE = Said(
    "“{words}” wants the answer from {places} (sureness {strength:.1f} of 1, since it was not typed as source:…): asked once, without broadening, and listed behind"
)
NONE_SUCH = Said("“{words}”: no such source is connected, so all others were asked")


@record
class Alone:
    """The sources (by name) from which alone the answer is wanted; none where every source is as good."""

    wanted: frozenset[str] = frozenset()
    condition: Implied | None = None
    doubts: tuple[Doubt, ...] = ()

    @classmethod
    def of(cls, query: Query, profiles: Sequence[SourceProfile]) -> Alone:
        """Those that are called by the question's words, else those of that kind."""
        if query.only is None:
            return cls()
        if not (wanted := _called(query.only, profiles)):
            return cls(doubts=(Doubt("unknown_source", NONE_SUCH.filled(words=query.only.words)),))
        titles = ", ".join(profile.title for profile in profiles if profile.name in wanted)
        place = Compare(Field.CONTAINER, Op.EQ, Container(titles))
        return cls(wanted, Implied(place, query.only.strength, query.only.words))

    def asked(self, step: Step) -> Step:
        """A step as it is; that of another source cut to its first rung, which says why."""
        if self.condition is None or step.source in self.wanted:
            return step
        return replace(step, rungs=_once(step.rungs, self.condition), beside=self.condition)


def _called(only: Only, profiles: Sequence[SourceProfile]) -> frozenset[str]:
    found: set[str] = set()
    for names, category in only.places:
        named = {each.name for each in profiles if not {fold(each.name), fold(each.title)}.isdisjoint(names)}
        found |= named or {each.name for each in profiles if each.category is category}
    return frozenset(found)


def _places(condition: Implied) -> str:
    return ", ".join(str(leaf.value) for leaf in leaves(condition.clause) if isinstance(leaf, Compare))


@lazily
def _once(rungs: Sequence[Rung], condition: Implied) -> Iterator[Rung]:
    reason = BESIDE.filled(words=condition.words, places=_places(condition), strength=condition.strength)
    for rung in islice(rungs, 1):
        told = (
            replace(each, losses=(*each.losses, Loss(LossKind.ORDERED, str(condition.clause), reason)))
            for each in rung.translations
        )
        yield replace(rung, translations=tuple(told))
