"""How much a kind of place is to be believed on a kind of question; a hit may show a role that counts for more."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.rank.lexical import folded_words, spaced

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.rank.config import Role
    from orchestrator.rank.lexical import Text
    from orchestrator.rank.stage import RankContext


def authority_of(hit: Hit, context: RankContext) -> tuple[float, str]:
    """The highest step of the type's ladder that the hit stands on, and the role that lifted it ("" for none)."""
    authority = context.config.authority
    ladder = authority.ladders[context.query.type]
    category = context.categories.get(hit.source)
    step, lifted = ladder.get(category or "", authority.other), ""
    for name, role in authority.roles.items():
        if ladder.get(name, 0.0) > step and category in role.categories and _shows(context.text(hit), role):
            step, lifted = ladder[name], name
    return step, lifted


def _shows(text: Text, role: Role) -> bool:
    return _holds(text.title, role.title) or _holds(text.body, role.text)


def _holds(text: str, phrases: tuple[str, ...]) -> bool:
    """Any of the phrases from the beginning of a word on; Korean endings may follow."""
    return bool(phrases) and any(needle in text for needle in _needles(phrases))


@lru_cache(maxsize=64)
def _needles(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(spaced(phrase).rstrip() for phrase in phrases if folded_words(phrase))
