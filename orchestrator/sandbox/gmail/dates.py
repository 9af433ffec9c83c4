"""The moments that dates in Gmail's operators stand for."""

import re
from calendar import monthrange
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

PACIFIC = ZoneInfo("America/Los_Angeles")
"""Where the days of `after:` and `before:` begin, whoever asks."""

_YEAR_FIRST = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_EPOCH = re.compile(r"\d{6,11}", re.ASCII)
_AGE = re.compile(r"(\d{1,5})([dmy])", re.ASCII)


def boundary(text: str) -> int | None:
    """Milliseconds since 1970 of `2026/03/01`, `03/01/2026` (midnight in California) or epoch seconds, else nothing."""
    if _EPOCH.fullmatch(text):
        return int(text) * 1000
    try:
        if found := _YEAR_FIRST.fullmatch(text):
            day = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=PACIFIC)
        elif found := _YEAR_LAST.fullmatch(text):
            day = datetime(int(found[3]), int(found[1]), int(found[2]), tzinfo=PACIFIC)
        else:
            return None
        return int(day.timestamp() * 1000)
    except (ValueError, OverflowError):  # a day the calendar does not have
        return None


def age(text: str, now: datetime) -> int | None:
    """Milliseconds since 1970 of `2d`, `3m` or `1y` before now, else nothing."""
    found = _AGE.fullmatch(text)
    if found is None:
        return None
    number, unit = int(found[1]), found[2]
    try:
        moment = (
            now - timedelta(days=number) if unit == "d" else _months_before(now, number * (12 if unit == "y" else 1))
        )
    except (ValueError, OverflowError):  # before the first year: older than everything
        return -(10**15)
    return int(moment.timestamp() * 1000)


def _months_before(now: datetime, months: int) -> datetime:
    total = now.year * 12 + now.month - 1 - months
    year, month = total // 12, total % 12 + 1
    return now.replace(year=year, month=month, day=min(now.day, monthrange(year, month)[1]))
