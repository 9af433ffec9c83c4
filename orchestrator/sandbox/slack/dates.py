"""The days that a date in a Slack modifier names."""

import re
from calendar import monthrange
from datetime import date, timedelta

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)


def named_days(text: str, today: date) -> tuple[date, date] | None:
    """First and last day named by `2026-03-01`, `today`, `yesterday`, `march` or `2026`; nothing if it is none of these."""
    word = text.casefold()
    if word in ("today", "yesterday"):
        day = today - timedelta(days=word == "yesterday")
        return day, day
    if word in _MONTHS:
        return _month(_MONTHS.index(word) + 1, today)
    try:
        if _DAY.fullmatch(word):
            day = date.fromisoformat(word)
            return day, day
        if _YEAR.fullmatch(word):
            return date(int(word), 1, 1), date(int(word), 12, 31)
    except ValueError:  # a day or year that the calendar does not have
        return None
    return None


def _month(month: int, today: date) -> tuple[date, date]:
    """The latest such month that has begun."""
    year = today.year - (month > today.month)
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])
