"""When results happened, as days in the asker's zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.match import happened

if TYPE_CHECKING:
    from datetime import date, datetime

    from connectors.contract import Hit


def day_of(hit: Hit, now: datetime) -> date | None:
    """The day in the zone of ``now``; ``None`` without a date."""
    when = happened(hit)
    return None if when is None else when.astimezone(now.tzinfo).date()


def day(hit: Hit, now: datetime) -> str:
    """``2025-01-31`` in the zone of ``now``; "" without a date."""
    return day_at(happened(hit), now)


def day_at(when: datetime | None, now: datetime) -> str:
    """The same of a moment. What is newer is greater, and all of one day is the same."""
    return "" if when is None else when.astimezone(now.tzinfo).date().isoformat()


def newest_first(when: datetime | None) -> float:
    """A key to sort by; what is undated comes last."""
    return float("inf") if when is None else -when.timestamp()
