"""Dates as GitHub's qualifiers write them: a day or an instant, compared or as a range whose ends belong to it."""

import re
from datetime import UTC, date, datetime, timedelta

from .grammar import QueryError

_COMPARED = re.compile(r"(>=|<=|>|<)?(.+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def dated(value: str, moment: datetime) -> bool:
    """Whether a moment is what `created:` and its like ask for. Raises `QueryError` for what is no date."""
    if ".." in value:
        first, _, last = value.partition("..")
        return (first == "*" or moment >= _span(first)[0]) and (last == "*" or moment < _span(last)[1])
    operator, at = _COMPARED.fullmatch(value).groups()  # type: ignore[union-attr]
    start, end = _span(at)
    match operator:
        case ">=":
            return moment >= start
        case ">":
            return moment >= end
        case "<=":
            return moment < end
        case "<":
            return moment < start
        case _:
            return start <= moment < end


def _span(text: str) -> tuple[datetime, datetime]:
    """The day or the second that is meant, in UTC unless an offset says otherwise; its end does not belong to it."""
    try:
        if _DAY.fullmatch(text):
            day = date.fromisoformat(text)
            start = datetime(day.year, day.month, day.day, tzinfo=UTC)
            return start, start + timedelta(days=1)
        parsed = datetime.fromisoformat(text)
        start = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
        return start, start + timedelta(seconds=1)
    except (ValueError, OverflowError) as error:
        raise QueryError(f"'{text[:60]}' is not a recognized date/time format.") from error
