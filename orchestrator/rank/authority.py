"""How much a kind of place is to be believed on a kind of question; a hit may show a role that counts for more."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from orchestrator.rank.recency import age_in_days
from orchestrator.rank.roles import steps_of

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.rank.stage import RankContext


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
