"""A web search as somebody wants it, checked before anybody is asked."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from sys import maxsize

from connectors.text import plain_line
from orchestrator.websearch.errors import BadWebQuery
from translators.match import HANGUL
from translators.records import record

SHORTEST = 3  # characters
LONGEST = 400  # characters; what the narrowest of the search services takes
MOST_RESULTS = 50
TIERS = range(1, 5)
TOO_SHORT = f"Search query must be at least {SHORTEST} characters"


class Strategy(StrEnum):
    """Which of the results are shown."""

    ALL = "all"  # by tier, as many as were wanted
    OFFICIAL = "official"
    COMPREHENSIVE = "comprehensive"
    PROGRESSIVE = "progressive"


@record
class WebQuery:
    """What to search for. ``tier``: only pages of this tier. ``max_results``: at most so many, and never more than 50.

    ``asked_for``: what was wanted where that was more. Raises :class:`BadWebQuery` for what cannot be asked.

    >>> query = WebQuery("React Server Components", max_results=80)
    >>> query.max_results, query.asked_for
    (50, 80)
    """

    text: str
    tier: int | None = None
    max_results: int = 10
    asked_for: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        text = plain_line(self.text)
        if len(text) < SHORTEST:
            raise BadWebQuery(TOO_SHORT)
        if len(text) > LONGEST:
            raise BadWebQuery(f"Search query must be at most {LONGEST} characters; this one has {len(text):,}")
        if self.tier is not None and not _is_whole(self.tier, TIERS):
            raise BadWebQuery(f"tier must be 1 (official), 2, 3 or 4 (blogs), not {self.tier!r}")
        if not _is_whole(self.max_results, range(1, maxsize)):
            raise BadWebQuery(f"maxResults must be between 1 and {MOST_RESULTS}, not {self.max_results!r}")
        if self.max_results > MOST_RESULTS:
            object.__setattr__(self, "asked_for", self.max_results)
            object.__setattr__(self, "max_results", MOST_RESULTS)
        object.__setattr__(self, "text", text)

    @property
    def language(self) -> str:
        """``ko`` where there is Hangul in it, else ``en``."""
        return language_of(self.text)


def language_of(text: str) -> str:
    """``ko`` where there is Hangul in ``text``, else ``en``."""
    return "ko" if HANGUL.search(text) else "en"


def _is_whole(value: object, within: range) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in within
