"""Dates as files write them."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

JIRA = ("%d/%b/%y %I:%M %p", "%d/%b/%Y %I:%M %p", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M", "%d/%b/%y %H:%M")


def moment_of(said: object) -> datetime | None:
    """An aware moment, or none where it cannot be read; without a zone it is in UTC."""
    if isinstance(said, datetime):
        return _aware(said)
    if isinstance(said, int | float):
        return _of_epoch(float(said))
    text = str(said or "").strip()
    if not text:
        return None
    try:
        return _aware(datetime.fromisoformat(text))
    except ValueError:
        return _otherwise(text)


def _otherwise(text: str) -> datetime | None:
    for form in JIRA:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        return _aware(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _of_epoch(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _aware(moment: datetime) -> datetime | None:
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # the year 1 has no hour before it
        return None
