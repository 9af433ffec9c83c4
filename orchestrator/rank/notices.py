"""Messages that a chat writes by itself: who joined, who made a channel. They hold its name and answer nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.rank.lexical import spaced
from translators.match import HANGUL
from translators.query import Category

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.rank.lexical import Text
    from orchestrator.rank.stage import RankContext

NAME = 4  # words at most that a name or a mention is made of
READ = 160  # characters in which a notice has said what it is about


def is_notice(hit: Hit, text: Text, context: RankContext) -> bool:
    """Whether one of the beginnings of ``notices.begin`` stands in a chat message, behind no more than a name."""
    if context.categories.get(hit.source) is not Category.CHAT:
        return False
    begin = text.body[:READ]
    place = hit.container.name if hit.container else ""
    for needle in _needles(context.config.notices.begin, place):
        at = begin.find(needle)
        if at >= 0 and begin.count(" ", 0, at + 1) <= NAME + 1:
            return True
    return False


@lru_cache(maxsize=256)
def _needles(begin: tuple[str, ...], place: str) -> tuple[str, ...]:
    """Without a place, a notice that names it cannot be told."""
    named = (phrase.format(place=place) for phrase in begin if place or "{" not in phrase)
    words = (spaced(phrase).strip() for phrase in named)
    return tuple(each if HANGUL.match(each) else f" {each}" for each in words)  # 님이 follows a name without a blank
