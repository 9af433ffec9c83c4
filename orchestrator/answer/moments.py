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
    found = day_of(hit, now)
    return "" if found is None else found.isoformat()


def newest_first(hit: Hit) -> float:
    """A key to sort by; undated things last."""
    when = happened(hit)
    return float("inf") if when is None else -when.timestamp()
