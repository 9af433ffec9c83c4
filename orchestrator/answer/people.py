"""Who the results show to be concerned: those who are assigned, then those who wrote, with the results that show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.answer.cover import TermAlternatives, covered_by
from orchestrator.model import NAMED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.model import Result

PEOPLE = 3
NAMING = 10  # results whose people are named
HALF = 0.5
ASSIGNED = 2  # being assigned shows more than having written


@dataclass(slots=True)
class Concerned:
    """One person: the results that they are ``assigned`` to, and others that they have ``written``.

    ``named``: the question names a thing by its id, and this is its assignee.
    """

    name: str
    assigned: list[Result] = field(default_factory=list)
    written: list[Result] = field(default_factory=list)
    named: bool = False

    @property
    def worth(self) -> int:
        """How much speaks for them."""
        return ASSIGNED * len(self.assigned) + len(self.written)


def people_in(results: Sequence[Result], words: Mapping[str, TermAlternatives]) -> tuple[Concerned, ...]:
    """At most ``PEOPLE``: the assignee of what is named, then those with most evidence; only results on the matter are any."""
    known: dict[str, Concerned] = {}
    for result in results[:NAMING]:
        if words and len(covered_by((result,), words)) < HALF * len(words):
            continue
        hit = result.hit
        if hit.assignee and hit.assignee.name:
            person = _of(known, hit.assignee.name)
            person.assigned.append(result)
            person.named |= NAMED in result.factors
        elif hit.author and hit.author.name:
            _of(known, hit.author.name).written.append(result)
    return tuple(sorted(known.values(), key=lambda each: (not each.named, -each.worth))[:PEOPLE])


def _of(known: dict[str, Concerned], name: str) -> Concerned:
    return known.setdefault(name.casefold(), Concerned(name))
