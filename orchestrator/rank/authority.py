"""How much a kind of place is to be believed on a kind of question; a hit may show a role that counts for more."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from orchestrator.rank.lexical import folded_words, spaced
from orchestrator.rank.recency import age_in_days

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.rank.config import Authority
    from orchestrator.rank.stage import RankContext
    from translators.query import Category, QueryType

    Steps = tuple[float, tuple["Shown", ...]]


class Shown(NamedTuple):
    """A role above the step of a kind of place, the beginnings of words that show it, and how many days old it may be.

    ``worded``: it needs one of its words.
    """

    step: float
    name: str
    title: tuple[str, ...]
    text: tuple[str, ...]
    days: float
    worded: bool


def authority_of(hit: Hit, context: RankContext) -> tuple[float, str]:
    """The highest step of the type's ladder that the hit stands on, and the role that lifted it ("" for none)."""
    known = context.steps.get(hit.source)
    if known is None:
        category = context.categories.get(hit.source)
        known = context.steps[hit.source] = steps_of(context.config.authority, context.query.type, category)
    step, roles = known
    if roles:
        text = context.text(hit)
        for role in roles:  # the highest first
            said = not role.worded or _holds(text.title, role.title) or _holds(text.body, role.text)
            if said and (role.days == math.inf or _is_within(hit, role.days, context)):
                return role.step, role.name
    return step, ""


def steps_of(authority: Authority, kind: QueryType, category: Category | None) -> Steps:
    """Where a kind of place stands on a ladder, and the roles above it that it may show, the highest first."""
    ladder = authority.ladders[kind]
    step = ladder.get(category or "", authority.other)
    shown = (
        Shown(
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


def _is_within(hit: Hit, days: float, context: RankContext) -> bool:
    """What has no date is not known to be recent."""
    age = age_in_days(hit, context.now)
    return age is not None and age <= days


def _holds(text: str, needles: tuple[str, ...]) -> bool:
    """Plain loops in what is run most: ``any`` over a generator takes three times as long."""
    for needle in needles:  # noqa: SIM110
        if needle in text:
            return True
    return False


@lru_cache(maxsize=64)
def _needles(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """From the beginning of a word on; Korean endings may follow."""
    return tuple(spaced(phrase).rstrip() for phrase in phrases if folded_words(phrase))
