"""Where a page of ours ends within the pages of a forum, which hold fifty hits whatever is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

CURSOR = re.compile(r"([1-9][0-9]?)(?::([0-9]{1,2}))?", re.ASCII)
LAST = 10  # source: beyond this page the first one comes again


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """``page`` counts from 1 as Discourse does; ``skip`` hits of it were returned before."""

    page: int = 1
    skip: int = 0

    @classmethod
    def read(cls, cursor: str | None) -> Self:
        """The place that a cursor of ours names; the start for anything else."""
        found = CURSOR.fullmatch(cursor or "")
        return cls(int(found[1]), int(found[2] or 0)) if found else cls()

    def after(self, end: int, held: int, *, more: bool) -> str | None:
        """The cursor behind ``end`` of the ``held`` hits of this page; ``more`` says whether another page follows."""
        if end < held:
            return f"{self.page}:{end}"
        return f"{self.page + 1}" if more and self.page < LAST else None
