"""Dates in JQL: days and minutes in the zone of the account, spans from now, and the beginnings of days and longer."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from .errors import JiraError, refused

_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?: (\d{1,2}):(\d{2}))?", re.ASCII)
_SPAN = re.compile(r"[-+]?(?:\d{1,5}[wdhm]\s*)+", re.ASCII)
_PART = re.compile(r"(\d{1,5})([wdhm])", re.ASCII)
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


_BEGINNINGS: Mapping[str, Callable[[datetime], datetime]] = {
    "now": lambda now: now,
    "startofday": _midnight,
    "startofweek": lambda now: _midnight(now) - timedelta(days=(now.weekday() + 1) % 7),
    "startofmonth": lambda now: _midnight(now).replace(day=1),
    "startofyear": lambda now: _midnight(now).replace(month=1, day=1),
}


def instant(text: str, field: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The moment that a value of a date field stands for. Raises `JiraError`."""
    try:
        if found := _DATE.fullmatch(text.strip()):
            year, month, day, hour, minute = (int(part or 0) for part in found.groups())
            return datetime(year, month, day, hour, minute, tzinfo=zone)
        if _SPAN.fullmatch(text.strip()):
            return now + _span(text.strip())
    except (ValueError, OverflowError) as error:  # a day the calendar does not have
        raise _invalid(text, field) from error
    raise _invalid(text, field)


def beginning(name: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """What a function without arguments stands for, nothing if there is no such function."""
    begin = _BEGINNINGS.get(name)
    return begin(now.astimezone(zone)) if begin else None


def _span(text: str) -> timedelta:
    parts = {_UNITS[unit]: int(number) for number, unit in _PART.findall(text)}
    span = timedelta(**parts)
    return -span if text.startswith("-") else span


def _invalid(text: str, field: str) -> JiraError:
    formats = (
        "'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'"
    )
    return refused(f"Date value '{text[:100]}' for field '{field}' is invalid. Valid formats include: {formats}.")
