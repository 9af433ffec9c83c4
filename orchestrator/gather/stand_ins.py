"""Copies that another source keeps (the local index) stand in for a source that had no turn, and that is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.gather.gate import OutOfTurn
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from orchestrator.model import Outcome

KEPT_OF = "indexed_from"  # the fact of a hit that names the source that it is a copy of
KEPT = Said("{title} keeps {count} of its results that fit, as they were when it last read them")


def with_stand_ins(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The same, where a source was short and another has brought copies of what it holds: that they stand in."""
    return [_stood_in(each, outcomes) if _is_short(each) else each for each in outcomes]


def _is_short(outcome: Outcome) -> bool:
    return outcome.spared or (outcome.problem is not None and outcome.problem.code == OutOfTurn.code)


def _stood_in(outcome: Outcome, others: Iterable[Outcome]) -> Outcome:
    kept = Counter(other.title for other in others for hit in other.hits if hit.facts.get(KEPT_OF) == outcome.source)
    if not kept:
        return outcome
    notes = tuple(KEPT.filled(title=title, count=count) for title, count in kept.items())
    return replace(outcome, notes=(*outcome.notes, *notes), stood_in=True)
