"""Check on a hit what its source could not be asked: the residual of the translation that found it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from translators.match import Checkable, matches
from translators.query import Clause, conjuncts

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class ConditionCheck:
    """Conditions that a hit fails, and those that nobody can check on what is at hand."""

    failed: tuple[Clause, ...] = ()
    unknown: tuple[Clause, ...] = ()


ACCEPTED = ConditionCheck()


def check(document: Checkable, residual: Clause | None) -> ConditionCheck:
    """Judge each condition by itself, so that the one which fails can be named."""
    return ACCEPTED if residual is None else check_each(document, conjuncts(residual))


def check_each(document: Checkable, conditions: Iterable[Clause]) -> ConditionCheck:
    """The verdict on several conditions that must all hold."""
    judged = [(part, matches(part, document)) for part in conditions]
    return ConditionCheck(
        failed=tuple(part for part, holds in judged if holds is False),
        unknown=tuple(part for part, holds in judged if holds is None),
    )
