"""What an address of the page asks for: the question, how much of it, and what the reader has narrowed it down to."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from orchestrator.dialogue import LONGEST_TOKEN
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from starlette.datastructures import QueryParams

LONGEST_QUESTION = 10_000  # characters; the engine reads the beginning and says so
LIMIT, MORE, MOST_CHOSEN = 20, 50, 50
FACETS = ("source", "kind", "person", "time")


@record
class PageQuestion:
    """``question`` is empty on the start page; ``chosen`` holds the values of each facet that were ticked.

    ``conversation``: what the answer gave that it goes on from. ``zone``: the name of the reader's time zone where it is not the installation's.
    """

    question: str
    limit: int
    zone: str
    chosen: Mapping[str, frozenset[str]]
    conversation: str = ""

    @property
    def timezone(self) -> tzinfo | None:
        """The reader's time zone; ``None`` for the installation's, and for a name that none has."""
        try:
            return ZoneInfo(self.zone) if self.zone else None
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return None

    @property
    def narrowed(self) -> bool:
        """Whether anything is ticked."""
        return any(self.chosen.values())

    def address(self, question: str | None = None, limit: int = LIMIT) -> str:
        """Where another question, or more of this one, is answered; this one goes on from where it did."""
        told = {"question": self.question if question is None else question}
        if limit != LIMIT:
            told["limit"] = str(limit)
        if self.zone:
            told["zone"] = self.zone
        if self.conversation and question is None:
            told["conversation"] = self.conversation
        return "/?" + urlencode(told)


def asked_of(parameters: QueryParams) -> PageQuestion:
    """What the parameters say; what they do not say well is left at its default."""
    return PageQuestion(
        question=parameters.get("question", "")[:LONGEST_QUESTION].strip(),
        limit=MORE if parameters.get("limit") == str(MORE) else LIMIT,
        zone=parameters.get("zone", "")[:64],
        chosen={name: frozenset(parameters.getlist(name)[:MOST_CHOSEN]) for name in FACETS},
        conversation=parameters.get("conversation", "")[:LONGEST_TOKEN],
    )
