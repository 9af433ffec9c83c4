"""What one search of the index found, before several searches are fused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from datetime import datetime


@record
class FoundChunk:
    """A chunk that one search found. ``site``: how near its document's address is to the question, where that is known.

    ``around``: what of its score it owes to the messages around it. ``source``, ``happened`` and ``kind``: of its document.
    """

    chunk: int
    document: int
    score: float
    site: float | None = None
    source: str = ""
    happened: datetime | None = None
    around: float = 0.0
    kind: str = ""
