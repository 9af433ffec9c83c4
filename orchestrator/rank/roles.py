"""Where a kind of place stands on the ladder of authority, and the roles above it that a hit in it may show."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from orchestrator.rank.lexical import folded_words, spaced

if TYPE_CHECKING:
    from orchestrator.rank.config import Authority
    from translators.query import Category, QueryType

    Steps = tuple[float, tuple["RoleSigns", ...]]


class RoleSigns(NamedTuple):
    """A role above the step of a kind of place, the beginnings of words that show it, and how many days old it may be.

    ``worded``: it needs one of its words.
    """

    step: float
    name: str
    title: tuple[str, ...]
    text: tuple[str, ...]
    days: float
    worded: bool


def steps_of(authority: Authority, kind: QueryType, category: Category | None) -> Steps:
    """Where a kind of place stands on a ladder, and the roles above it that it may show, the highest first."""
    ladder = authority.ladders[kind]
    step = ladder.get(category or "", authority.other)
    shown = (
        RoleSigns(
            ladder[name],
            name,
            _needles(role.title),
            _needles(role.text),
            role.days or math.inf,
            worded=bool(role.title or role.text),
        )
        for name, role in authority.roles.items()
        if category in role.categories and ladder.get(name, 0.0) > step
    )
    return step, tuple(sorted(shown, key=lambda each: -each.step))


@lru_cache(maxsize=64)
def _needles(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """From the beginning of a word on; Korean endings may follow."""
    return tuple(spaced(phrase).rstrip() for phrase in phrases if folded_words(phrase))
