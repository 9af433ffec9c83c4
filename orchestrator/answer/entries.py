"""Lines of a log, each of which begins with the day on which it was written down: "3 August: 14 short", "11월 24일 - 4벌 부족"."""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING

from orchestrator.answer.dates import MONTHS, named_days
from translators.patterns import regex

if TYPE_CHECKING:
    from orchestrator.answer.dates import Named

BEHIND = regex(r"[)\]]|\s?(?:[:：|]|[–—-]\s)")  # what parts the day of an entry from what it says
LONGEST = 24  # characters of a day in words


def entered(text: str, written: datetime | None) -> datetime | None:
    """When a sentence was said: on the day that it begins with, where that lies behind ``written``, when the whole was last changed."""
    first = _first(text, written) if written else None
    if first is None or written is None or first.day >= written.date():
        return written
    return datetime.combine(first.day, time(12), written.tzinfo)


def _first(text: str, written: datetime) -> Named | None:
    """The day that an entry begins with."""
    head = text[:LONGEST].lstrip("([")
    days = named_days(head, written.date()) if head[:1].isdigit() or head[:3].casefold() in MONTHS else ()
    return days[0] if days and days[0].start == 0 and BEHIND.match(head, days[0].end) else None
