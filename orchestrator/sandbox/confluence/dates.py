"""CQL's dates: four ways of writing one, and functions that count from now, all in the account's time zone.

https://developer.atlassian.com/cloud/confluence/cql-functions
"""

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from .errors import CqlError
from .grammar import Call, Value

_WRITTEN = re.compile(r"(\d{4})([-/])(\d{2})\2(\d{2})(?: (\d{2}):(\d{2}))?", re.ASCII)
_OFFSET = re.compile(r"([+-]?)(\d{1,5})([yMwdhm])?", re.ASCII)
_UNITS = {"day": "d", "week": "w", "month": "M", "year": "y"}
_SPANS = {"w": timedelta(weeks=1), "d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}


def instant(value: Value, now: datetime, zone: ZoneInfo) -> datetime:
    """The moment a value means; a bare date is its midnight. Raises `CqlError`."""
    try:
        local = _called(value, now.astimezone(zone)) if isinstance(value, Call) else _written(value, zone)
        return local.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise CqlError(str(error) if isinstance(error, CqlError) else f"no date: {value!r}") from error


def _written(text: str, zone: ZoneInfo) -> datetime:
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise CqlError(f"{text[:40]!r} is no date; write yyyy-MM-dd or yyyy-MM-dd HH:mm")
    year, month, day, hour, minute = (int(part or 0) for part in found.group(1, 3, 4, 5, 6))
    return datetime(year, month, day, hour, minute, tzinfo=zone)


def _called(call: Call, now: datetime) -> datetime:
    offset = call.arguments[0] if call.arguments else "0"
    if call.name == "now":
        return _shifted(now, offset, "d")
    for edge in ("startof", "endof"):
        unit = _UNITS.get(call.name.removeprefix(edge)) if call.name.startswith(edge) else None
        if unit:
            start = _shifted(_start(now, unit), offset, unit)
            return start if edge == "startof" else _shifted(start, "1", unit) - timedelta(minutes=1)
    raise CqlError(f"no function of dates: {call.name}()")


def _start(now: datetime, unit: str) -> datetime:
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    match unit:
        case "w":
            return day - timedelta(days=day.weekday())
        case "M":
            return day.replace(day=1)
        case "y":
            return day.replace(month=1, day=1)
        case _:
            return day


def _shifted(moment: datetime, offset: str, unit: str) -> datetime:
    """`-4w`, `+1M`, `3`: without a unit, in that of the function."""
    found = _OFFSET.fullmatch(offset)
    if found is None:
        raise CqlError(f"no offset: {offset[:40]!r}")
    count = int(found[2]) * (-1 if found[1] == "-" else 1)
    unit = found[3] or unit
    if unit in _SPANS:
        return moment + count * _SPANS[unit]
    months = moment.year * 12 + moment.month - 1 + count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
